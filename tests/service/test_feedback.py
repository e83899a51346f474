from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from core.errors import PalimpsestError
from core.events import Offered, Remembered
from core.memory.bank.write_guard import bank_entry
from core.memory.items.reasons import FailureReason
from core.memory.recall.records import MemoryQuery
from core.workbench import Workbench
from tests.servers.local import LocalServer, Reply, Request, answering, asks_for_json, chat_stream, tool_stream
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, Answer, House, settings

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"
RECALLING = "What is reimbursed for a night in a hotel in Haifa, and do you remember who books it?"
"""A question to the documents that asks for the memory too, so that the memory's tools are offered."""


async def asked(house: House, question: str = QUESTION, conversation: str | None = None) -> Answer:
    answer = await house.ask(question, conversation_id=conversation)
    await house.workbench.memory.settle()
    return answer


def meta_of(answer: Answer) -> Remembered:
    return next(entry.event for entry in answer.entries if isinstance(entry.event, Remembered))


async def test_a_completed_answer_is_remembered_as_one_exchange_with_what_it_rests_on(house: House) -> None:
    await house.read("policy.md", POLICY)
    answer = await asked(house)
    memories = await house.workbench.memory.search(MemoryQuery(user_id="ada", text=QUESTION, tiers=["working"]))
    exchange = memories.hits[0].item.exchange
    assert exchange
    assert exchange.question == QUESTION
    assert "560 shekels" in exchange.answer
    assert "[1]" not in exchange.answer
    assert exchange.memory_ids == [answer.view.response.quotes[0].item_id]  # type: ignore[union-attr]
    assert meta_of(answer).meta.citations[0].chunk_id == exchange.memory_ids[0]
    assert meta_of(answer).meta.feedback.eligible
    schema = json.loads((Path(__file__).parents[2] / "docs" / "memory-meta.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(meta_of(answer).meta.model_dump(mode="json"), schema)


async def test_what_failed_ranks_lower_when_the_same_is_asked_again(house: House) -> None:
    await house.read("policy.md", POLICY)
    first = await asked(house)
    effect = await house.workbench.memory.record_feedback("ada", first.asked.message_id, "failed")
    assert [(each.before, each.after) for each in effect.effect.moved] == [(0.5, pytest.approx(0.2))]
    passage = next(each for each in effect.ranking_previews if each.tier == "books")
    assert passage.before == 1.0
    assert passage.factor < 0.5, "the word is about the only source"
    again = await asked(house)
    scores = [view.view.sources[0].passages[0].score for view in (first, again)]
    assert scores[1] == pytest.approx(scores[0] * passage.factor, rel=0.02)


async def test_why_it_failed_is_kept_with_the_outcome_and_told_in_recall(house: House) -> None:
    await house.read("policy.md", POLICY)
    first = await asked(house)
    memory, message = house.workbench.memory, first.asked.message_id
    await memory.record_feedback("ada", message, "failed")
    effect = await memory.record_feedback(
        "ada", message, "failed", why=FailureReason(reason="outdated", words="rates of 2019")
    )
    assert effect.effect.ignored is None
    assert effect.summary
    assert effect.summary.en.startswith("Thanks. The sources of this answer will rank lower when you ask")
    again = await memory.record_feedback("ada", message, "failed")
    assert again.effect.ignored == "same as before"
    assert again.why == FailureReason(reason="outdated", words="rates of 2019")
    moved = effect.effect.moved[0].memory_id
    history = await house.workbench.memory.inspection.history("ada", moved)
    assert [each.why for each in history.outcomes] == [effect.why]
    second = await asked(house)
    failed = next(each.failed_before for each in meta_of(second).meta.known_context.known_context_items)
    assert failed
    assert (failed.question, failed.reason, failed.words) == (QUESTION, "outdated", "rates of 2019")
    assert ", outdated: rates of 2019) for:" in meta_of(second).meta.known_context.known_context_text
    taken_back = await memory.record_feedback("ada", message, "failed", why=FailureReason())
    assert (taken_back.effect.ignored, taken_back.why) == (None, FailureReason())
    changed = await memory.record_feedback("ada", message, "worked")
    assert changed.why is None, "a reason belongs to the outcome it was given with"


async def test_what_failed_for_one_question_is_as_before_for_its_neighbour(house: House) -> None:
    await house.read("policy.md", POLICY)
    beside = "What is reimbursed for a dinner in Haifa?"
    before = (await asked(house, beside)).view.sources[0].passages[0].score
    first = await asked(house)
    await house.workbench.memory.record_feedback("ada", first.asked.message_id, "failed")
    after = (await asked(house, beside)).view.sources[0].passages[0].score
    assert after == pytest.approx(before)


async def test_another_word_takes_the_first_one_back(house: House) -> None:
    await house.read("policy.md", POLICY)
    answer = await asked(house)
    memory = house.workbench.memory
    await memory.record_feedback("ada", answer.asked.message_id, "failed")
    effect = await memory.record_feedback("ada", answer.asked.message_id, "worked")
    assert [(each.before, each.after) for each in effect.effect.moved] == [(pytest.approx(0.2), pytest.approx(0.7))]
    assert (await memory.answers("ada", [answer.asked.message_id]))[answer.asked.message_id].outcome == "worked"
    again = await memory.record_feedback("ada", answer.asked.message_id, "worked")
    assert again.effect.ignored == "same as before"


async def test_a_word_about_one_source_leaves_the_others_as_they_are(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("guests.md", "# Guests\n\nGuests who stay at a hotel in Haifa pay for the night themselves.\n")
    answer = await asked(house)
    memory, message = house.workbench.memory, answer.asked.message_id
    effect = await memory.record_feedback("ada", message, "failed")
    assert effect.citations == effect.rated_citations == [1, 2]
    about_both = [each.factor for each in effect.ranking_previews if each.tier == "books"]
    assert len(about_both) == 2
    assert min(about_both) > 0.9
    effect = await memory.record_feedback("ada", message, "failed", [1])
    assert effect.rated_citations == [1]
    named = [each for each in effect.ranking_previews if each.tier == "books"]
    assert len(named) == 1
    assert named[0].factor < 0.5
    assert [each.after for each in effect.effect.moved] == [pytest.approx(0.2)]
    assert (await memory.record_feedback("ada", message, "worked")).rated_citations == [1, 2]


async def test_three_times_worked_is_a_pattern(house: House) -> None:
    await house.read("policy.md", POLICY)
    tiers = []
    for _ in range(3):
        answer = await asked(house)
        effect = await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "worked")
        tiers.append({each.memory_id: each.to_tier for each in effect.effect.moved})
    first = next(iter(tiers[0]))
    assert [each[first] for each in tiers] == ["working", "history", "patterns"]


async def test_an_earlier_exchange_on_other_passages_is_not_scored(house: House) -> None:
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    await asked(house, "How much notice must Pelagit give of a price rise?")
    answer = await asked(house)
    effect = await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "worked")
    assert len(effect.effect.moved) == 1


async def test_nobody_else_says_how_an_answer_did(house: House) -> None:
    await house.read("policy.md", POLICY)
    answer = await asked(house)
    with pytest.raises(PalimpsestError) as refused:
        await house.workbench.memory.record_feedback("bob", answer.asked.message_id, "failed")
    assert refused.value.problem.category == "not_found"


async def test_what_the_bank_knows_is_known_context_of_the_next_answer(house: House) -> None:
    await house.read("policy.md", POLICY)
    told = await house.ask("remember that hotel nights in Haifa are booked by Dana")
    assert told.view.response
    assert told.view.response.kind == "told"
    offered = next(entry.event for entry in told.entries if isinstance(entry.event, Offered)).offers[0]
    await house.workbench.memory.profile.accept("ada", offered.offer_id)
    answer = await asked(house)
    known = meta_of(answer).meta.known_context
    assert any("booked by Dana" in each.content for each in known.known_context_items)
    assert "booked by Dana" in known.known_context_text


@pytest.mark.parametrize(("hours", "again"), [(7, False), (9, True)])
async def test_after_a_long_rest_a_conversation_is_told_again_what_is_known(
    tmp_path: Path, hours: int, again: bool
) -> None:
    now = [1_790_000_000.0]
    workbench = Workbench(settings(tmp_path), clock=lambda: now[0])
    await workbench.start()
    try:
        house = House(workbench, tmp_path / "uploads")
        await house.read("policy.md", POLICY)
        await workbench.memory.goals.add("ada", "goal", "My goals and preferences: halve the costs of travel to Oslo")
        first = await asked(house)
        now[0] += hours * 3600
        second = await asked(house, "How much is dinner?", first.asked.conversation.id)
        known = meta_of(second).meta.known_context.known_context_text
    finally:
        await workbench.stop()
    assert "Oslo" in meta_of(first).meta.known_context.known_context_text
    assert ("Oslo" in known) is again


async def test_memory_switched_off_remembers_nothing(open_house: Open) -> None:
    from core.setting_groups import Memory

    house = await open_house(memory=Memory(enabled=False))
    await house.read("policy.md", POLICY)
    answer = await asked(house)
    assert not [entry for entry in answer.entries if isinstance(entry.event, Remembered)]
    assert (await house.workbench.memory.stats("ada")).tiers["working"] == 0


async def test_where_scoring_is_enforced_the_next_question_waits_for_a_word(open_house: Open) -> None:
    from core.setting_groups import Memory

    house = await open_house(memory=Memory(enforce_scoring=True))
    await house.read("policy.md", POLICY)
    answer = await asked(house)
    conversation = answer.asked.conversation.id
    with pytest.raises(PalimpsestError) as refused:
        await house.workbench.ask("ada", "And dinner?", conversation_id=conversation)
    assert "rate the last answer" in refused.value.problem.what.en
    await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "partial")
    assert (await asked(house, "How much is dinner?", conversation)).view.outcome == "answered"


