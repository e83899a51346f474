"""Tests that questions are counted: immediately in the Prometheus metrics, and by day and user also after a restart."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from pages.actions import Actions
from pages.handlers.system import SystemPage
from tests.service.calling import REQUEST, Someone
from tests.service.conftest import Open
from tests.service.house import POLICY, House


async def test_an_answer_is_counted_and_kept(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    answer = await house.ask("What is reimbursed for a hotel in Haifa?")
    counted = house.workbench.operations.counted
    figures = counted.since_start
    assert figures.of("outcomes")["answered"] == 1
    assert {"first_event", "first_token", "whole"} == set(figures.times_of("answer"))
    assert {"understanding", "searching", "generating", "extracting"} <= set(figures.times_of("stage"))
    assert figures.of("tier_hits")["books"] >= 1
    text = house.workbench.retrieval.metrics.prometheus()
    samples = [each for family in text_string_to_metric_families(text) for each in family.samples]
    whole = next(
        each.value
        for each in samples
        if each.name == "palimpsest_answer_seconds_count" and each.labels["until"] == "whole"
    )
    assert whole == 1
    asked_by = (await house.workbench.ledger.get("ada", answer.asked.run_id)).user_id
    await counted.keep()
    await counted.keep()
    assert counted.since_start.of("outcomes")["answered"] == 1
    await house.workbench.stop()
    again = await open_house()
    for user_id in (None, asked_by):
        [day] = await again.workbench.operations.counted.daily.last(7, user_id)
        assert day.figures.of("outcomes")["answered"] == 1
    assert await again.workbench.operations.counted.daily.last(7, "somebody else") == []


class Known(Someone):
    """A fake sign-in check, in which Ada is an administrator."""

    def is_administrator(self, user_id: str) -> bool:
        return user_id == "ada"


async def shown(house: House, user: str, endpoint: str, **given: Any) -> Any:
    someone = Known(user)
    actions = Actions(someone, [SystemPage(house.workbench, someone)])  # type: ignore[arg-type]
    action = actions.endpoint(endpoint)
    assert action
    return await actions.perform(action, given, REQUEST)


async def test_administrators_see_the_figures_of_all_and_people_their_own(house: House) -> None:
    for user in ("ada", "bob", "bob"):
        await house.ask("What is a zebra?", user)
    answered = {}
    for user in ("ada", "bob", "eve"):
        reply = await shown(house, user, "get_figures", days=7)
        assert len(reply["days"]) == 7
        answered[user] = (reply["of_everyone"], reply["days"][-1]["answered"])
    assert answered == {"ada": (True, 3), "bob": (False, 2), "eve": (False, 0)}
    steps = (await shown(house, "bob", "get_figures", days=7, ui="he"))["steps"]
    assert steps[0]["name"] == "understanding"
    assert steps[0]["count"] == 2


async def test_an_error_is_shown_with_its_run_to_its_person_and_without_its_question_to_administrators(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(*_: object, **__: object) -> None:
        logging.getLogger("core.graph").error("the store is away")
        raise RuntimeError("the store is away")

    monkeypatch.setattr("core.graph.turns.stream_turn", failing)
    await house.ask("What is a zebra?", "bob")
    monkeypatch.undo()
    [own] = (await shown(house, "bob", "list_errors"))["errors"]
    assert (own["mine"], own["asked"]) == (True, "What is a zebra?")
    assert own["conversation_id"]
    everybodys = await shown(house, "ada", "list_errors")
    [same] = everybodys["errors"]
    assert (same["run_id"], same["user_id"]) == (own["run_id"], "bob")
    assert (same["mine"], same["asked"], same["conversation_id"]) == (False, None, None)
    assert own["run_id"] in {each["run_id"] for each in everybodys["logged"]}
    assert await shown(house, "eve", "list_errors") == {"errors": [], "logged": None}


async def test_what_is_out_of_the_ordinary_is_a_finding_of_the_doctor(house: House) -> None:
    counted = house.workbench.operations.counted
    assert [each.warning for each in await house.workbench.operations.examine() if each.check == "figures"] == [None]
    for _ in range(10):
        counted.tool("Web & pages", "timeout", 5.0)
    counted.out_of_memory("process")
    await counted.keep_up()
    told = {each.warning: each.state for each in await house.workbench.operations.examine() if each.check == "figures"}
    assert told == {"tools_failing": "red", "out_of_memory": "amber"}
    [today] = await counted.daily.last(1, None)
    assert today.figures.of("tools") == {"web_pages": 10}
    assert today.bytes
