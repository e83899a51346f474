"""The two engines over real sockets, and what of their answers is let in."""

from __future__ import annotations

import pytest
from pydantic import SecretStr

from core.errors import PalimpsestError
from core.resilience.dependencies import CircuitBreaker, Dependency
from core.settings import Settings
from core.tools.build import build_web_search
from core.tools.perplexity import Perplexity
from core.tools.tavily import Tavily
from core.tools.web import LONGEST_TEXT, MOST_BYTES, WebEngine, WebSearch, is_public, plain
from tests.servers.local import LocalServer, Reply, json_reply, silence, text_reply

KEY = SecretStr("tvly-very-secret")
TAVILY = {
    "query": "q",
    "results": [{"title": "Rates", "url": "https://a.example.com/r", "content": "5 %", "score": 0.9}],
}
PERPLEXITY = {"results": [{"title": "Rates", "url": "https://a.example.com/r", "snippet": "5 %", "date": "2026-11-01"}]}


def search(engine: WebEngine | None, seconds: float = 5.0) -> WebSearch:
    return WebSearch(engine, Dependency("The web search", seconds, CircuitBreaker(3, 30.0)), 5)


@pytest.mark.parametrize(("engine", "answer", "date"), [(Tavily, TAVILY, ""), (Perplexity, PERPLEXITY, "2026-11-01")])
async def test_each_speaks_its_wire_format(engine: type[Tavily | Perplexity], answer: object, date: str) -> None:
    async with LocalServer(json_reply(answer)) as server:
        found = await search(engine(KEY, 5.0, server.url)).search(["interest rate"], "en")
    assert [(each.title, each.url, each.text, each.date) for each in found] == [
        ("Rates", "https://a.example.com/r", "5 %", date)
    ]
    request = server.requests[0]
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["authorization"] == f"Bearer {KEY.get_secret_value()}"
    assert (request.body["query"], request.body["max_results"]) == ("interest rate", 5)


@pytest.mark.parametrize("engine", [Tavily, Perplexity])
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
    engine: type[Tavily | Perplexity],
    replies: list[Reply],
    category: str,
    requests: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("core.models.endpoint.RATE_LIMIT_PAUSE", 0.0)
    patience = 0.2 if category == "timeout" else 5.0  # Who answers at all is waited for, on a busy machine too.
    async with LocalServer(replies) as server:
        with pytest.raises(PalimpsestError) as caught:
            await search(engine(KEY, patience, server.url)).search(["q"], "en")
    assert caught.value.problem.category == category
    assert KEY.get_secret_value() not in f"{caught.value} {caught.value.problem}"
    assert len(server.requests) == requests


async def test_a_rate_limit_is_tried_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.endpoint.RATE_LIMIT_PAUSE", 0.0)
    async with LocalServer([json_reply({}, 429), json_reply(TAVILY)]) as server:
        assert await search(Tavily(KEY, 5.0, server.url)).search(["q"], "en")


async def test_several_queries_take_turns_and_no_page_comes_twice() -> None:
    def result(name: str) -> dict[str, str]:
        return {"title": name, "url": f"https://{name}.example.com/", "content": name}

    def respond(request: object) -> Reply:
        names = {"one": ["a", "b", "c"], "two": ["d", "a", "e"]}[request.body["query"]]  # type: ignore[attr-defined]
        return json_reply({"results": [result(name) for name in names]})

    async with LocalServer(responder=respond) as server:
        found = await search(Tavily(KEY, 5.0, server.url)).search(["one", "two"], "en")
    assert [each.title for each in found] == ["a", "d", "b", "c", "e"]


async def test_one_failing_query_leaves_the_others() -> None:
    def respond(request: object) -> Reply:
        return json_reply(TAVILY) if request.body["query"] == "good" else json_reply({}, 401)  # type: ignore[attr-defined]

    async with LocalServer(responder=respond) as server:
        assert len(await search(Tavily(KEY, 5.0, server.url)).search(["bad", "good"], "en")) == 1


async def test_what_pages_say_is_let_in_as_bounded_plain_text() -> None:
    hostile = {
        "title": "<b>Rates</b><script>alert(1)</script>\x00",
        "url": "https://a.example.com/",
        "content": "<p onclick=x>5 %</p><img src=https://evil.example.com/p.png>" + "y" * 9_000,
    }
    inside = [{"title": "t", "url": url, "content": "x"} for url in PRIVATE]
    async with LocalServer(json_reply({"results": [hostile, *inside]})) as server:
        found = await search(Tavily(KEY, 5.0, server.url)).search(["q"], "en")
    assert len(found) == 1
    assert "<" not in found[0].title + found[0].text
    assert len(found[0].text) == LONGEST_TEXT


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


async def test_a_result_that_cannot_be_read_costs_no_other() -> None:
    results = [{"title": "no address"}, {"url": "https://b.example.com/", "content": None}, *TAVILY["results"]]
    async with LocalServer(json_reply({"results": results})) as server:
        assert [each.title for each in await search(Tavily(KEY, 5.0, server.url)).search(["q"], "en")] == ["Rates"]


async def test_three_queries_of_one_question_are_one_failure() -> None:
    async with LocalServer(json_reply({}, 503)) as server:
        asked = search(Tavily(KEY, 5.0, server.url))
        for _ in range(2):
            with pytest.raises(PalimpsestError) as caught:
                await asked.search(["a", "b", "c"], "en")
    assert caught.value.problem.category == "server"


async def test_an_answer_without_end_is_not_read() -> None:
    async with LocalServer(text_reply("[" + "1," * MOST_BYTES)) as server:
        with pytest.raises(PalimpsestError):
            await search(Tavily(KEY, 5.0, server.url)).search(["q"], "en")


@pytest.mark.parametrize("url", PRIVATE)
def test_private_addresses_are_no_results(url: str) -> None:
    assert not is_public(url)


def test_markup_and_control_characters_go() -> None:
    assert plain("a <i>b</i>\n\tc\u200b") == "a b c"
    assert plain("<p>&lt;img onerror=x&gt;A &amp; B</p>") == "A & B"
    assert plain("שלו\u200fם") == "שלום"


async def test_without_a_key_it_says_what_it_would_need() -> None:
    nobody = build_web_search(Settings(_env_file=None))
    assert not nobody.configured
    with pytest.raises(PalimpsestError) as caught:
        await nobody.search(["q"], "en")
    assert "TAVILY_API_KEY" in caught.value.problem.remedy.he


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"tavily_api_key": "t"}, "Tavily"),
        ({"perplexity_api_key": "p"}, "Perplexity"),
        ({"tavily_api_key": "t", "perplexity_api_key": "p"}, "Tavily"),
        ({"tavily_api_key": "t", "perplexity_api_key": "p", "web_provider": "perplexity"}, "Perplexity"),
    ],
)
def test_the_engine_follows_the_keys(given: dict[str, str], name: str) -> None:
    assert build_web_search(Settings(_env_file=None, **given)).name == name  # type: ignore[arg-type]
