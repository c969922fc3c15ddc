"""Files in an S3 bucket: one request to write, read or delete one, none to sign a link.

django-storages, with the three requests of a render made here: signed by botocore and sent by urllib3. The
client of botocore around them takes several milliseconds of processor time for each, a third of a render.
"""

from __future__ import annotations

import mimetypes
import os
from collections.abc import Mapping
from functools import cached_property
from tempfile import SpooledTemporaryFile
from threading import Lock
from typing import Any, Self
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import getproxies, proxy_bypass
from xml.etree import ElementTree

import urllib3
from botocore.auth import S3SigV4Auth, S3SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.config import Config
from botocore.exceptions import ClientError, HTTPClientError, NoCredentialsError
from botocore.httpsession import get_cert_path
from django.conf import settings
from django.core.files.base import File
from storages.backends.s3 import S3Storage

CONNECT_SECONDS, READ_SECONDS, RETRIES = 3, 20, 2
# A larger file goes up in parts, so that a broken connection does not begin it anew.
WHOLE_BYTES = 32 * 2**20
_MEMORY_BYTES = 8 * 2**20
_BLOCK_BYTES = 2**18
# What a query names the headers of the answer.
_ANSWER_HEADERS = {
    "ResponseContentType": "response-content-type",
    "ResponseContentDisposition": "response-content-disposition",
}
_lock = Lock()


class Retry(urllib3.Retry):
    """Attempts again what a broken connection or a busy service refused, but waits for a silent one once."""

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: Any = None,
        error: Exception | None = None,
        *rest: Any,
        **named: Any,
    ) -> Self:
        """Count an attempt; raises the error where there is none left."""
        if isinstance(error, urllib3.exceptions.ReadTimeoutError):
            raise error
        return super().increment(method, url, response, error, *rest, **named)


