# syntax=docker/dockerfile:1
# The service, its worker and its commands in one image: `serve` (default), `worker`, `migrate`, `doctor`, ...
# `deploy/prove.py` follows these steps without containers.

FROM python:3.11-bookworm AS build
WORKDIR /app
COPY requirements.txt ./
RUN python -m venv /venv \
 && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --require-hashes --no-deps -r requirements.txt
COPY manage.py ./
COPY config config
COPY accounts accounts
COPY templates_app templates_app
COPY rendering rendering
COPY usage usage
COPY assets assets
COPY dashboard dashboard
# The code is read-only where it runs: compiled here or never.
RUN python -m compileall -q -j 0 /app /venv/lib

FROM python:3.11-slim-bookworm
COPY --from=build /venv /venv
COPY --from=build /app /app
RUN install -d -m 700 -o 10001 -g 10001 /data
WORKDIR /app
ENV PATH=/venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DATA_DIR=/data \
    HOST=0.0.0.0 \
    PORT=8000 \
    LOG_FORMAT=json
USER 10001:10001
VOLUME /data
EXPOSE 8000
STOPSIGNAL SIGTERM
# For `serve`; a worker has no port, and its heartbeat is seen by `doctor`. Not by urllib, which would ask the
# proxy that Docker gives to every container where it knows one.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import os, http.client as h; c = h.HTTPConnection('127.0.0.1', os.environ['PORT'], timeout=4); c.request('GET', '/healthz'); assert c.getresponse().status == 200"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve"]
