"""Tests the Settings tab in a real browser with each provider's API format: a model is chosen, tried and used, and
fails."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.contract.providers.wire import WIRES, Wire, stream
from tests.interface.held_calls import CALLS, held, is_of
from tests.interface.test_model import ask, with_samples
from tests.servers.local import ABOUT_ITSELF, LocalServer, Reply, Request, hang_up, json_reply

pytestmark = pytest.mark.interface

QUESTION = "What is the limit for a hotel night in Israel under the 2025 travel policy?"
KEY = "sk-very-secret"
SPOKEN = {
    "Count from one": ("one, ", "two, ", "three"),
    "capital of France": ('{"city": ', '"Paris"}'),
    '\\"he\\"': ("הים כחול ", "ורחב."),
    "about the sea": ("The sea is ", "blue and wide."),
    "bare JSON": ('{"sufficient": true, "sentences": [], ', '"title": "Hotels"}'),
}
HALF = "Half of an answer"
ANSWER = ("A night in Israel is up to ", "ILS 560 [1].")
LISTS = {
    "compatible": {"data": [{"id": "qwen3:8b"}, {"id": "gemma3:4b"}]},
    "anthropic": {"data": [{"id": "claude-sonnet-4-5"}, {"id": "claude-haiku-4-5"}], "has_more": False},
    "mistral": {"data": [{"id": "mistral-large-latest", "capabilities": {"completion_chat": True}}]},
    "cohere": {"models": [{"name": "command-a-03-2025", "context_length": 256_000}]},
}
OPTIONS = {"compatible": "own", "anthropic": "anthropic", "mistral": "mistralai", "cohere": "cohere"}


def events(wire: Wire, parts: tuple[str, ...]) -> list[dict[str, object]]:
    """Returns the recorded events of the model's thinking, followed by ``parts`` instead of the recorded answer."""
    written = []
    for event in wire.recorded("thinking"):
        text = json.dumps(event)
        written += (
            [json.loads(text.replace('"Paris."', json.dumps(part))) for part in parts]
            if '"Paris."' in text
            else [event]
        )
    return written