class BucketStorage(S3Storage):
    """The bucket of S3_BUCKET; names are unique, so that a retried write replaces its own file."""

    def get_default_settings(self) -> dict[str, Any]:
        """Add the address that links carry, where clients reach the bucket by another one than we do."""
        return super().get_default_settings() | {"public_endpoint_url": None, "file_overwrite": True}

    def url(
        self,
        name: str | None,
        parameters: Mapping[str, str] | None = None,
        expire: int | None = None,
        http_method: str | None = None,
    ) -> str:
        """Return a presigned SigV4 link, valid for `expire` seconds (default DOWNLOAD_URL_TTL)."""
        query = {_ANSWER_HEADERS[field]: value for field, value in (parameters or {}).items()}
        address = self._address(str(name), self.public_endpoint_url)
        request = AWSRequest(http_method or "GET", f"{address}?{urlencode(query, quote_via=quote)}")
        seconds = self.querystring_expire if expire is None else expire
        S3SigV4QueryAuth(self._credentials(), "s3", self.region_name, expires=seconds).add_auth(request)
        return str(request.url)

    def _save(self, name: str, content: File[Any]) -> str:
        kind = mimetypes.guess_type(name)[0] or self.default_content_type
        content.seek(0)
        if content.size > WHOLE_BYTES:
            self.client.upload_fileobj(
                content,
                Bucket=self.bucket_name,
                Key=self._normalize_name(name),
                ExtraArgs={"ContentType": kind},
                Config=self.transfer_config,
            )
        else:
            self._request("PutObject", name, content.read(), {"Content-Type": kind}).release_conn()
        return name

    def _open(self, name: str, mode: str = "rb") -> File[Any]:
        """Read a file; raises FileNotFoundError when there is none."""
        if mode != "rb":
            opened: File[Any] = super()._open(name, mode)
            return opened
        try:
            found = self._request("GetObject", name)
        except ClientError as error:
            if error.response["Error"]["Code"] == "NoSuchKey":
                raise FileNotFoundError(name) from error
            raise
        content: SpooledTemporaryFile[bytes] = SpooledTemporaryFile(_MEMORY_BYTES)  # noqa: SIM115 (returned)
        try:
            for block in found.stream(_BLOCK_BYTES):
                content.write(block)
        except urllib3.exceptions.HTTPError as error:
            raise HTTPClientError(error=error) from error
        content.seek(0)
        return File(content, name)

    def delete(self, name: str) -> None:
        """Delete a file; one that is not there is no error."""
        self._request("DeleteObject", name).release_conn()

    def _request(
        self, operation: str, name: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> urllib3.BaseHTTPResponse:
        """Send one signed request; the body of its answer is not read yet.

        Raises botocore's ClientError for a refusal and HTTPClientError where nothing answers.
        """
        request = AWSRequest(_METHODS[operation], self._address(name, self.endpoint_url), headers, body)
        S3SigV4Auth(self._credentials(), "s3", self.region_name).add_auth(request)
        try:
            answer = self._pool.urlopen(
                request.method,
                request.url,
                body=body or None,
                headers=dict(request.headers.items()),
                preload_content=False,
                redirect=False,
            )
            if answer.status < 300:
                return answer
            content = answer.read()
        except urllib3.exceptions.HTTPError as error:
            raise HTTPClientError(error=error) from error
        raise ClientError(_refusal(answer.status, content), operation)

    def _address(self, name: str, endpoint_url: str | None) -> str:
        """Return the address of a file: on the service that is set, or on a host of its own at AWS."""
        path = quote(self._normalize_name(name), safe="/~")
        if endpoint_url:
            return f"{endpoint_url}/{self.bucket_name}/{path}"
        if "." in self.bucket_name:  # no certificate covers it as a host name
            return f"https://s3.{self.region_name}.amazonaws.com/{self.bucket_name}/{path}"
        return f"https://{self.bucket_name}.s3.{self.region_name}.amazonaws.com/{path}"

    @cached_property
    def _pool(self) -> urllib3.PoolManager:
        """The connections of this process, through the proxy of the environment where there is one."""
        address = urlsplit(self._address("", self.endpoint_url))
        options: dict[str, Any] = {
            "maxsize": settings.THREADS + 8,
            "timeout": urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS),
            "retries": Retry(
                RETRIES, backoff_factor=0.1, status_forcelist=(500, 502, 503, 504), raise_on_status=False,
                allowed_methods=None, redirect=False,
            ),
        }  # fmt: skip
        if address.scheme == "https":
            options["ca_certs"] = os.environ.get("AWS_CA_BUNDLE") or get_cert_path(True)
        proxy = None if proxy_bypass(address.hostname or "") else getproxies().get(address.scheme)
        return urllib3.ProxyManager(proxy, **options) if proxy else urllib3.PoolManager(**options)

    def _credentials(self) -> Any:
        """Return the credentials to sign with; those of a role are renewed by botocore in time."""
        if self._provider is None:
            raise NoCredentialsError
        return self._provider.get_frozen_credentials()

    @cached_property
    def _provider(self) -> Any:
        return self._create_session().get_credentials()

    @cached_property
    def client(self) -> Any:
        """botocore's client, for what is not done here; it is safe in threads, its making is not."""
        with _lock:
            return self._create_session().client("s3", **self._options())

    @property
    def connection(self) -> Any:
        """The resource that what we leave to django-storages uses."""
        resource = getattr(self._connections, "connection", None)
        if resource is None:
            with _lock:
                resource = self._create_session().resource("s3", **self._options())
            self._connections.connection = resource
        return resource

    def _options(self) -> dict[str, Any]:
        return {
            "region_name": self.region_name,
            "endpoint_url": self.endpoint_url,
            # Plain HTTP needs none, and reading the certificates takes a tenth of a second.
            "verify": False if (self.endpoint_url or "").startswith("http://") else None,
            "config": Config(
                signature_version="s3v4",
                s3={"addressing_style": self.addressing_style},
                connect_timeout=CONNECT_SECONDS,
                read_timeout=READ_SECONDS,
                retries={"mode": "standard", "total_max_attempts": 1 + RETRIES},
                max_pool_connections=settings.THREADS + 8,
                tcp_keepalive=True,
                # Not every S3-compatible service knows the checksums that AWS began to ask for in 2025.
                request_checksum_calculation="when_required",
                response_checksum_validation="when_required",
            ),
        }


_METHODS = {"PutObject": "PUT", "GetObject": "GET", "DeleteObject": "DELETE"}


def _refusal(status: int, content: bytes) -> dict[str, Any]:
    """Return a refusal as botocore shapes it: code and message from the XML where there is one."""
    try:
        found = {child.tag.rpartition("}")[2]: child.text for child in ElementTree.fromstring(content)}  # noqa: S314 (the bucket's own)
    except ElementTree.ParseError:
        found = {}
    return {
        "Error": {"Code": found.get("Code") or str(status), "Message": found.get("Message") or ""},
        "ResponseMetadata": {"HTTPStatusCode": status},
    }