async def test_a_model_that_can_call_tools_searches_the_memory_once_more(open_house: Open) -> None:
    again = tool_stream(("search_memory", {"q": "who books hotels"}))
    answering_last = answering(chat_stream("Dana books it [M1]; up to 560 shekels [1]."))
    server = LocalServer(responder=lambda request: again if "tools" in request.body else answering_last(request))
    async with server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", model_tools=True)
        await house.read("policy.md", POLICY)
        fact = await house.workbench.memory.goals.add("ada", "goal", "Hotels in Haifa are booked by Dana")
        answer = await asked(house, RECALLING)
    offered = [each.body for each in server.requests if "tools" in each.body]
    assert "search_memory" in [tool["function"]["name"] for tool in offered[0]["tools"]]
    told = [[m["content"] for m in each.body["messages"] if m["role"] == "tool"] for each in server.requests]
    results = max(told, key=len)
    assert "booked by Dana" in results[0]
    assert "already been searched again" in results[1]
    assert "was not called again" in results[-1]
    record = await house.workbench.memory.answer("ada", answer.asked.message_id)
    assert record
    assert {run.name for run in record.tool_runs} == {"search_memory"}
    assert [run.result for run in record.tool_runs] == ["ok", "error", "error", "error"]
    assert fact.id in (record.used or [])
    assert answer.view.response
    assert "Dana books it" in answer.view.response.text


