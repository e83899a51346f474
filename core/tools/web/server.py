"""Offers the web tools whose API keys are set; reading a page needs no key."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from pydantic import BaseModel

from core.errors import PalimpsestError, fail
from core.settings import Settings
from core.tools.definition_files import definition_of
from core.tools.tool import Caller, FoundText, RunTool, Tool, ToolResult
from core.tools.web.fetching import PageReader
from core.tools.web.pages import LONGEST_TEXT, WebResult, admitted
from core.tools.web.perplexity import Perplexity
from core.tools.web.tavily import Depth, Tavily, Topic

LONGEST_EXTRACT = 12_000
LONGEST_ANSWER = 40_000
FIRST = 10
"""Added to the priority of the search engine that is chosen in the settings."""
WRITERS = {
    "perplexity_ask": "sonar-pro",
    "perplexity_research": "sonar-deep-research",
    "perplexity_reason": "sonar-reasoning-pro",
}
"""The Perplexity model that each tool uses."""

SEARCHING, WRITING = "web_search", "web_answer"
"""Two categories: tools that find pages, and tools that write answers from pages."""


class _Query(BaseModel):
    query: str
    topic: Topic = "general"
    days: int | None = None
    depth: Depth = "basic"
    max_results: int | None = None


class _Addresses(BaseModel):
    urls: list[str]
    depth: Depth = "basic"


class _Address(BaseModel):
    url: str


_Answer = Callable[[_Query, Caller], Awaitable[ToolResult]]


class WebServer:
    """The web tools. Search engines are set up at the start, with the keys known at that time."""

    name = "web"

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._tavily: Tavily | None = None
        self._perplexity: Perplexity | None = None
        self._tools: list[Tool] = []

    async def start(self) -> None:
        settings, seconds = self._settings, self._settings.deadlines.web
        if settings.tavily_api_key:
            self._tavily = Tavily(settings.tavily_api_key, seconds, settings.tavily_url)
        if settings.perplexity_api_key:
            self._perplexity = Perplexity(settings.perplexity_api_key, seconds, settings.perplexity_url)
        self._tools = [*self._of_tavily(), *self._of_perplexity(), _fetching(PageReader(settings, seconds))]

    async def stop(self) -> None:
        for engine in (self._tavily, self._perplexity):
            if engine is not None:
                await engine.close()

    def tools(self) -> Sequence[Tool]:
        return self._tools

    def _of_tavily(self) -> list[Tool]:
        tavily = self._tavily
        if tavily is None:
            return []

        async def search(asked: _Query, _: Caller) -> ToolResult:
            return _pages(await tavily.search(asked.query, self._most(asked), asked.topic, asked.days, asked.depth))

        async def extract(asked: _Addresses, _: Caller) -> ToolResult:
            return _pages(await tavily.extract(asked.urls, asked.depth), LONGEST_EXTRACT)

        return [self._search_tool("tavily", search), RunTool(definition_of("tavily_extract"), _Addresses, extract)]

    def _of_perplexity(self) -> list[Tool]:
        perplexity = self._perplexity
        if perplexity is None:
            return []

        async def search(asked: _Query, _: Caller) -> ToolResult:
            return _pages(await perplexity.search(asked.query, self._most(asked), asked.days))

        written = [_writing(perplexity, name, model) for name, model in WRITERS.items()]
        return [self._search_tool("perplexity", search), *written]

    def _search_tool(self, engine: str, run: _Answer) -> Tool:
        """A search tool; the settings say which engine comes first, the other one is its fallback."""
        definition = definition_of(f"{engine}_search")
        priority = definition.priority + (FIRST if self._settings.web_provider == engine else 0)
        return RunTool(definition.model_copy(update={"priority": min(priority, 100)}), _Query, run)

    def _most(self, asked: _Query) -> int:
        return asked.max_results or self._settings.web_results


def needs_key() -> PalimpsestError:
    """The error for a web search without a key."""
    return fail("validation", "tools.web.needs_key")


def _writing(perplexity: Perplexity, name: str, model: str) -> Tool:
    definition = definition_of(name)

    async def write(asked: _Query, _: Caller) -> ToolResult:
        answer = await perplexity.write(model, asked.query, asked.days)
        text = answer.text[:LONGEST_ANSWER]
        pages = _pages(answer.pages)
        said = [FoundText(title=f"{definition.title.en}: {asked.query}"[:200], text=text)] if text else []
        return ToolResult(text=text, found=bool(text), texts=[*said, *pages.texts])

    return RunTool(definition, _Query, write)


def _fetching(reader: PageReader) -> Tool:
    async def fetch(asked: _Address, _: Caller) -> ToolResult:
        page = await reader.read(asked.url)
        return ToolResult(text=page.text, texts=[page])

    return RunTool(definition_of("fetch"), _Address, fetch)


def _pages(results: Sequence[WebResult], longest: int = LONGEST_TEXT) -> ToolResult:
    """The accepted pages, as text for a model and as citable sources."""
    pages = admitted(results, longest)
    texts = [FoundText(title=each.title, text=each.text, url=each.url, date=each.date) for each in pages]
    told = "\n\n".join(
        f"{each.title} ({each.url}{', ' + each.date if each.date else ''})\n{each.text}" for each in pages
    )
    return ToolResult(text=told, found=bool(texts), texts=texts)
