"""The page's own words: the catalogue → a JSON of every language, by the key that scripts and markup name."""

from __future__ import annotations

from fastapi import APIRouter
from fastapi.responses import JSONResponse

from core.messages.catalogue import Text, texts
from core.words import LANGUAGES

PART = "page."
"""What stands above a text of the page in the catalogue."""

_HEADERS = {"Cache-Control": "no-cache"}


def page_texts() -> dict[str, dict[str, Text]]:
    """By language, then by key without ``page.``; all at once, since a reader changes language without a reload."""
    return {
        language: {key.removeprefix(PART): text for key, text in texts(language).items() if key.startswith(PART)}
        for language in LANGUAGES
    }


def text_routes() -> APIRouter:
    """Open like the scripts that read it; include it before they are mounted."""
    router = APIRouter(prefix="/page")

    @router.get("/texts.json")
    async def page() -> JSONResponse:
        return JSONResponse(page_texts(), headers=_HEADERS)

    return router