async def test_a_model_that_cannot_call_tools_asks_for_them_in_a_block(open_house: Open) -> None:
    block = chat_stream(
        "<think>Who books?</think>\n```json\n", '{"tool": "search_memory", "arguments": ', '{"q": "who books"}}\n```'
    )
    answers = answering(chat_stream("Dana books it [M1]; up to 560 shekels [1]."))

    def respond(request: Request) -> Reply:
        told = [each["content"] for each in request.body["messages"]]
        return block if "- search_memory: " in told[0] and "BEGIN RESULT" not in told[-1] else answers(request)

    server = LocalServer(responder=respond)
    async with server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        await house.read("policy.md", POLICY)
        await house.workbench.memory.goals.add("ada", "goal", "Hotels in Haifa are booked by Dana")
        answer = await asked(house, RECALLING)
    assert not any("tools" in each.body for each in server.requests)
    before, after = (m for each in server.requests if "search_memory" in (m := each.body["messages"])[0]["content"])
    assert [each["role"] for each in after] == [*(each["role"] for each in before), "assistant", "user"]
    assert "booked by Dana" in after[-1]["content"]
    record = await house.workbench.memory.answer("ada", answer.asked.message_id)
    assert record
    assert [(run.name, run.result) for run in record.tool_runs] == [("search_memory", "ok")]
    assert answer.view.response
    assert answer.view.response.text.startswith("Dana books it")
    assert "search_memory" not in answer.view.html()


async def test_a_model_is_told_who_asks(open_house: Open) -> None:
    async with LocalServer(responder=answering(chat_stream("Up to 560 shekels [1]."))) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1")
        await house.read("policy.md", POLICY)
        fact = bank_entry("I audit travel expenses for a municipality.", tags=["identity"])
        await house.workbench.memory.bank.add("ada", fact)
        await asked(house)
        await asked(house, "How much is dinner?")
    systems = [each.body["messages"][0]["content"] for each in server.requests if not asks_for_json(each)]
    told = [each for each in systems if each and "audit travel expenses" in each]
    assert len(told) == 2
    assert all(each.count("audit travel expenses") == 1 for each in told)


async def test_where_the_documents_are_silent_the_memory_answers(house: House) -> None:
    await house.read("policy.md", POLICY)
    fact = bank_entry("The parking permit of the team car is kept by Dana.", tags=["project"])
    await house.workbench.memory.bank.add("ada", fact)
    answer = await asked(house, "Who keeps the parking permit of the team car?")
    assert answer.view.response
    assert answer.view.response.kind == "remembered"
    assert "kept by Dana. [M1]" in answer.view.response.text
    assert "From memory" in answer.view.html()
