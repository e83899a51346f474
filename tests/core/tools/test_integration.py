"""Tests the requirements for every tool integration (docs/tools-checklist.md), for open data and for the web."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from pydantic import JsonValue

from benchmarks.tool_calls.servers import Engine, Portal
from core.graph.tools.toolbox import spec_of
from core.setting_groups import DataGov
from core.settings import Settings
from core.tools.arguments import normalise
from core.tools.datagov.index import index_of
from core.tools.datagov.map_files import MapFiles
from core.tools.datagov.records import ResourceMap
from core.tools.datagov.server import FOLDER, DatagovServer
from core.tools.definition_files import our_definitions
from core.tools.execution import SentCall
from core.tools.ranking import offered, rank
from core.tools.records import ToolOutcome
from core.tools.registry import RegisteredTool
from core.tools.tool import Caller
from core.tools.tools import Tools
from core.tools.web.server import WebServer
from tests.core.tools.made import tools_over
from tests.servers.ckan_catalogue import made_map
from tests.servers.local import json_reply

HE, EN = Caller("ada", "he"), Caller("ada", "en")


@dataclass(frozen=True)
class Integration:
    """One of the product's own tool servers. ``ask`` is the argument of its first tool; ``brings`` appears in the
    result for ``hebrew``."""

    server: str
    first: str
    ask: str
    hebrew: str
    brings: str
    english: str


OPEN_DATA = Integration(
    "datagov", "datagov_query", "question", "בתי חולים בירושלים", "בתי חולים", "open data on hospitals"
)
WEB = Integration("web", "tavily_search", "query", "חפש באינטרנט ריבית", "4.25", "search the web for the prime rate")


@dataclass
class There:
    tools: Tools
    portal: Portal
    tavily: Engine
    perplexity: Engine

    def fail(self, of: Integration, status: int) -> None:
        """From now on, the service behind the integration's first tool answers with this."""
        reply = json_reply({}, status)
        if of is WEB:
            self.tavily.fault = reply
        else:
            self.portal.fault, self.portal.whole = reply, False

    async def call(self, name: str, caller: Caller = HE, **arguments: JsonValue) -> ToolOutcome:
        return (await self.tools.run([SentCall("c", name, arguments)], caller))[0]

    def entries(self, of: Integration) -> Sequence[RegisteredTool]:
        return [each for each in self.tools.registry.available() if each.server == of.server]

    def first(self, of: Integration) -> RegisteredTool:
        found = self.tools.registry.find(of.first)
        assert found
        return found


@cache
def _few() -> ResourceMap:
    """A few data sets of the catalogue, including hospitals."""
    whole = made_map()
    few = [each for each in whole.datasets if "חולים" in each.title or each.id < "3"]
    return whole.model_copy(update={"datasets": few})


@pytest.fixture
async def there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> AsyncIterator[There]:
    monkeypatch.setattr("core.models.endpoint.RATE_LIMIT_PAUSE", 0.0)

    async def sleep(_: float) -> None:
        """Returns immediately, so that no test waits."""

    async with AsyncExitStack() as stack:
        tavily, perplexity = [await stack.enter_async_context(Engine()) for _ in range(2)]
        portal = await stack.enter_async_context(Portal())
        if request.node.callspec.params["of"] is OPEN_DATA:
            known = _few().model_copy(update={"address": portal.url, "built_at": time.time()})
            MapFiles(tmp_path / FOLDER).save(known, index_of(known))
        keys = {
            "tavily_api_key": "t",
            "tavily_url": tavily.url,
            "perplexity_api_key": "p",
            "perplexity_url": perplexity.url,
        }
        settings = Settings(_env_file=None, home=tmp_path, datagov=DataGov(url=portal.url), **keys)  # type: ignore[arg-type,call-arg]
        tools = tools_over(tmp_path)
        await tools.start([WebServer(settings), DatagovServer(settings, time.time, sleep)])
        stack.push_async_callback(tools.stop)
        yield There(tools, portal, tavily, perplexity)


both = pytest.mark.parametrize("of", [OPEN_DATA, WEB], ids=["datagov", "web"])


@both
async def test_the_server_starts_and_is_up(there: There, of: Integration) -> None:
    assert [each.state for each in there.tools.registry.servers if each.server.name == of.server] == ["up"]


@both
async def test_all_its_tools_are_listed(there: There, of: Integration) -> None:
    written = {name for name, each in our_definitions().items() if each.server == of.server}
    assert {each.name for each in there.entries(of)} == written
    assert len(written) >= 5


