"""HTTP without TLS, a connection for each request.

A new client of httpx reads all certificates that the system trusts, though plain HTTP asks for none: that
takes ten times as long as the request, and whoever waits for a service asks twenty times a second.
"""

from functools import partial

import httpx

get = partial(httpx.get, verify=False)
head = partial(httpx.head, verify=False)
post = partial(httpx.post, verify=False)
