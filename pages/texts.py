"""The page's texts: reads them from the catalogue and returns them as JSON in every language, by the key that scripts
and markup use."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from core.messages.catalogue import Text, texts
from core.words import LANGUAGES

PART = "page."
"""Key prefix of the page's texts in the catalogue."""

_HEADERS = {"Cache-Control": "no-cache"}


def page_texts() -> dict[str, dict[str, Text]]:
    """Texts by language, then by key without ``page.``. All languages are sent, so that users can switch without a
    reload."""
    return {
        language: {key.removeprefix(PART): text for key, text in texts(language).items() if key.startswith(PART)}
        for language in LANGUAGES
    }


def text_routes() -> APIRouter:
    """Public routes, like those of the scripts that read the texts. Include these routes before the scripts are
    mounted."""
    router = APIRouter(prefix="/page")

    @router.get("/texts.json")
    async def page() -> JSONResponse:
        return JSONResponse(page_texts(), headers=_HEADERS)

    return router
