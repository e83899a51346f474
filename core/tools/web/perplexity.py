"""Calls Perplexity's API with a bearer key: ``POST /search`` finds pages, ``POST /chat/completions`` writes answers."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pydantic import BaseModel, JsonValue, SecretStr, ValidationError

from core.messages import message
from core.models.endpoint import Endpoint
from core.models.think import split_thinking
from core.tools.web.pages import MOST_BYTES, WebResult, read_results, recency, results_of

PATIENCE = 300.0
"""Maximum seconds for a written answer; each tool has its own shorter limit."""
_CITATION = re.compile(r"\s?\[\d{1,3}\]")


class _Result(BaseModel):
    title: str | None = None
    url: str
    snippet: str | None = None
    date: str | None = None
    last_updated: str | None = None


class _Message(BaseModel):
    content: str


class _Choice(BaseModel):
    message: _Message


class _Completion(BaseModel):
    choices: list[_Choice]
    search_results: list[JsonValue] | None = None


@dataclass(frozen=True)
class WrittenAnswer:
    """The service's answer text, without its reasoning and its source numbers, and the pages it cites."""

    text: str
    pages: list[WebResult]


class Perplexity:
    """The API's client. ``seconds`` limits one attempt; a rate limit, a timeout or a lost
    connection is retried once."""

    name = "Perplexity"

    def __init__(self, key: SecretStr, seconds: float, address: str) -> None:
        service = message("tools.perplexity.init")
        self._searching = Endpoint(service, address, key, seconds, most_bytes=MOST_BYTES)
        self._writing = Endpoint(service, address, key, PATIENCE, retries=0, most_bytes=MOST_BYTES)

    async def search(self, query: str, most: int, days: int | None = None) -> list[WebResult]:
        """Search the web. ``days``: a page's maximum age. Raises ``PalimpsestError`` in the failure's category."""
        body: dict[str, JsonValue] = {"query": query, "max_results": most, **_recent(days)}
        return _pages(await results_of(self._searching, "/search", body, _Result))

    async def write(self, model: str, query: str, days: int | None = None) -> WrittenAnswer:
        """The answer that ``model`` writes to ``query`` from the web. Raises the same errors as :meth:`search`."""
        body: dict[str, JsonValue] = {"model": model, "messages": [{"role": "user", "content": query}]}
        answered = await self._writing.post("/chat/completions", {**body, **_recent(days)})
        try:
            completion = _Completion.model_validate(answered)
            pages = _pages(read_results({"results": completion.search_results or []}, _Result))
            said = completion.choices[0].message.content
        except (ValidationError, IndexError) as error:
            raise self._writing.failed("server", "unreadable") from error
        return WrittenAnswer(_CITATION.sub("", split_thinking(said)[0]).strip(), pages)

    async def close(self) -> None:
        await self._searching.close()
        await self._writing.close()


def _recent(days: int | None) -> dict[str, JsonValue]:
    span = recency(days)
    return {} if span is None else {"search_recency_filter": span}


def _pages(found: list[_Result]) -> list[WebResult]:
    return [
        WebResult(
            title=each.title or "", url=each.url, text=each.snippet or "", date=each.date or each.last_updated or ""
        )
        for each in found
    ]
