"""Scripts from installed packages, served from where they are installed: nothing comes from another host."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse

SCRIPTS = {
    "vis-network.js": ("pyvis", "templates/lib/vis-9.1.2/vis-network.min.js"),
    "plotly.js": ("plotly", "package_data/plotly.min.js"),
}
"""Name that a page requests → the package, and the file in it."""

_HEADERS = {"Cache-Control": "public, max-age=86400"}


def vendor_routes() -> APIRouter:
    """Public routes, like the pages' own scripts; include them before those are mounted."""
    router = APIRouter(prefix="/page/vendor")

    @router.get("/{name}")
    async def script(name: str) -> FileResponse:
        path = script_path(name)
        if path is None:
            raise HTTPException(404)
        return FileResponse(path, media_type="text/javascript", headers=_HEADERS)

    return router


def script_path(name: str) -> Path | None:
    """The installed path; ``None`` if it is not served or does not exist. The package is not imported."""
    if name not in SCRIPTS:
        return None
    package, inside = SCRIPTS[name]
    spec = find_spec(package)
    folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    path = Path(folder, inside) if folder else None
    return path if path and path.is_file() else None
