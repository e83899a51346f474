# syntax=docker/dockerfile:1
# One image for `palimpsest serve` and `palimpsest worker`. Nothing is written to but /data and /tmp, so that the root can be
# read-only. To build on exactly the base that you have looked at: --build-arg PYTHON_DIGEST=@sha256:...
ARG PYTHON=3.11.15-slim-bookworm
ARG PYTHON_DIGEST=""

FROM python:${PYTHON}${PYTHON_DIGEST} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /app
COPY requirements-server.lock ./
RUN python -m venv /opt/palimpsest \
    && /opt/palimpsest/bin/python -m pip install --no-deps --only-binary=:all: --require-hashes -r requirements-server.lock
COPY . .
RUN /opt/palimpsest/bin/python -m pip install --no-deps --editable . \
    && /opt/palimpsest/bin/python -m compileall -q /app /opt/palimpsest/lib

FROM python:${PYTHON}${PYTHON_DIGEST}
# Debian keeps one version of a package; which one the base brings is settled by its digest.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends tesseract-ocr tesseract-ocr-heb \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --no-create-home --home-dir /data palimpsest \
    && install --directory --owner=palimpsest --group=palimpsest --mode=0700 /data
COPY --from=build /opt/palimpsest /opt/palimpsest
COPY --from=build /app /app
ENV PATH=/opt/palimpsest/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/data \
    PALIMPSEST_HOME=/data \
    PALIMPSEST_HOST=0.0.0.0 \
    PALIMPSEST_PORT=7860
WORKDIR /data
USER 10001:10001
VOLUME ["/data"]
EXPOSE 7860
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:7860/health', timeout=4).read()"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["palimpsest"]
CMD ["serve"]
