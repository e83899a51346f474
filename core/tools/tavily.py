"""Tavily's search API: ``POST /search``, key as bearer."""

from __future__ import annotations

from pydantic import BaseModel, JsonValue, SecretStr

from core.messages import message
from core.models.endpoint import Endpoint
from core.tools.web import MOST_BYTES, WebResult, read_results
from core.words import Language

ADDRESS = "https://api.tavily.com"


class _Result(BaseModel):
    title: str | None = None
    url: str
    content: str | None = None
    published_date: str | None = None


class Tavily:
    """``seconds`` bound one attempt; a rate limit, a time-out or a lost connection is tried once more."""

    name = "Tavily"

    def __init__(self, key: SecretStr, seconds: float, address: str = ADDRESS) -> None:
        self._endpoint = Endpoint(
            message("tools.tavily.init"),
            address,
            key,
            seconds,
            most_bytes=MOST_BYTES,
        )

    async def search(self, query: str, language: Language, most: int) -> list[WebResult]:
        """Raises ``PalimpsestError`` in the category of what went wrong."""
        body: dict[str, JsonValue] = {"query": query, "max_results": most, "search_depth": "basic", "topic": "general"}
        answered = await self._endpoint.post("/search", {**body, "include_answer": False, "include_images": False})
        try:
            found = read_results(answered, _Result)
        except ValueError as error:
            raise self._endpoint.failed("server", "unreadable") from error
        return [
            WebResult(title=each.title or "", url=each.url, text=each.content or "", date=each.published_date or "")
            for each in found
        ]

    async def close(self) -> None:
        await self._endpoint.close()
