"""Serves scripts from the folders of installed packages, so that nothing comes from another host."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, HTTPException
from fastapi.responses import FileResponse

SCRIPTS = {
    "vis-network.js": ("pyvis", "templates/lib/vis-9.1.2/vis-network.min.js"),
    "plotly.js": ("plotly", "package_data/plotly.min.js"),
}
"""Maps the name that a page requests to the package, and to the file in it."""

_HEADERS = {"Cache-Control": "public, max-age=86400"}


def vendor_routes() -> APIRouter:
    """Public routes, like those of the pages' own scripts. Include these routes before the scripts are mounted."""
    router = APIRouter(prefix="/page/vendor")

    @router.get("/{name}")
    async def script(name: str) -> FileResponse:
        path = script_path(name)
        if path is None:
            raise HTTPException(404)
        return FileResponse(path, media_type="text/javascript", headers=_HEADERS)

    return router


def script_path(name: str) -> Path | None:
    """The path of an installed script; ``None`` if it is not served or does not exist. The package is not imported."""
    if name not in SCRIPTS:
        return None
    package, inside = SCRIPTS[name]
    spec = find_spec(package)
    folder = next(iter(spec.submodule_search_locations or ()), None) if spec else None
    path = Path(folder, inside) if folder else None
    return path if path and path.is_file() else None
