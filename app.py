"""Opens the house: one FastAPI, the workbench in its lifespan, the pages mounted in it."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvicorn
from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles
from pydantic import ValidationError

from core.errors import PalimpsestError
from core.settings import Settings
from core.store.data_directory import open_data_directory
from core.store.migrations.upgrade import upgrade

ASSETS = Path(__file__).parent / "pages" / "assets"
HEAD = f"""
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/page/shared/palimpsest.css">
<link rel="preload" href="/page/texts.json" as="fetch" crossorigin>
<script>{(ASSETS / "shared" / "early-drop.js").read_text(encoding="utf-8")}</script>
"""
"""Inline scripts run before any part of the page; one with an address would come after some of them."""


def spare_collections() -> None:
    """Leave what is there for good out of garbage collection, and collect less often.

    A full collection walks every object of the process: with 10,000 memories every fifth search took 130 ms longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def create_app(settings: Settings) -> FastAPI:
    """The application; its workbench starts and stops with the server.

    Nothing is collected until then: what is imported stays, and walking it again and again took a sixth of a start.
    """
    gc.disable()
    _keep_interface_local(settings.folder / "uploads")
    import gradio as gr

    from core.workbench import Workbench
    from pages.answer_files import answer_routes
    from pages.auth import Gate, Identity, login_routes
    from pages.build import build
    from pages.documents import document_routes
    from pages.live import routes
    from pages.security.headers import SecurityHeaders
    from pages.security.resource_isolation import ResourceIsolation
    from pages.tables import table_routes
    from pages.texts import text_routes
    from pages.tool_sign_in import sign_in_routes
    from pages.uploads import remove_abandoned, upload_routes
    from pages.vendor import vendor_routes

    workbench = Workbench(settings)
    identity = Identity(settings)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await asyncio.to_thread(remove_abandoned, settings.folder / "uploads")
        await workbench.start()
        spare_collections()
        try:
            yield
        finally:
            await workbench.stop()

    app = FastAPI(title="Palimpsest", lifespan=lifespan, docs_url=None, redoc_url=None)
    app.add_middleware(Gate, identity=identity)
    app.add_middleware(SecurityHeaders, head=HEAD)
    app.add_middleware(ResourceIsolation, hosts=[settings.host, *settings.allowed_hosts], any_host=identity.required)
    app.state.workbench = workbench

    @app.get("/health")
    async def health() -> dict[str, object]:
        report = await workbench.health()
        return {
            "status": {"green": "healthy", "amber": "warning", "red": "error"}[report.state],
            "parts": [part.model_dump() for part in report.parts],
        }

    app.include_router(login_routes(identity))
    app.include_router(routes(workbench, identity))
    app.include_router(upload_routes(workbench, identity))
    app.include_router(table_routes(workbench, identity))
    app.include_router(answer_routes(workbench, identity))
    app.include_router(document_routes(workbench, identity))
    app.include_router(vendor_routes())
    app.include_router(text_routes())
    app.include_router(sign_in_routes(workbench, identity))
    app.mount("/page", StaticFiles(directory=ASSETS))
    blocks = build(workbench, identity)

    def fit_uploads() -> None:
        blocks.max_file_size = settings.limits.file_bytes + 1024

    mounted: FastAPI = gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        head=HEAD,
        footer_links=[],
        run_history=False,
        show_error=False,
        max_file_size=settings.limits.file_bytes + 1024,
        ssr_mode=False,
    )
    workbench.overrides.watch(fit_uploads)
    return mounted


def _keep_interface_local(uploads: Path) -> None:
    uploads.mkdir(parents=True, exist_ok=True)
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_TEMP_DIR"] = str(uploads)
    os.environ["HF_HUB_OFFLINE"] = "1"


def main() -> int:
    """Serve until interrupted; a second start on the same home says where the first one is."""
    try:
        settings = Settings()
    except ValidationError as error:
        for each in error.errors():
            print(f"The settings cannot be used: {each['msg']}", file=sys.stderr)
        return 2
    logging.basicConfig(level=settings.log_level, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    logging.getLogger("httpx").setLevel("WARNING")
    address = f"http://{settings.host}:{settings.port}"
    try:
        with open_data_directory(settings.folder, address):
            upgrade(settings)
            print(f"Palimpsest is at {address}", flush=True)
            uvicorn.run(
                create_app(settings),
                host=settings.host,
                port=settings.port,
                log_level="warning",
                timeout_graceful_shutdown=3,
            )
    except PalimpsestError as error:
        what, why, remedy = error.problem.to("en")
        print(f"{what} {why} {remedy}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
