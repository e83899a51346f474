"""Tests features: switched on the System tab for all users, without dead ends, and off automatically when they fail."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from core.errors import PalimpsestError
from core.messages import message
from core.operations.features import FAILURES, FEATURES, WITHIN
from core.resilience.dependencies import Observation
from core.setting_groups import Memory
from core.tools.execution import SentCall
from core.tools.tool import Caller
from pages.actions import Actions
from pages.auth import Caller as WhoCalls
from pages.auth import Identity
from pages.handlers import all_handlers
from pages.handlers.frame import Header
from pages.handlers.knowledge import Explorer
from pages.handlers.open_data import OpenDataDesk
from pages.handlers.operations import OperationsDesk
from pages.handlers.system import SystemPage
from tests.people import Named
from tests.service.calling import REQUEST
from tests.service.conftest import Open
from tests.service.house import POLICY, House
from tests.service.test_operations import Known

HOTEL = "What is the hotel limit in Oslo?"


class Desk:
    """``await desk("switch_feature", name="memory", on=False)`` as ada, an administrator."""

    def __init__(self, house: House, user: str = "ada") -> None:
        someone = Known(user)
        kinds = (OperationsDesk, SystemPage, Header, Explorer, OpenDataDesk)
        self.actions = Actions(someone, [kind(house.workbench, someone) for kind in kinds])  # type: ignore[arg-type]

    async def __call__(self, endpoint: str, **given: Any) -> Any:
        action = self.actions.endpoint(endpoint) or next(each for each in self.actions.all if each.name == endpoint)
        return await self.actions.perform(action, given, REQUEST)

    async def switch(self, name: str, *, on: bool) -> Any:
        told = await self("switch_feature", name=name, on=on)
        return next(each for each in told["features"] if each["name"] == name)


@pytest.fixture
def desk(house: House) -> Desk:
    return Desk(house)


@pytest.mark.parametrize("name", [name for name in FEATURES if name != "meaning"])
async def test_every_feature_goes_off_and_on_again(name: str, house: House, desk: Desk) -> None:
    before = next(each for each in (await desk("list_features"))["features"] if each["name"] == name)
    assert (await desk.switch(name, on=not before["on"]))["on"] is not before["on"]
    assert (await desk.switch(name, on=before["on"])) == before
    assert await house.workbench.overrides.stored() == {}


async def test_the_memory_goes_off_at_once_and_comes_back(house: House, desk: Desk) -> None:
    await house.read("policy.md", POLICY)
    await desk.switch("memory", on=False)
    silent = await house.ask(HOTEL)
    await house.workbench.memory.settle()
    assert await house.workbench.memory.answer("ada", silent.asked.message_id) is None
    assert "memory_bank_search" not in {each.name for each in house.workbench.tools.registry.available()}
    await desk.switch("memory", on=True)
    told = await house.ask(HOTEL)
    await house.workbench.memory.settle()
    assert await house.workbench.memory.answer("ada", told.asked.message_id)


async def test_the_graph_is_hidden_and_what_asks_for_it_is_told(house: House, desk: Desk) -> None:
    assert (await desk("health"))["hidden"] == []
    await desk.switch("knowledge", on=False)
    assert (await desk("health"))["hidden"] == ["knowledge"]
    with pytest.raises(PalimpsestError) as refused:
        await desk("knowledge_graph")
    assert refused.value.problem.what.en == "Knowledge graph is switched off."
    assert await desk("answer_graph", id="run_1") == {"nodes": [], "edges": []}


async def test_tools_of_what_is_off_are_not_there(house: House, desk: Desk) -> None:
    await desk.switch("open_data", on=False)
    with pytest.raises(PalimpsestError) as refused:
        await desk("search_open_data", query="trees")
    assert refused.value.problem.what == message("tools.datagov.switched_off.what")
    (called,) = await house.workbench.tools.run([SentCall("c", "datagov_search", {"query": "trees"})], Caller("ada"))
    assert called.problem is not None
    assert not any(each.server == "datagov" for each in (await house.workbench.tools.view("ada")).tools)


async def test_what_cannot_be_beside_another_setting_is_refused(open_house: Open) -> None:
    house = await open_house(memory=Memory(enforce_scoring=True))
    with pytest.raises(PalimpsestError) as refused:
        await Desk(house).switch("memory", on=False)
    assert refused.value.problem.what == message("settings.forbidden.scoring_without_memory.what")
    assert house.workbench.settings.memory.enabled


async def test_what_the_environment_fixes_stays(house: House, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_SYSTEM_ENABLED", "true")
    with pytest.raises(PalimpsestError):
        await desk.switch("memory", on=False)
    assert house.workbench.settings.memory.enabled


async def test_administrators_alone_switch(house: House) -> None:
    with pytest.raises(PalimpsestError):
        await Desk(house, "bob").switch("tone", on=False)


# -- no dead ends --------------------------------------------------------------------------------


class Pages:
    """``await pages("list_tools")``: every call that pages and clients may make, as ada, an administrator."""

    def __init__(self, house: House) -> None:
        self.house = house
        identity = Identity(house.workbench.settings, Named("ada", "bob"))
        self.actions = Actions(identity, all_handlers(house.workbench, identity))

    async def __call__(self, name: str, /, **given: Any) -> Any:
        caller = SimpleNamespace(caller=WhoCalls("ada", "session"))
        request = SimpleNamespace(cookies={}, headers={}, state=caller, client=SimpleNamespace(host="127.0.0.1"))
        action = next(each for each in self.actions.all if name in (each.doors.endpoint, each.name))
        return await self.actions.perform(action, given, request)  # type: ignore[arg-type]

    async def refuses(self, name: str, /, **given: Any) -> None:
        """Refuses with a message that it is switched off, and who can switch it on."""
        with pytest.raises(PalimpsestError) as refused:
            await self(name, **given)
        told = refused.value.problem
        assert re.search(r"switched (this )?off", f"{told.what.en} {told.why.en}"), told
        assert told.remedy.en
        assert told.remedy.he

    def tools_of(self, server: str) -> list[str]:
        return [each.name for each in self.house.workbench.tools.registry.available() if each.server == server]


async def memory_off(pages: Pages) -> None:
    assert await pages("memory_state") == {"enabled": False}
    assert not pages.tools_of("memory")


async def knowledge_off(pages: Pages) -> None:
    assert (await pages("health"))["hidden"] == ["knowledge"]
    for door, given in (("knowledge_graph", {}), ("charts", {}), ("find_names", {"name": "a"})):
        await pages.refuses(door, **given)
    assert await pages("answer_graph", id="run_1") == {"nodes": [], "edges": []}


async def meaning_off(pages: Pages) -> None:
    parts = {each["warning"]: each for each in (await pages("get_system"))["parts"]}
    assert "switched off" in parts["meaning_switched_off"]["what"]


async def web_off(pages: Pages) -> None:
    offered = (await pages("starters"))["web"]
    assert not offered["ready"]
    assert "switch it on" in offered["needs"]
    assert not pages.tools_of("web")


async def open_data_off(pages: Pages) -> None:
    assert not (await pages("open_data"))["enabled"]
    for door, given in (("search_open_data", {"query": "trees"}), ("build_open_data", {}), ("take_in_open_data", {})):
        await pages.refuses(door, **given)
    assert not pages.tools_of("datagov")


async def tool_servers_off(pages: Pages) -> None:
    listed = await pages("list_tool_servers")
    assert (listed["typed"], listed["off"]) == (False, True)
    await pages.refuses("add_tool_server", name="files", command="true")


async def sections_off(pages: Pages) -> None:
    document = await pages.house.read("policy.md", POLICY)
    assert "data-read-section" not in (await pages("document_detail", id=document.id))["html"]
    await pages.refuses("section", id=document.id)


async def ocr_off(pages: Pages) -> None:
    assert "ocr" not in {each["check"] for each in (await pages("doctor"))["findings"]}


LOOKED_AT = {
    "memory": memory_off,
    "knowledge": knowledge_off,
    "meaning": meaning_off,
    "web": web_off,
    "open_data": open_data_off,
    "tool_servers": tool_servers_off,
    "sections": sections_off,
    "ocr": ocr_off,
}
WITHOUT_A_DOOR = {
    "detection": "people are asked under each answer all the same",
    "promotion": "what is due is shown and moved by hand on System",
    "rerank": "the order of passages",
    "metadata": "what of a document stays open is corrected by hand",
    "prefix": "what stands before a passage when its vector is made",
    "reformulation": "how a follow-up is understood",
    "rating": "the order of passages",
    "tone": "how an answer is worded",
    "blending": "how an answer is put together",
    "debate": "what is written before an answer",
    "page_pictures": "what a model gets with a question",
}
"""These have no button, link, tab or endpoint: they only change answers and readings."""


def test_every_feature_is_looked_at_or_has_no_door() -> None:
    assert {*LOOKED_AT, *WITHOUT_A_DOOR} == set(FEATURES)
    assert not LOOKED_AT.keys() & WITHOUT_A_DOOR.keys()


@pytest.mark.parametrize("name", LOOKED_AT)
async def test_what_is_off_is_not_offered_and_its_doors_say_so(name: str, house: House) -> None:
    pages = Pages(house)
    await pages("switch_feature", name=name, on=False)
    await LOOKED_AT[name](pages)


def test_what_does_not_go_off_by_itself_is_told_with_a_reason() -> None:
    text = (Path(__file__).parents[2] / "docs" / "specification.md").read_text(encoding="utf-8")
    part = text.partition("\n## Features\n")[2].partition("\n## ")[0].partition("The other features are")[2]
    assert set(re.findall(r"`([a-z_]+)`", part)) == {name for name, each in FEATURES.items() if not each.calls}


# -- switched off automatically ------------------------------------------------------------------


def call(house: House, outcome: Any, times: int = 1) -> None:
    for _ in range(times):
        house.workbench.retrieval.metrics.observe(Observation("The cross-encoder", 1.0, outcome))


async def test_what_fails_again_and_again_goes_off_and_says_so_until_it_is_switched_on(
    open_house: Open, house: House, desk: Desk
) -> None:
    features = house.workbench.operations.features
    call(house, "error", FAILURES - 1)
    call(house, "refused")
    assert not features.notices()
    call(house, "timeout")
    await features.settle()
    assert not house.workbench.settings.rerank_enabled
    assert await warnings(desk) == {"feature_switched_off"}
    await house.workbench.stop()
    again = await open_house()
    desk = Desk(again)
    assert not again.workbench.settings.rerank_enabled
    assert await warnings(desk) == {"feature_switched_off"}
    row = await desk.switch("rerank", on=True)
    assert (row["on"], row["notice"]) == (True, None)
    assert await warnings(desk) == set()


async def warnings(desk: Desk) -> set[str]:
    """The feature warnings of both the health card and the doctor."""
    told = [{each["warning"] for each in (await desk("get_system"))["parts"]}]
    told += [{each["warning"] for each in (await desk("doctor"))["findings"]}]
    assert len({"feature_switched_off" in each for each in told}) == 1
    return told[0] & {"feature_switched_off"}


async def test_what_mostly_answers_stays_on(house: House) -> None:
    call(house, "ok", FAILURES + 1)
    call(house, "error", FAILURES)
    await house.workbench.operations.features.settle()
    assert house.workbench.settings.rerank_enabled


async def test_failures_of_long_ago_do_not_count(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    features, now = house.workbench.operations.features, [0.0]
    monkeypatch.setattr(features, "_clock", lambda: now[0])
    call(house, "error", FAILURES - 1)
    now[0] += WITHIN + 1
    call(house, "error")
    await features.settle()
    assert house.workbench.settings.rerank_enabled
