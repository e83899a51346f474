"""Creates the web application: one FastAPI that starts the workbench, serves its actions, and mounts the pages."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from fastapi.staticfiles import StaticFiles

from core.settings import Settings

if TYPE_CHECKING:
    from core.workbench import Workbench
    from pages.actions import Actions
    from pages.auth import Identity

ASSETS = Path(__file__).parent / "pages" / "assets"
HEAD = f"""
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="/page/shared/palimpsest.svg" type="image/svg+xml">
<link rel="stylesheet" href="/page/shared/palimpsest.css">
<link rel="preload" href="/page/texts.json" as="fetch" crossorigin>
<script>{(ASSETS / "shared" / "early-drop.js").read_text(encoding="utf-8")}</script>
<script>{(ASSETS / "shared" / "early-tab.js").read_text(encoding="utf-8")}</script>
"""
"""Inline scripts run before any part of the page; one loaded from an address would run after some parts."""


SWITCH_SECONDS = 0.001
"""Seconds before a busy thread lets another thread run, a fifth of Python's default. The event loop waits this long for
each thread that works on a question."""


def spare_collections() -> None:
    """Exclude permanent objects from garbage collection, and collect less often.

    A full collection visits all objects of the process: with 10,000 memories every fifth search took 130 ms longer.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    gc.enable()


def create_app(settings: Settings, local_token: str | None = None, *, with_pages: bool = True) -> FastAPI:
    """The application; its workbench starts and stops with the server.

    Garbage collection is off until the server has started: imported objects stay in memory, and checking them again and
    again took a sixth of the start time.
    Loading the interface takes half of the start time; a server for commands on this machine (recognised by
    ``local_token``) does not need it.
    """
    gc.disable()
    _keep_interface_local(settings)

    from core.accounts.signing_key import agreed_key
    from core.workbench import Workbench
    from pages.actions import Actions
    from pages.auth import Identity
    from pages.handlers import all_handlers
    from pages.http_doors import http_routes
    from pages.mcp.mounted import MountedServer
    from pages.probes import probe_routes
    from pages.security.auditing import Auditor

    workbench = Workbench(settings)
    identity = Identity(settings, workbench.accounts, workbench.api_keys, local_token)
    actions = Actions(identity, all_handlers(workbench, identity), Auditor(workbench))
    mounted = MountedServer(workbench, actions)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await workbench.start()
        await identity.agree(partial(agreed_key, workbench.truth, settings))
        spare_collections()
        sys.setswitchinterval(SWITCH_SECONDS)
        try:
            async with mounted.running():
                yield
        finally:
            await workbench.stop()

    app = FastAPI(title="Palimpsest", lifespan=lifespan, docs_url=None, redoc_url=None)
    _guard(app, workbench, identity)
    app.state.workbench = workbench

    app.include_router(probe_routes(workbench, identity, settings))
    app.include_router(http_routes(actions, workbench))
    app.router.routes.append(mounted.route)
    return _with_pages(app, workbench, identity, actions) if with_pages else app


def _guard(app: FastAPI, workbench: Workbench, identity: Identity) -> None:
    """Add the middleware for every request; the one added last runs first."""
    from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

    from pages.auth import Gate
    from pages.security.headers import SecurityHeaders
    from pages.security.rate_limits import RateLimits
    from pages.security.resource_isolation import ResourceIsolation
    from pages.security.slow_bodies import SlowBodies

    settings = workbench.settings
    app.add_middleware(SlowBodies, limits=settings.uploads)
    app.add_middleware(
        RateLimits, rates=settings.rates, windows=workbench.coordination.rate_windows, held=lambda: identity.required
    )
    app.add_middleware(Gate, identity=identity)
    app.add_middleware(SecurityHeaders, head=HEAD)
    hosts = [settings.host, *settings.allowed_hosts]
    app.add_middleware(ResourceIsolation, hosts=hosts, any_host=lambda: identity.required)
    app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=settings.trusted_proxies)


def _with_pages(app: FastAPI, workbench: Workbench, identity: Identity, actions: Actions) -> FastAPI:
    with _without("mcp"):
        import gradio as gr

    from pages.answer_files import answer_routes
    from pages.backup_files import backup_routes
    from pages.build import ENDPOINTS, build
    from pages.documents import document_routes
    from pages.gradio_uploads import MOST_OVERHEAD, upload_routes
    from pages.kept_files import KeptFiles, with_kept_addresses
    from pages.live import routes
    from pages.sign_in import Entrance, login_routes
    from pages.sign_in_elsewhere import provider_routes
    from pages.tables import table_routes
    from pages.texts import text_routes
    from pages.tool_sign_in import sign_in_routes
    from pages.vendor import vendor_routes

    settings = workbench.settings
    entrance = Entrance(identity, workbench.accounts, workbench.audit)
    app.include_router(login_routes(entrance))
    app.include_router(provider_routes(entrance))
    for made in (
        routes, upload_routes, table_routes, answer_routes, document_routes, backup_routes, sign_in_routes
    ):  # fmt: skip
        app.include_router(made(workbench, identity))
    app.include_router(vendor_routes())
    app.include_router(text_routes())
    app.add_api_route(f"/{ENDPOINTS}", lambda: RedirectResponse("./"))
    app.mount("/page", StaticFiles(directory=ASSETS))
    app.add_middleware(KeptFiles)
    blocks = build(actions)

    def fit_uploads() -> None:
        blocks.max_file_size = settings.limits.largest_file_bytes + MOST_OVERHEAD

    mounted: FastAPI = gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        head=with_kept_addresses(HEAD),
        footer_links=[],
        run_history=False,
        show_error=False,
        max_file_size=settings.limits.largest_file_bytes + MOST_OVERHEAD,
        ssr_mode=False,
    )
    workbench.overrides.watch(fit_uploads)
    return mounted


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Prevent the import of a package unless it is already imported: the interface imports it for its own server, which
    is never started, and each start took half a second longer."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]
    try:
        yield
    finally:
        del sys.modules[package]


def _keep_interface_local(settings: Settings) -> None:
    from core.library.intake.uploads import upload_folder
    from core.store.private_files import keep_private

    keep_private(settings.folder)
    uploads = upload_folder(settings)
    uploads.mkdir(parents=True, exist_ok=True)
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_TEMP_DIR"] = str(uploads)
    os.environ["HF_HUB_OFFLINE"] = "1"


def main() -> int:
    """Does the same as ``palimpsest serve``, for users without the installed commands."""
    from command.main import main as run

    return run(["serve"])


if __name__ == "__main__":
    sys.exit(main())
