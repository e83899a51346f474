"""Tests the memory's guarantees through its facade class, on a workbench without pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import PalimpsestError
from core.graph.tools.toolbox import Toolbox
from core.ids import new_id
from core.memory.items.records import ActionTaken, NewMemory, PromotionReport, ToolRun
from core.memory.memory import Memory
from core.memory.outcomes.scoring import quality
from core.memory.recall.records import MemoryQuery
from core.memory.recall.turn import Turn
from core.memory.tools import BankArguments, InsightsArguments, MemoryTools, ResponseArguments, SearchArguments
from core.models.stream import ToolCall
from core.runs.shared_round import EVERYONE
from core.setting_groups import Memory as Constants
from core.tools.memory_server import MemoryServer
from core.tools.tool import Caller
from tests.core.tools.made import tools_over
from tests.service.conftest import Open
from tests.service.house import House, until


@pytest.fixture
def memory(house: House) -> Memory:
    return house.workbench.memory


def exchange(question: str, answer: str, **more: object) -> NewMemory:
    return NewMemory(
        tier="working",
        kind="exchange",
        text=f"User: {question}\nAssistant: {answer}",
        question=question,
        answer=answer,
        **more,  # type: ignore[arg-type]
    )


def fact(text: str, **more: object) -> NewMemory:
    given = {"tags": ["preference"], "quality": quality(0.8, 0.9), "summary": text, **more}
    return NewMemory(tier="memory_bank", text=text, **given)  # type: ignore[arg-type]


async def everyone_had_a_turn(house: House) -> None:
    """Waits until promotion has run for every user after the start."""

    async def over() -> bool:
        return (await house.workbench.retrieval.last_done.read()).promotion is not None

    await until(over)


async def texts(memory: Memory, text: str, user: str = "ada", **more: object) -> list[str]:
    query = MemoryQuery(user, text, sort_by="relevance", **more)  # type: ignore[arg-type]
    return [hit.text for hit in (await memory.search(query)).hits]


async def answered(memory: Memory, ids: list[str], question: str, user: str = "ada", conversation: str = "") -> str:
    turn = Turn(user, new_id("msg"), question, conversation or None)
    query = MemoryQuery(user, question, sort_by="relevance")
    found = await memory.search(query)
    turn.shown([(hit.memory_id, hit.tier) for hit in found.hits])
    turn.actions.append(ActionTaken(name="inquire", tier="working"))
    await memory.remember_answer(memory.record_of(turn, used=ids))
    return turn.answer_id


async def test_what_is_stored_is_found_at_once_and_explained(memory: Memory) -> None:
    stored = await memory.store("ada", exchange("How do I reset the pump?", "Hold the red lever for ten seconds."))
    result = await memory.search(MemoryQuery("ada", "reset the pump"))
    [hit] = result.hits
    assert hit.memory_id == stored.id
    assert hit.position == 1
    assert hit.text == stored.text
    assert hit.citation.message_id == stored.source.message_id
    assert hit.parts.lexical_rank == 1
    assert hit.parts.final == pytest.approx(hit.parts.weighed * hit.parts.authority)
    assert set(result.plan) == {"working", "history", "patterns", "books", "memory_bank"}


async def test_working_memory_is_seen_from_every_conversation(memory: Memory) -> None:
    await memory.store("ada", exchange("Which valve leaks?", "Valve seven.", conversation_id=new_id("conv")))
    assert await texts(memory, "leaking valve", tiers=["history"]) != []


async def test_a_failure_sinks_a_memory_for_its_question_and_says_why(memory: Memory) -> None:
    bad = await memory.store("ada", exchange("How do I reset the pump?", "Reset the pump by hitting the pump."))
    good = await memory.store("ada", exchange("How do I restart the pump?", "Hold the red lever."))
    question = "How do I reset the pump?"
    assert (await texts(memory, question))[0] == bad.text
    effect = await memory.record_outcome("ada", await answered(memory, [bad.id], question), "failed")
    for _ in range(3):
        await memory.record_outcome("ada", await answered(memory, [good.id], question), "worked")
    await memory.settle()
    assert (await texts(memory, question))[0] == good.text
    assert [(each.memory_id, each.after) for each in effect.moved] == [(bad.id, 0.2)]
    restart = await memory.get_context_insights("ada", "How do I restart the pump with the lever?")
    assert [each.memory_id for each in restart.experience] == [good.id]
    insights = await memory.get_context_insights("ada", question)
    assert [each.question for each in insights.failures] == [question]
    assert insights.recommendations[0].tier == "working"


async def test_what_answers_were_about_is_told_in_whole_words(memory: Memory) -> None:
    """Subjects of answers are stored as stems that are not real words ("polici"), but shown as whole words."""
    question = "Which policies bind the agencies?"
    stored = await memory.store("ada", exchange(question, "The policies of the valley bind all agencies."))
    for _ in range(3):
        await memory.record_outcome("ada", await answered(memory, [stored.id], question), "worked")
    await memory.settle()
    block = (await memory.prefetch_context("ada", question)).block
    shown = {node.label for node in (await memory.knowledge.graph("ada", top=200)).nodes}
    assert "For policies, bind, agencies, search working first" in block
    assert {"policies", "agencies"} <= shown
    assert {"polici", "agenc", "agenci"}.isdisjoint({*shown, *block.replace(",", " ").split()})


async def test_three_times_worked_is_promoted(memory: Memory) -> None:
    stored = await memory.store("ada", exchange("Which form?", "Form twelve for travel."))
    for _ in range(3):
        await memory.record_outcome("ada", await answered(memory, [stored.id], "Which form is for travel?"), "worked")
    report = await memory.promote_now("ada")
    assert not report.busy
    assert (await memory.stats("ada")).tiers["patterns"] == 1
    assert (await memory.stats("ada")).tiers["working"] == 0


@pytest.mark.parametrize("promotes", [True, False])
async def test_a_word_on_an_answer_promotes_unless_that_is_switched_off(promotes: bool, open_house: Open) -> None:
    house = await open_house(memory=Constants(promotion=promotes))
    memory = house.workbench.memory
    stored = await memory.store("ada", exchange("Which form?", "Form twelve for travel."))
    for _ in range(2):
        answer_id = await answered(memory, [stored.id], "Which form is for travel?")
        await memory.record_feedback("ada", answer_id, "worked")
    await house.workbench._remembering._feedback.stop()
    assert (await memory.stats("ada")).tiers["history"] == int(promotes)


async def test_what_one_person_does_is_no_occasion_for_the_memories_of_others(house: House, memory: Memory) -> None:
    async def hers_is_gone() -> bool:
        return (await memory.stats("zoe")).tiers["working"] == 0

    await everyone_had_a_turn(house)
    for person in ("ada", "zoe"):
        await memory.store(person, exchange("Why?", "So it is.", initial_score=0.1))
    for conversation in ("conv_1", "conv_2"):
        memory.noticed_message("zoe", conversation)
    await until(hers_is_gone)
    assert (await memory.stats("ada")).tiers["working"] == 1
    await house.workbench._remembering._promote(EVERYONE)
    assert (await memory.stats("ada")).tiers["working"] == 0


async def test_one_whose_promotion_fails_holds_up_no_other(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    memory, promotion = house.workbench.memory, house.workbench._remembering._promotion
    run = promotion.run

    async def brittle(user_id: str) -> PromotionReport:
        if user_id == "ada":
            raise ConnectionError("away")
        return await run(user_id)

    async def theirs_is_gone() -> bool:
        return (await memory.stats("zoe")).tiers["working"] == 0

    await everyone_had_a_turn(house)
    monkeypatch.setattr(promotion, "run", brittle)
    await memory.store("zoe", exchange("Why?", "So it is.", initial_score=0.1))
    for person in ("ada", "zoe"):
        house.workbench._remembering._occasions.due(person)
    await until(theirs_is_gone)


async def test_what_a_person_says_beats_what_a_model_says(memory: Memory) -> None:
    stored = await memory.store("ada", exchange("Which form?", "Form twelve for travel."))
    turn = Turn("ada", new_id("msg"), "Which form is for travel?")
    tools = MemoryTools(memory, turn)
    await tools.search_memory(SearchArguments(query="form for travel"))
    effect = await tools.record_response(
        ResponseArguments(key_takeaway="Form twelve it is.", outcome="worked", related=[1])
    )
    assert [each.memory_id for each in effect.moved] == [stored.id]
    await memory.record_outcome("ada", turn.answer_id, "failed")
    again = await memory.record_outcome("ada", turn.answer_id, "worked", authority="model")
    assert again.ignored == "lower authority"


async def test_a_turn_is_allowed_one_refinement(memory: Memory) -> None:
    tools = MemoryTools(memory, Turn("ada", new_id("msg"), "?"))
    await tools.search_memory(SearchArguments.model_validate({"q": "pump", "collections": "history, patterns"}))
    with pytest.raises(PalimpsestError):
        await tools.search_memory(SearchArguments(query="pump again"))


async def test_a_search_keeps_to_its_metadata_filter(memory: Memory) -> None:
    conversation = new_id("conv")
    there = await memory.store("ada", exchange("Which valve leaks?", "Valve seven.", conversation_id=conversation))
    await memory.store("ada", exchange("Which valve leaks?", "Valve nine leaks.", conversation_id=new_id("conv")))

    async def found(**metadata: object) -> list[str]:
        tools = MemoryTools(memory, Turn("ada", new_id("msg"), "?"))
        given = SearchArguments.model_validate({"query": "leaking valve", "metadata": metadata})
        return [hit.memory_id for hit in (await tools.search_memory(given)).hits]

    assert len(await found()) == 2
    assert await found(conversation_id=conversation) == [there.id]
    assert await found(kinds="takeaway") == []
    assert len(await found(kinds="exchange", since="2000-01-01")) == 2
    assert await found(until="2000-01-01") == []
    with pytest.raises(ValidationError):
        await found(since="last week")


async def test_a_model_reads_how_a_memory_has_proved_itself(memory: Memory, tmp_path: Path) -> None:
    conversation = new_id("conv")
    stored = await memory.store("ada", exchange("Which form?", "Form twelve for travel.", conversation_id=conversation))
    question = "Which form is for travel?"
    for outcome in ("worked", "worked", "failed"):
        await memory.record_outcome("ada", await answered(memory, [stored.id], question), outcome)
    await memory.settle()
    block = (await memory.prefetch_context("ada", question)).block
    assert ", 2 of 3 worked)" in block
    tools = tools_over(tmp_path)
    await tools.start([MemoryServer(memory, new_id)])
    turn = Turn("ada", new_id("msg"), question)
    toolbox = Toolbox(tools, Caller("ada", turn=turn), tools.registry.all(), question, after=0)
    told = await toolbox.run([ToolCall("c", "search_memory", {"q": question})], 1_000)
    each = json.loads(told["c"])
    assert turn.tool_runs[0].result == "ok"
    assert each["memory_id"] == stored.id
    assert each["score_summary"]["proven"] == "2 of 3 worked"
    assert each["score_summary"]["uses"] == 3
    assert each["score_summary"]["last_outcome"] == "failed"
    assert each["citation"]["conversation_id"] == stored.source.conversation_id


async def test_a_tool_fills_in_what_the_store_would_refuse(memory: Memory) -> None:
    tools = MemoryTools(memory, Turn("ada", new_id("msg"), "?"))
    stored = await tools.add_to_memory_bank(BankArguments(content="Ada prefers short answers with numbers first."))
    assert stored.item.tags
    assert stored.item.quality
    with pytest.raises(PalimpsestError):
        await memory.store("ada", NewMemory(tier="memory_bank", text="Ada prefers short answers."))
    with pytest.raises(PalimpsestError):
        await memory.store("ada", NewMemory(tier="books", text="A chapter."))


async def test_known_facts_come_before_every_answer(memory: Memory) -> None:
    await memory.store("ada", fact("The user is called Ada Byron.", tags=["identity"], always_inject=True))
    await memory.store("ada", fact("Ada prefers tables to prose."))
    prefetch = await memory.prefetch_context("ada", "How large is the reservoir?", cold=True)
    assert [item.text for item in prefetch.known] == ["The user is called Ada Byron."]
    assert "Known context:" in prefetch.block
    assert "The user is called Ada Byron." in prefetch.block
    assert "Ada Byron" in await memory.get_cold_start_context("ada")
    assert (await memory.prefetch_context("bob", "How large is the reservoir?", cold=True)).block == ""


async def test_repetition_and_topics_are_noticed(memory: Memory) -> None:
    recent = ["How large is the reservoir?", "Who owns the pump?"]
    insights = await memory.get_context_insights("ada", "how large is the reservoir", recent)
    assert insights.repetition
    assert insights.repetition.turns_ago == 2
    assert insights.topics == ["large", "reservoir"]


async def test_goals_values_and_data(memory: Memory) -> None:
    await memory.goals.add("ada", "goal", "Finish the water audit by June.")
    await memory.goals.add("ada", "value", "Numbers must be traceable.")
    assert [item.text for item in await memory.goals.list("ada", "goal")] == ["Finish the water audit by June."]
    await memory.goals.remove("ada", "goal", "water audit")
    assert await memory.goals.list("ada", "goal") == []
    assert len(await memory.goals.list("ada", "value")) == 1
    await memory.store_data("ada", "layout", {"columns": 3})
    assert await memory.retrieve_data("ada", "layout") == {"columns": 3}
    assert await memory.retrieve_data("bob", "layout") is None
    with pytest.raises(PalimpsestError):
        await memory.store_data("ada", "../escape", 1)


async def test_an_edited_archived_or_deleted_fact_is_never_returned(memory: Memory) -> None:
    stored = await memory.store("ada", fact("The hotel limit in Haifa is 560 shekels."))
    await memory.bank.edit("ada", stored.id, text="The hotel limit in Haifa is 610 shekels.")
    assert await texts(memory, "hotel limit in Haifa") == ["The hotel limit in Haifa is 610 shekels."]
    await memory.bank.archive("ada", stored.id)
    assert await texts(memory, "hotel limit in Haifa") == []
    await memory.bank.restore("ada", stored.id)
    assert len(await texts(memory, "hotel limit in Haifa")) == 1
    await memory.bank.delete("ada", stored.id)
    assert await texts(memory, "hotel limit in Haifa") == []


async def test_tool_runs_are_scored_with_their_answer(memory: Memory) -> None:
    stored = await memory.store("ada", exchange("Which form?", "Form twelve."))
    for _ in range(3):
        answer = await answered(memory, [stored.id], "Which form?")
        run = ToolRun(name="web_search", run_id=new_id("tool"), result="timeout", milliseconds=9_000)
        assert await memory.record_action_outcome("ada", answer, run)
        await memory.record_outcome("ada", answer, "worked")
    await memory.settle()
    advice = {each.action: each for each in await memory.get_action_effectiveness("ada", "general")}
    assert advice["web_search"].success_rate == 0.0
    assert advice["inquire"].success_rate == 1.0


async def test_a_backup_brings_everything_to_an_empty_home(memory: Memory, tmp_path: Path) -> None:
    stored = await memory.store("ada", fact("Ada prefers tables to prose."))
    summary = await memory.export_backup("ada", tmp_path / "ada.zip")
    await memory.bank.delete("ada", stored.id)
    plan = await memory.import_backup("ada", tmp_path / "ada.zip", dry_run=True)
    assert summary.words.en
    assert plan.words.en
    assert await texts(memory, "tables or prose") == []


async def test_insights_need_no_model(memory: Memory) -> None:
    tools = MemoryTools(memory, Turn("ada", new_id("msg"), "?"))
    insights = await tools.get_context_insights(InsightsArguments.model_validate({"text": "Compare the policies"}))
    assert insights.context_type == "comparison"
    assert insights.experience == []