@both
async def test_what_cannot_be_called_says_what_is_lacking(there: There, of: Integration) -> None:
    outcome = await there.call(of.first, HE, **{of.ask: {"no": "text"}})
    assert outcome.problem
    assert outcome.problem.category == "validation"
    assert all(of.ask in outcome.problem.why.to(language) for language in ("en", "he"))


@both
async def test_hebrew_goes_there_and_comes_back(there: There, of: Integration) -> None:
    outcome = await there.call(of.first, HE, **{of.ask: of.hebrew})
    assert outcome.result
    assert of.brings in outcome.result.model_dump_json()
    asked = there.tavily.requests[0].body["query"] if of is WEB else outcome.arguments["question"]
    assert asked == of.hebrew


@both
@pytest.mark.parametrize("status", [401, 429, 500])
async def test_every_failure_has_one_form_in_both_languages(there: There, of: Integration, status: int) -> None:
    there.fail(of, status)
    there.perplexity.fault, there.portal.whole = json_reply({}, status), True
    there.portal.fault = json_reply({}, status)
    name = of.first if of is WEB else "datagov_dataset"
    argument = of.ask if of is WEB else "dataset"
    outcome = await there.call(name, HE, **{argument: of.hebrew})
    assert outcome.problem
    for language in ("en", "he"):
        what, why, remedy = outcome.problem.to(language)  # type: ignore[arg-type]
        assert what
        assert why
        assert remedy
        assert str(status) not in f"{what}{why}{remedy}"


@both
async def test_a_schema_is_made_of_every_definition(there: There, of: Integration) -> None:
    for each in there.entries(of):
        schema = spec_of(each).parameters
        assert schema["type"] == "object"
        named = schema["properties"]
        assert isinstance(named, dict)
        assert {parameter.name for parameter in each.definition.parameters} == set(named)
        assert all(isinstance(about, dict) and about.get("description") for about in named.values())


@both
async def test_every_other_name_of_an_argument_reaches_it(there: There, of: Integration) -> None:
    for each in there.entries(of):
        for parameter in each.definition.parameters:
            plain: JsonValue = {"a": "7"} if parameter.kind == "object" else "7"
            value = parameter.choices[0] if parameter.choices else plain
            for alias in parameter.aliases:
                done = normalise(each.definition, {alias: value})
                assert parameter.name in done.values, (each.name, alias)
                assert done.repaired


@both
async def test_it_is_asked_for_in_both_languages(there: There, of: Integration) -> None:
    hebrew = of.hebrew if of is WEB else "נתונים פתוחים על בתי חולים"
    for question in (hebrew, of.english):
        first = rank(there.tools.registry.available(), question)[0]
        assert (first.entry.name, first.asked) == (of.first, True), question


@both
async def test_it_falls_back_to_a_tool_that_is_there(there: There, of: Integration) -> None:
    fallbacks = there.first(of).definition.fallbacks
    assert fallbacks
    assert all(there.tools.registry.find(name) for name in fallbacks)


@both
async def test_it_is_offered_where_it_bears_and_not_elsewhere(there: There, of: Integration) -> None:
    entries = there.tools.registry.available()
    chosen = [each for each in offered(rank(entries, of.english)) if each.relevant]
    assert of.first in [each.entry.name for each in chosen]
    assert not [each for each in offered(rank(entries, "Who signed the lease?")) if each.relevant]


@both
async def test_a_call_succeeds_and_is_cited(there: There, of: Integration) -> None:
    outcome = await there.call(of.first, EN, **{of.ask: of.hebrew})
    assert outcome.result
    assert outcome.result.found
    assert outcome.result.tables or outcome.result.texts
    assert [run.result for run in outcome.runs] == ["ok"]


@both
async def test_a_failure_is_told_in_good_hebrew(there: There, of: Integration) -> None:
    there.fail(of, 403 if of is WEB else 500)
    there.portal.fault, there.portal.whole = json_reply({}, 500), True
    name, argument = (of.first, of.ask) if of is WEB else ("datagov_dataset", "dataset")
    outcome = await there.call(name, HE, **{argument: "x"})
    assert outcome.problem
    assert all("א" <= max(part) <= "ת" for part in (text.replace("“", "") for text in outcome.problem.to("he")))


@both
async def test_where_it_fails_another_tool_answers(there: There, of: Integration) -> None:
    there.fail(of, 503)
    outcome = await there.call(of.first, HE, **{of.ask: of.hebrew})
    assert outcome.result
    assert outcome.tool in there.first(of).definition.fallbacks
    assert [run.result for run in outcome.runs] == ["error", "ok"]
