"""Calls Tavily's API: ``POST /search`` and ``POST /extract``, with a bearer key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, JsonValue, SecretStr

from core.messages import message
from core.models.endpoint import Endpoint
from core.tools.web.pages import MOST_BYTES, WebResult, recency, results_of

Topic = Literal["general", "news"]
Depth = Literal["basic", "advanced"]


class _Result(BaseModel):
    title: str | None = None
    url: str
    content: str | None = None
    published_date: str | None = None


class _Extracted(BaseModel):
    url: str
    raw_content: str | None = None


class Tavily:
    """The API's client. ``seconds`` limits one attempt; a rate limit, a timeout or a lost
    connection is retried once."""

    name = "Tavily"

    def __init__(self, key: SecretStr, seconds: float, address: str) -> None:
        self._endpoint = Endpoint(message("tools.tavily.init"), address, key, seconds, most_bytes=MOST_BYTES)

    async def search(
        self, query: str, most: int, topic: Topic = "general", days: int | None = None, depth: Depth = "basic"
    ) -> list[WebResult]:
        """Search the web. ``days``: a page's maximum age. Raises ``PalimpsestError`` in the failure's category."""
        body: dict[str, JsonValue] = {"query": query, "max_results": most, "search_depth": depth, "topic": topic}
        if days is not None and topic == "news":
            body["days"] = days
        elif (span := recency(days)) is not None:
            body["time_range"] = span
        body |= {"include_answer": False, "include_images": False}
        found = await results_of(self._endpoint, "/search", body, _Result)
        return [
            WebResult(title=each.title or "", url=each.url, text=each.content or "", date=each.published_date or "")
            for each in found
        ]

    async def extract(self, urls: Sequence[str], depth: Depth = "basic") -> list[WebResult]:
        """Texts of the pages that could be read. Raises the same errors as :meth:`search`."""
        body: dict[str, JsonValue] = {"urls": list(urls), "extract_depth": depth, "format": "text"}
        found = await results_of(self._endpoint, "/extract", body, _Extracted)
        return [WebResult(title="", url=each.url, text=each.raw_content or "") for each in found]

    async def close(self) -> None:
        await self._endpoint.close()
