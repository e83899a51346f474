"""A stand-in for Qdrant in one process that several clients can share. It offers the REST API that
``core.store.qdrant`` calls, over Qdrant's embedded engine. ``python -m tests.servers.qdrant PORT FOLDER`` serves
locally until it is stopped."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from tests.servers.qdrant_collections import Collection, Collections
from tests.servers.qdrant_requests import Json, RefusedError, malformed

VERSION = "1.20.0"
"""The version that the stand-in reports. From version 1.19 on, Qdrant counts document frequencies per user, as the
engine does."""
ONE = "/collections/{name}"

Answer = Callable[[str, Json], object]
"""A function that gets the name in the path and the body of a request, and returns the result."""


def application(folder: Path) -> Starlette:
    """Returns a web application that serves the collections in ``folder`` at Qdrant's paths."""
    collections = Collections(folder)

    def of(answer: Callable[[Collection, Json], object]) -> Answer:
        return lambda name, body: answer(collections.named(name), body)

    async def root(_: Request) -> JSONResponse:
        return JSONResponse({"title": "a stand-in for qdrant", "version": VERSION})

    return Starlette(
        routes=[
            Route("/", root),
            _route("GET", "/aliases", lambda *_: collections.aliases_json()),
            _route("GET", "/collections", lambda *_: collections.names_json()),
            _route("POST", "/collections/aliases", lambda _, body: collections.change_aliases(body)),
            _route("GET", f"{ONE}/exists", lambda name, _: collections.exists(name)),
            _route("PUT", ONE, collections.create),
            _route("DELETE", ONE, lambda name, _: collections.delete(name)),
            _route("GET", ONE, of(lambda found, _: found.info())),
            _route("PATCH", ONE, of(Collection.change)),
            _route("PUT", f"{ONE}/index", of(Collection.index_field)),
            _route("PUT", f"{ONE}/points", of(Collection.upsert)),
            _route("POST", f"{ONE}/points", of(Collection.retrieve)),
            _route("PUT", f"{ONE}/points/vectors", of(Collection.update_vectors)),
            _route("POST", f"{ONE}/points/payload", of(Collection.set_payload)),
            _route("POST", f"{ONE}/points/delete", of(Collection.delete_points)),
            _route("POST", f"{ONE}/points/query", of(Collection.query)),
            _route("POST", f"{ONE}/points/count", of(Collection.count)),
            _route("POST", f"{ONE}/points/scroll", of(Collection.scroll)),
        ]
    )


def _route(method: str, path: str, answer: Answer) -> Route:
    async def endpoint(request: Request) -> JSONResponse:
        began = time.perf_counter()
        reply: Json = {"result": None, "status": "ok"}
        code = 200
        try:
            body = await request.json() if await request.body() else {}
            reply["result"] = await asyncio.to_thread(answer, request.path_params.get("name", ""), body)
        except RefusedError as refused:
            code, reply["status"] = refused.status, {"error": refused.error}
        except (KeyError, TypeError, ValueError) as error:
            code, reply["status"] = 400, {"error": malformed(error).error}
        return JSONResponse({**reply, "time": time.perf_counter() - began}, code)

    return Route(path, endpoint, methods=[method])


def main() -> None:
    import uvicorn

    port, folder = int(sys.argv[1]), Path(sys.argv[2])
    uvicorn.run(application(folder), host="127.0.0.1", port=port, log_level="warning")


if __name__ == "__main__":
    main()
