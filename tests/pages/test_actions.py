"""Tests the registry of actions: it is complete and documented, and users never see a raw error."""

from __future__ import annotations

import inspect
import logging
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from mcp_types import CallToolRequestParams, CallToolResult

from core.errors import fail, general_problem
from core.settings import Settings
from core.workbench import Workbench
from pages.actions import Action, Actions, Call, language_of
from pages.auth import Identity
from pages.build import TABS
from pages.gradio_doors import endpoints, functions
from pages.handlers import all_handlers
from pages.mcp.tools import Tools
from tests.people import Named

SECRET = "sqlite3: table users at /srv/home has no column named hash"


class UnheardError(Exception):
    """An error for which there is no message."""


@pytest.fixture(scope="module")
def workbench(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    return Workbench(Settings(_env_file=None, home=tmp_path_factory.mktemp("home")))


@pytest.fixture(scope="module")
def actions(workbench: Workbench) -> Actions:
    identity = Identity(workbench.settings, Named())
    return Actions(identity, all_handlers(workbench, identity))


def request(language: str = "") -> SimpleNamespace:
    return SimpleNamespace(cookies={}, headers={"accept-language": language})


async def one(call: Any) -> Any:
    """Returns an endpoint's last reply, whether it streams or not."""
    return [each async for each in call][-1] if inspect.isasyncgen(call) else await call


async def reached(actions: Actions, action: Action, language: str) -> Iterator[Any]:
    """The replies of every interface to ``action``, each called with only a language."""
    replies = []
    for tab in action.doors.tabs:
        door = next(each for each in functions(actions, tab) if each.__name__ == action.name)
        replies.append(await door({"ui": language}, request()))
    if action.doors.endpoint:
        endpoint = endpoints(actions)[action.doors.endpoint]
        taken = dict.fromkeys(each for each in inspect.signature(endpoint).parameters if each != "request")
        replies.append(await one(endpoint(**taken, request=request(language))))
    return iter(replies)


async def called(workbench: Workbench, actions: Actions, tool: str, language: str) -> str:
    """A tool's reply to a program that calls it without arguments."""
    about = SimpleNamespace(client_info=SimpleNamespace(name="a program"))
    session = SimpleNamespace(client_params=about, client_capabilities=None)
    context: Any = SimpleNamespace(request=request(language), session=session, protocol_version="2025-11-25")
    tools = Tools(workbench, actions, lambda _: request(language))
    result = await tools.call(context, CallToolRequestParams(name=tool))
    assert isinstance(result, CallToolResult)
    assert result.is_error
    return str(getattr(result.content[0], "text", ""))


def test_every_action_has_a_door_a_name_of_its_own_and_words(actions: Actions) -> None:
    assert len(actions.all) > 90
    assert all(each.doors.tabs or each.doors.endpoint or each.doors.tool for each in actions.all)
    assert {tab for each in actions.all for tab in each.doors.tabs} == {"frame", *TABS}
    by_tab = Counter((tab, each.name) for each in actions.all for tab in each.doors.tabs)
    by_endpoint = Counter(each.doors.endpoint for each in actions.all if each.doors.endpoint)
    by_tool = Counter(each.doors.tool.name for each in actions.all if each.doors.tool)
    assert max(*by_tab.values(), *by_endpoint.values(), *by_tool.values()) == 1
    for each in actions.all:
        assert each.handler.__doc__, each.name
        assert issubclass(each.request, Call)
        assert vars(each.request).get("__doc__"), each.request.__name__


async def test_no_door_lets_a_raw_error_through(
    workbench: Workbench, actions: Actions, caplog: pytest.LogCaptureFixture
) -> None:
    async def raising(user_id: str, call: Call) -> None:
        raise UnheardError(SECRET)

    async def streaming(user_id: str, call: Call) -> AsyncIterator[None]:
        raise UnheardError(SECRET)
        yield

    broken = [
        replace(each, handler=streaming if each.streams else raising, request=Call, doors=each.doors)
        for each in actions.all
    ]
    registry = Actions(actions._identity, [])
    registry.all = [replace(each, doors=replace(each.doors, parameters=None)) for each in broken]
    for each in registry.all:
        for language in ("en", "he"):
            caplog.clear()
            what, why, remedy = general_problem("unknown").to(language)
            for reply in await reached(registry, each, language):
                assert reply == {"problem": {"what": what, "why": why, "remedy": remedy}}, each.name
            if each.doors.tool:
                told = await called(workbench, registry, each.doors.tool.name, language)
                assert told == f"{what} {why} {remedy}", each.name
            assert SECRET in caplog.text
            assert any(record.levelno == logging.ERROR for record in caplog.records)


async def test_what_does_not_fit_is_refused_in_words(actions: Actions) -> None:
    endpoint = endpoints(actions)["get_memory_meta"]
    reply = await endpoint("no id at all", request=request("he-IL,he;q=0.9,en;q=0.8"))
    assert reply["problem"]["what"] == general_problem("validation").what.to("he")


async def test_who_is_signed_out_gets_nowhere(tmp_path: Path, workbench: Workbench, actions: Actions) -> None:
    guarded = Actions(Identity(Settings(_env_file=None, home=tmp_path), Named("ada")), [])
    guarded.all = actions.all
    expected = fail("auth", "pages.answers.signed_out").problem.what.en
    for each in guarded.all:
        for reply in await reached(guarded, each, "en"):
            assert reply["problem"]["what"] == expected, each.name
        if each.doors.tool:
            assert (await called(workbench, guarded, each.doors.tool.name, "en")).startswith(expected), each.name
    for tool in workbench.tools.for_programs():
        assert (await called(workbench, guarded, tool.name, "en")).startswith(expected), tool.name


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("", "en"),
        ("he", "he"),
        ("HE-il", "he"),
        ("fr, de;q=0.9", "en"),
        ("en;q=0.4, he;q=0.7", "he"),
        ("en, he", "en"),
        ("fr, he;q=0.5", "he"),
        ("he;q=nonsense, en;q=0.1", "en"),
    ],
)
def test_the_language_that_is_liked_best(header: str, language: str) -> None:
    assert language_of(request(header)) == language
    assert language_of(None) == "en"
