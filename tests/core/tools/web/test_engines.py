"""Tests the two search engines over real sockets, and which parts of their replies are accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import JsonValue

from core.messages import message
from core.settings import Settings
from core.tools.execution import SentCall
from core.tools.records import ToolOutcome
from core.tools.tools import Tools
from core.tools.web.pages import LONGEST_TEXT, MOST_BYTES, is_public, plain, recency
from core.tools.web.server import WebServer, needs_key
from tests.core.tools.made import ADA, tools_over
from tests.servers.local import LocalServer, Reply, json_reply, silence, text_reply

KEY = "tvly-very-secret"
TAVILY = {
    "query": "q",
    "results": [{"title": "Rates", "url": "https://a.example.com/r", "content": "5 %", "score": 0.9}],
}
PERPLEXITY = {"results": [{"title": "Rates", "url": "https://a.example.com/r", "snippet": "5 %", "date": "2026-11-01"}]}


async def web(folder: Path, engine: str, url: str, seconds: float = 5.0, **given: object) -> Tools:
    """Web access with one engine at ``url``."""
    tools = tools_over(folder)
    keys = {f"{engine}_api_key": KEY, f"{engine}_url": url}
    settings = Settings(_env_file=None, home=folder, **keys, **given)  # type: ignore[arg-type,call-arg]
    settings.deadlines.web = seconds
    await tools.start([WebServer(settings)])
    return tools


async def search(tools: Tools, engine: str, *queries: str, **arguments: JsonValue) -> list[ToolOutcome]:
    calls = [SentCall(f"c{n}", f"{engine}_search", {"query": q, **arguments}) for n, q in enumerate(queries)]
    return await tools.run(calls, ADA)


@pytest.mark.parametrize(
    ("engine", "answer", "date"), [("tavily", TAVILY, ""), ("perplexity", PERPLEXITY, "2026-11-01")]
)
async def test_each_speaks_its_wire_format(tmp_path: Path, engine: str, answer: object, date: str) -> None:
    async with LocalServer(json_reply(answer)) as server:
        tools = await web(tmp_path, engine, server.url)
        (outcome,) = await search(tools, engine, "interest rate", max_results=5)
    assert outcome.result is not None
    assert [(each.title, each.url, each.text, each.date) for each in outcome.result.texts] == [
        ("Rates", "https://a.example.com/r", "5 %", date)
    ]
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert (request.body["query"], request.body["max_results"]) == ("interest rate", 5)
    assert request.body.get("search_depth") == ("basic" if engine == "tavily" else None)


@pytest.mark.parametrize(
    ("engine", "arguments", "sent"),
    [
        ("tavily", {"topic": "news", "days": 3}, {"topic": "news", "days": 3}),
        (
            "tavily",
            {"days": 3, "depth": "advanced"},
            {"topic": "general", "time_range": "week", "search_depth": "advanced"},
        ),
        ("perplexity", {"topic": "news", "days": 1}, {"search_recency_filter": "day"}),
        ("perplexity", {"days": 30}, {"search_recency_filter": "month"}),
    ],
)
async def test_topic_days_and_depth_reach_the_engine(
    tmp_path: Path, engine: str, arguments: dict[str, JsonValue], sent: dict[str, JsonValue]
) -> None:
    async with LocalServer(json_reply({"results": []})) as server:
        tools = await web(tmp_path, engine, server.url)
        (outcome,) = await search(tools, engine, "rates", **arguments)
    assert outcome.result is not None
    assert not outcome.result.found
    body = server.requests[0].body
    assert {name: body[name] for name in sent} == sent
    assert ("days" in body) == (engine == "tavily" and arguments.get("topic") == "news")


def test_days_are_told_as_engines_know_them() -> None:
    assert [recency(days) for days in (None, 1, 2, 7, 31, 32, 366, 400)] == [
        None, "day", "week", "week", "month", "year", "year", None,
    ]  # fmt: skip


@pytest.mark.parametrize("engine", ["tavily", "perplexity"])
@pytest.mark.parametrize(
    ("replies", "category", "requests"),
    [
        ([json_reply({"error": "no"}, 401)], "auth", 1),
        ([json_reply({"error": "slow down"}, 429)], "rate_limit", 2),
        ([json_reply({"error": "down"}, 503)], "server", 2),
        ([text_reply("<html>proxy</html>")], "server", 2),
        ([json_reply({"results": "none"})], "server", 1),
        ([json_reply(["not", "an", "object"])], "server", 1),
        ([silence()], "timeout", 2),
    ],
)
async def test_what_goes_wrong_is_told_in_its_category(
    engine: str,
    replies: list[Reply],
    category: str,
    requests: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.models.endpoint.RATE_LIMIT_PAUSE", 0.0)
    patience = (
        1.0 if category == "timeout" else 5.0
    )  # Seconds that are enough for a request to arrive, also on a busy machine.
    async with LocalServer(replies) as server:
        (outcome,) = await search(await web(tmp_path, engine, server.url, patience), engine, "q")
    assert outcome.problem is not None
    assert outcome.problem.category == category
    assert KEY not in f"{outcome}"
    assert len(server.requests) == requests


async def test_a_rate_limit_is_tried_once_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.endpoint.RATE_LIMIT_PAUSE", 0.0)
    async with LocalServer([json_reply({}, 429), json_reply(TAVILY)]) as server:
        (outcome,) = await search(await web(tmp_path, "tavily", server.url), "tavily", "q")
    assert outcome.result is not None


async def test_one_failing_query_leaves_the_others(tmp_path: Path) -> None:
    def respond(request: object) -> Reply:
        return json_reply(TAVILY) if request.body["query"] == "good" else json_reply({}, 401)  # type: ignore[attr-defined]

    async with LocalServer(responder=respond) as server:
        outcomes = await search(await web(tmp_path, "tavily", server.url), "tavily", "bad", "good")
    assert [bool(each.result) for each in outcomes] == [False, True]


async def test_what_pages_say_is_let_in_as_bounded_plain_text(tmp_path: Path) -> None:
    hostile = {
        "title": "<b>Rates</b><script>alert(1)</script>\x00",
        "url": "https://a.example.com/",
        "content": "<p onclick=x>5 %</p><img src=https://evil.example.com/p.png>" + "y" * 9_000,
    }
    inside = [{"title": "t", "url": url, "content": "x"} for url in PRIVATE]
    async with LocalServer(json_reply({"results": [hostile, *inside, hostile]})) as server:
        (outcome,) = await search(await web(tmp_path, "tavily", server.url), "tavily", "q")
    assert outcome.result is not None
    (found,) = outcome.result.texts
    assert "<" not in found.title + found.text
    assert len(found.text) == LONGEST_TEXT


PRIVATE = (
    "http://127.0.0.1/",
    "http://localhost:8080/",
    "http://10.0.0.7/x",
    "http://[::1]/",
    "http://169.254.169.254/latest",
    "http://printer.local/",
    "https://user:word@a.example.com/",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "https://intranet/",
    "not an address",
    "http://127.1/",
    "http://0177.0.0.1/",
    "http://0x7f.0.0.1/",
    "http://127.0.0.1./",
    "http://localhost./",
    "http://printer.local./",
    "http://router.lan/",
    "http://nas.home.arpa/",
    "http://１２７.0.0.1/",
    "http://224.0.0.1/",
    "http://127.0.0.1\\.example.com/",
)


@pytest.mark.parametrize(
    "url", ["https://www.boi.org.il/", "http://93.184.216.34/a?b=c", "https://he.wikipedia.org/wiki/ריבית"]
)
def test_addresses_of_the_web_are(url: str) -> None:
    assert is_public(url)


async def test_a_result_that_cannot_be_read_costs_no_other(tmp_path: Path) -> None:
    results = [{"title": "no address"}, {"url": "https://b.example.com/", "content": None}, *TAVILY["results"]]
    async with LocalServer(json_reply({"results": results})) as server:
        (outcome,) = await search(await web(tmp_path, "tavily", server.url), "tavily", "q")
    assert outcome.result is not None
    assert [each.title for each in outcome.result.texts] == ["Rates"]


async def test_three_queries_of_one_question_are_one_failure(tmp_path: Path) -> None:
    async with LocalServer(json_reply({}, 503)) as server:
        tools = await web(tmp_path, "tavily", server.url)
        for _ in range(2):
            outcomes = await search(tools, "tavily", "a", "b", "c")
            assert {each.problem.category for each in outcomes if each.problem} == {"server"}


async def test_an_answer_without_end_is_not_read(tmp_path: Path) -> None:
    async with LocalServer(text_reply("[" + "1," * MOST_BYTES)) as server:
        (outcome,) = await search(await web(tmp_path, "tavily", server.url), "tavily", "q")
    assert outcome.problem is not None


@pytest.mark.parametrize("url", PRIVATE)
def test_private_addresses_are_no_results(url: str) -> None:
    assert not is_public(url)


def test_markup_and_control_characters_go() -> None:
    assert plain("a <i>b</i>\n\tc\u200b") == "a b c"
    assert plain("<p>&lt;img onerror=x&gt;A &amp; B</p>") == "A & B"
    assert plain("שלו\u200fם") == "שלום"


async def test_without_a_key_there_is_no_search_and_it_says_what_that_would_need(tmp_path: Path) -> None:
    tools = tools_over(tmp_path)
    await tools.start([WebServer(Settings(_env_file=None, home=tmp_path))])  # type: ignore[call-arg]
    assert not tools.searches_web
    assert [each.name for each in tools.registry.all()] == ["fetch"]
    assert "System page" in needs_key().problem.remedy.to("en")
    assert "TAVILY_API_KEY" in message("operations.features.web.hides").to("he")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"tavily_api_key": "t"}, "tavily_search"),
        ({"perplexity_api_key": "p"}, "perplexity_search"),
        ({"tavily_api_key": "t", "perplexity_api_key": "p"}, "tavily_search"),
        ({"tavily_api_key": "t", "perplexity_api_key": "p", "web_provider": "perplexity"}, "perplexity_search"),
    ],
)
async def test_the_engine_follows_the_keys(tmp_path: Path, given: dict[str, str], name: str) -> None:
    tools = tools_over(tmp_path)
    await tools.start([WebServer(Settings(_env_file=None, home=tmp_path, **given))])  # type: ignore[arg-type,call-arg]
    assert tools.searches_web
    assert tools.rank("rates", among=("web_search",))[0].entry.name == name


async def test_where_one_engine_fails_the_other_stands_in(tmp_path: Path) -> None:
    async with LocalServer(json_reply({}, 503)) as one, LocalServer(json_reply(PERPLEXITY)) as other:
        further = {"perplexity_api_key": "p", "perplexity_url": other.url}
        (outcome,) = await search(await web(tmp_path, "tavily", one.url, **further), "tavily", "rates")
    assert outcome.tool == "perplexity_search"
    assert other.requests[0].body["query"] == "rates"


WRITTEN = {
    "choices": [{"message": {"content": "<think>hm [1]</think>The rate is 4.25 percent[1][2]."}}],
    "search_results": [{"title": "Bank", "url": "https://a.example.com/", "date": "2026-11-01", "snippet": "4.25 %"}],
}


@pytest.mark.parametrize(
    ("tool", "model"),
    [
        ("perplexity_ask", "sonar-pro"),
        ("perplexity_research", "sonar-deep-research"),
        ("perplexity_reason", "sonar-reasoning-pro"),
    ],
)
async def test_a_written_answer_comes_with_its_pages_and_without_its_thinking(
    tmp_path: Path, tool: str, model: str
) -> None:
    async with LocalServer(json_reply(WRITTEN)) as server:
        tools = await web(tmp_path, "perplexity", server.url)
        (outcome,) = await tools.run([SentCall("c", tool, {"messages": [{"role": "user", "content": "rate?"}]})], ADA)
    assert outcome.result is not None
    assert [(each.text, each.url) for each in outcome.result.texts] == [
        ("The rate is 4.25 percent.", None),
        ("4.25 %", "https://a.example.com/"),
    ]
    body = server.requests[0].body
    assert (body["model"], body["messages"]) == (model, [{"role": "user", "content": "rate?"}])


async def test_an_answer_that_holds_none_is_a_failure_of_the_service(tmp_path: Path) -> None:
    async with LocalServer(json_reply({"choices": []})) as server:
        tools = await web(tmp_path, "perplexity", server.url)
        (outcome,) = await tools.run([SentCall("c", "perplexity_ask", {"query": "rate?"})], ADA)
    assert outcome.problem is not None
    assert outcome.problem.category == "server"


async def test_texts_of_several_pages_are_extracted(tmp_path: Path) -> None:
    answer = {"results": [{"url": "https://a.example.com/", "raw_content": "The rate. " * 900}], "failed_results": []}
    async with LocalServer(json_reply(answer)) as server:
        tools = await web(tmp_path, "tavily", server.url)
        sent = {"links": "https://a.example.com/, https://b.example.com/"}
        (outcome,) = await tools.run([SentCall("c", "tavily_extract", sent)], ADA)
    assert outcome.result is not None
    assert len(outcome.result.texts[0].text) > LONGEST_TEXT
    assert server.requests[0].body["urls"] == ["https://a.example.com/", "https://b.example.com/"]