class Model:
    """Replies in the format of ``wire``: first a tool call if tools are offered; half an answer if the question says
    "dies"."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.gone = False
        self.dies = False

    def respond(self, request: Request) -> Reply:
        if self.gone:
            return hang_up()
        if request.path.partition("?")[0] in ABOUT_ITSELF:
            return json_reply(LISTS[self.wire.provider])
        if request.path == "/api/ps":
            return json_reply({"models": []})
        if request.path == "/api/show":
            return json_reply({"parameters": "num_ctx 32768", "capabilities": ["completion", "tools"]})
        if request.method == "GET" or not request.body.get("messages"):
            return json_reply({}, 404)
        asked = json.dumps(request.body, ensure_ascii=False)
        first = json.dumps(request.body.get("system") or request.body["messages"][0]["content"], ensure_ascii=False)
        for words, parts in SPOKEN.items():
            if words in first:
                return stream(self.wire, events(self.wire, parts), "done")
        if request.body.get("tools") and '"role": "tool"' not in asked and "tool_result" not in asked:
            name = "get_weather" if "get_weather" in asked else "search_memory"
            called = json.dumps(self.wire.recorded("tools")).replace('"search_memory"', json.dumps(name))
            return stream(self.wire, json.loads(called), "done")
        if self.dies:
            told = events(self.wire, (HALF,))
            spoken = next(n for n, event in enumerate(told) if HALF in json.dumps(event))
            return stream(self.wire, told[: spoken + 1], "abort")
        return stream(self.wire, events(self.wire, ANSWER), "done")


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


@pytest.fixture(params=OPTIONS)
def provider(request: pytest.FixtureRequest) -> Iterator[tuple[str, str, Model]]:
    model = Model(WIRES[request.param])
    with LocalServer(responder=model.respond, describes_itself=True) as server:
        yield OPTIONS[request.param], server.url + (model.wire.root if request.param != "cohere" else ""), model


def settings_of(page: Page) -> Page:
    page.locator("[role=tab][data-tab=settings]").click()
    expect(page.locator(".pal-settings .cards[data-state=ready]")).to_be_visible()
    return page


def choose(page: Page, option: str, address: str) -> None:
    page.locator(f".pal-settings input[name=provider][value={option}]").check()
    page.locator(".pal-settings .models input[name=address]").fill(address)
    page.locator(".pal-settings .models input[name=address]").blur()
    expect(page.locator(".pal-settings .reach")).to_contain_text("127.0.0.1")
    page.locator(".pal-settings .models input[name=key]").fill(KEY)
    page.locator(".pal-settings input[name=answers]").fill("")
    page.locator(".pal-settings .models [data-do=list]").click()
    expect(page.locator(".pal-settings input[name=answers]")).not_to_have_value("")


def test_a_model_is_chosen_tried_asked_and_dies(provider, served, opened: Callable[..., Page], shoot) -> None:
    option, address, model = provider
    page = with_samples(opened(served.url))
    settings_of(page)
    choose(page, option, address)
    page.locator(".pal-settings .models [data-do=try]").click()
    expect(page.locator(".pal-settings .trial li.works")).to_have_count(6)
    page.locator(".pal-settings .models [data-do=use]").click()
    expect(page.locator(".pal-settings .models .now")).to_contain_text(
        page.locator(".pal-settings input[name=answers]").input_value()
    )
    expect(page.locator(".pal-settings .models input[name=key]")).to_have_value("")
    shoot(page, f"settings-{option}")

    page.locator("[role=tab][data-tab=chat]").click()
    ask(page, QUESTION)
    answer = page.locator(".answer:not(.live)").last
    expect(answer).to_contain_text("up to ILS 560")
    expect(answer.locator(".cite")).to_have_count(1)
    shoot(page, f"settings-{option}-answer")

    model.dies = True
    ask(page, "Tell me about hotels under the 2025 travel policy: what is the limit for a night?")
    died = page.locator(".answer:not(.live)").nth(1)
    expect(died.locator(".notice", has_text="quoted")).to_be_visible()
    expect(died).to_contain_text("560")
    begun = died.locator("details", has_text=HALF.strip())
    expect(begun).to_have_count(1)

    model.gone = True
    ask(page, QUESTION)
    quoted = page.locator(".answer:not(.live)").nth(2)
    expect(quoted.locator(".notice", has_text="quoted")).to_be_visible()
    expect(quoted).to_contain_text("560")
    shoot(page, f"settings-{option}-gone")


def test_where_questions_go_is_told_of_what_was_typed_last(served, opened: Callable[..., Page]) -> None:
    page = settings_of(opened(served.url))
    reach, address = page.locator(".pal-settings .reach"), page.locator(".pal-settings .models input[name=address]")
    with held(page, CALLS, function="destination") as kept:
        with page.expect_request(is_of("destination")):
            page.locator(".pal-settings input[name=provider][value=mistralai]").check()
        page.route(CALLS, lambda route: route.continue_())
        address.fill("http://127.0.0.1:9")
        address.blur()
        expect(reach).to_contain_text("127.0.0.1")
        with page.expect_response(lambda reply: is_of("destination")(reply.request)) as late:
            kept.pop().continue_()
        late.value.finished()
    page.evaluate(
        "() => fetch('/health').then((reply) => reply.text())"
    )  # By then, everything that was sent before has been read.
    expect(reach).to_contain_text("127.0.0.1")


def test_a_page_that_has_not_heard_of_the_change_asks_the_model_in_use(
    served, opened: Callable[..., Page], provider
) -> None:
    option, address, _ = provider
    asking = with_samples(opened(served.url))
    setting = settings_of(opened(served.url))
    choose(setting, option, address)
    setting.locator(".pal-settings .models [data-do=use]").click()
    expect(setting.locator(".pal-settings .models .now")).to_contain_text(
        setting.locator(".pal-settings input[name=answers]").input_value()
    )

    ask(asking, QUESTION)

    expect(asking.locator(".answer:not(.live)").last).to_contain_text("up to ILS 560")
