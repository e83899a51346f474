from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.clock import DAY, HOUR
from core.ids import new_id
from core.memory.items.making import item_of
from core.memory.items.records import AnswerRecord, NewMemory, PromotionReport, Transition
from core.memory.items.writing import MemoryItems
from core.memory.lifecycle.promotion import LEASE_SECONDS, LEASES, Promotion, decide, maybe_due
from core.memory.lifecycle.rewriting import Rewriting
from core.memory.outcomes.answers import Answers
from core.memory.outcomes.examples import OutcomeExamples
from core.memory.outcomes.recording import Outcomes
from core.memory.outcomes.scoring import quality
from core.records.memory_meta import Tier
from core.setting_groups import Memory
from core.store.edge import EdgeIndex
from core.store.items import SCORED, MemoryItem, Stats
from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change
from tests.replaying import replay

SETTINGS = Memory(bank_capacity=3)


@dataclass
class Rig:
    items: MemoryItems
    promotion: Promotion
    truth: SqliteTruth
    now: list[float] = field(default_factory=lambda: [0.0])

    async def add(self, tier: Tier, score: float = 0.5, uses: int = 0, user: str = "ada", **more: object) -> str:
        new = NewMemory(tier=tier, text=f"memory {new_id('x1')}", **more)  # type: ignore[arg-type]
        item = item_of(user, new_id("mem"), new, self.now[0], SETTINGS)
        item = item.model_copy(update={"stats": Stats(score=score, uses=uses)})
        await self.items.add(user, [item])
        return item.id

    async def place(self, memory_id: str, user: str = "ada") -> tuple[str, str]:
        item = (await self.items.find(user, {"_id": memory_id}))[0]
        return item.tier, item.status


@pytest.fixture
async def rig(truth: SqliteTruth, index: EdgeIndex) -> Rig:
    now = [0.0]
    items = MemoryItems(truth, index, None, lambda: now[0], settings=SETTINGS)
    promotion = Promotion(truth, items, lambda: now[0], SETTINGS)
    await items.ensure()
    await promotion.ensure()
    return Rig(items, promotion, truth, now)


@pytest.mark.parametrize(
    ("tier", "score", "uses", "hours", "expected"),
    [
        ("working", 0.7, 2, 0, ("history", "promoted")),
        ("working", 0.7, 1, 0, None),
        ("working", 0.699, 2, 0, None),
        ("working", 0.6999, 2, 0, ("history", "promoted")),
        ("history", 0.9, 3, 0, ("patterns", "promoted")),
        ("history", 0.9, 2, 0, None),
        ("history", 0.89, 9, 0, None),
        ("working", 0.5, 0, 24, ("working", "expired")),
        ("working", 0.5, 0, 23.9, None),
        ("history", 0.5, 0, 720, ("history", "expired")),
        ("history", 0.7, 2, 720, None),
        ("history", 0.7, 1, 720, ("history", "expired")),
        ("working", 0.19, 1, 0, ("working", "garbage")),
        ("history", 0.1, 1, 0, ("history", "garbage")),
        ("history", 0.1, 1, 720, ("history", "expired")),
        ("patterns", 0.1, 9, 0, ("patterns", "garbage")),
        ("patterns", 0.2, 9, 99_999, None),
        ("working", 0.2, 1, 0, None),
    ],
)
def test_what_is_due(tier: Tier, score: float, uses: int, hours: float, expected: tuple[str, str] | None) -> None:
    item = item_of("ada", new_id("mem"), NewMemory(tier=tier, text="x"), 0.0, SETTINGS)
    item = item.model_copy(update={"stats": Stats(score=score, uses=uses)})
    decision = decide(item, hours * HOUR, SETTINGS)
    assert (decision and (decision.tier, decision.reason)) == expected


async def test_a_memory_rises_as_far_as_it_deserves_at_once(rig: Rig) -> None:
    memory = await rig.add("working", 0.95, 4)
    report = await rig.promotion.run("ada")
    assert await rig.place(memory) == ("patterns", "active")
    assert report.count("promoted") == 2


async def test_running_again_changes_nothing(rig: Rig) -> None:
    for tier, score, uses in (("working", 0.8, 2), ("history", 0.1, 2), ("patterns", 0.9, 9)):
        await rig.add(tier, score, uses)  # type: ignore[arg-type]
    assert len((await rig.promotion.run("ada")).transitions) == 2
    assert (await rig.promotion.run("ada")).transitions == []
    assert len(await rig.promotion.transitions("ada")) == 2


async def test_what_is_over_is_hidden_at_once_and_archived_at_the_next_run(rig: Rig) -> None:
    memory = await rig.add("working")
    rig.now[0] = 24 * HOUR
    assert await rig.items.load("ada", [memory]) == []
    await rig.promotion.run("ada")
    assert await rig.place(memory) == ("working", "archived")


async def test_what_proved_itself_in_history_outlives_its_time(rig: Rig) -> None:
    memory = await rig.add("history", 0.75, 2)
    rig.now[0] = 40 * DAY
    assert (await rig.promotion.run("ada")).transitions == []
    assert [item.id for item in await rig.items.load("ada", [memory])] == [memory]


async def test_a_promoted_memory_has_the_time_of_its_new_tier(rig: Rig) -> None:
    memory = await rig.add("working", 0.7, 2)
    rig.now[0] = HOUR
    await rig.promotion.run("ada")
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert item.timestamps.expires_at == HOUR + 30 * DAY


async def test_the_bank_lets_the_least_worth_go(rig: Rig) -> None:
    kept = [await rig.add("memory_bank", quality=quality(q, 1.0)) for q in (0.9, 0.8)]
    always = await rig.add("memory_bank", quality=quality(0.0, 0.0), always_inject=True)
    weak = await rig.add("memory_bank", quality=quality(0.2, 1.0))
    await rig.promotion.run("ada")
    assert await rig.place(weak) == ("memory_bank", "archived")
    assert [await rig.place(each) for each in [*kept, always]] == [("memory_bank", "active")] * 3


async def test_users_are_apart(rig: Rig) -> None:
    mine, theirs = await rig.add("working", 0.8, 2), await rig.add("working", 0.8, 2, user="bob")
    await rig.promotion.run("ada")
    assert await rig.place(mine) == ("history", "active")
    assert await rig.place(theirs, "bob") == ("working", "active")
    assert await rig.promotion.transitions("bob") == []
    await rig.promotion.run_all()
    assert await rig.place(theirs, "bob") == ("history", "active")


async def test_who_has_nothing_that_is_due_is_left_alone(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    await rig.add("working", user="idle")
    await rig.add("books", 0.1, user="reader")
    await rig.add("working", 0.8, 2, user="risen")
    await rig.add("history", 0.1, user="failed")
    for _ in range(4):
        await rig.add("memory_bank", quality=quality(0.5, 1.0), user="full")
    interrupted = Transition(
        id="move_1", user_id="died", memory_id="mem_1", at=0.0, from_tier="working", to_tier="history",
        from_status="active", to_status="active", reason="promoted", score=0.8, uses=2, version=1,
    )  # fmt: skip
    await rig.promotion._events("died").put(interrupted)
    looked_at: list[str] = []
    run = rig.promotion.run

    async def noted(user_id: str) -> PromotionReport:
        looked_at.append(user_id)
        return await run(user_id)

    monkeypatch.setattr(rig.promotion, "run", noted)
    await rig.promotion.run_all()
    assert looked_at == ["died", "failed", "full", "risen"]
    assert await rig.promotion.transitions("died") == []


async def test_only_one_process_is_at_it(rig: Rig) -> None:
    other = Promotion(rig.truth, rig.items, lambda: rig.now[0], SETTINGS, "there")
    memory = await rig.add("working", 0.8, 2)
    async with rig.promotion._hold("ada"):
        assert (await other.run("ada")).busy
        assert await rig.place(memory) == ("working", "active")
    assert not (await other.run("ada")).busy
    assert await rig.place(memory) == ("history", "active")


async def test_where_a_process_died_over_it_another_goes_on_when_its_lease_is_over(rig: Rig) -> None:
    other = Promotion(rig.truth, rig.items, lambda: rig.now[0], SETTINGS, "there")
    memory = await rig.add("working", 0.8, 2)
    async with rig.promotion._hold("ada"):
        assert await other.take_over() == []
        rig.now[0] = LEASE_SECONDS + 1
        (report,) = await other.take_over()
        assert report.count("promoted") == 1
    assert await rig.place(memory) == ("history", "active")
    assert await other.take_over() == []


async def test_who_was_frozen_over_it_changes_nothing_more(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    frozen = Promotion(rig.truth, rig.items, lambda: rig.now[0], SETTINGS, "frozen", None, 0.3)
    memory = await rig.add("working", 0.8, 2)
    find = rig.items.find

    async def wait_and_find(*given: object, **more: object) -> list[MemoryItem]:
        await rig.truth.collection(LEASES).update_where({}, Change(set={"lease_owner": "another"}))
        monkeypatch.setattr(rig.items, "find", find)
        await asyncio.to_thread(time.sleep, 0.4)
        return await find(*given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(rig.items, "find", wait_and_find)
    assert (await frozen.run("ada")).busy
    assert await rig.place(memory) == ("working", "active")
    assert [row["lease_owner"] for row in await rig.truth.collection(LEASES).find()] == ["another"]


async def test_a_crash_between_decision_and_change_is_finished(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    memory = await rig.add("working", 0.7, 2)
    with monkeypatch.context() as patched:

        async def cut(*_: object, **__: object) -> None:
            raise ConnectionError("power")

        patched.setattr(rig.items, "change", cut)
        with pytest.raises(ConnectionError):
            await rig.promotion.run("ada")
    assert await rig.place(memory) == ("working", "active")
    await rig.promotion.run("ada")
    assert await rig.place(memory) == ("history", "active")
    assert len(await rig.promotion.transitions("ada")) == 1


class Wording:
    def __init__(self, text: str | None) -> None:
        self.text, self.failures, self.kept = text, [], []  # type: tuple[str | None, list[str], list[str]]
        self.asked = 0

    async def rewrite(self, text: str, failures: Sequence[str]) -> str | None:
        self.asked += 1
        self.failures += failures
        if self.text == "broken":
            raise ConnectionError
        return self.text

    async def keep(self, item: MemoryItem, reason: str) -> None:
        self.kept.append(item.text)


def rewriting(rig: Rig, wording: Wording) -> Promotion:
    lessons = Rewriting(rig.items, OutcomeExamples(rig.truth), wording, wording)
    return Promotion(rig.truth, rig.items, lambda: rig.now[0], SETTINGS, "here", lessons)


async def fail_it(rig: Rig, memory: str, times: int = 2) -> Outcomes:
    """Reports ``times`` times that an answer that used this memory failed."""
    answers, lessons = Answers(rig.truth), OutcomeExamples(rig.truth)
    outcomes = Outcomes(rig.truth, rig.items, answers, lessons, lambda: rig.now[0], new_id, SETTINGS)
    for number in range(times):
        record = AnswerRecord(
            id=new_id("msg"), user_id="ada", question=f"question {number}", positions=[memory], created_at=0.0
        )
        await answers.remember(record)
        await outcomes.record("ada", record.id, "failed")
    return outcomes


@pytest.mark.parametrize(("text", "status"), [("better words", "active"), (None, "archived"), ("broken", "archived")])
async def test_a_failing_memory_is_rewritten_once_before_it_goes(rig: Rig, text: str | None, status: str) -> None:
    wording = Wording(text)
    promotion = rewriting(rig, wording)
    memory = await rig.add("history")
    await fail_it(rig, memory)
    old = (await rig.items.find("ada", {"_id": memory}))[0]
    await promotion.run("ada")
    assert (await rig.place(memory))[1] == status
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert (item.text == text) == (status == "active")
    assert wording.kept == ([old.text] if status == "active" else [])
    assert sorted(wording.failures) == ["question 0", "question 1"]
    await promotion.run("ada")
    assert wording.asked == 1
    assert (await rig.place(memory))[1] == status


async def test_new_words_begin_anew_and_get_no_third_chance(rig: Rig) -> None:
    promotion = rewriting(rig, Wording("better words"))
    memory = await rig.add("history")
    outcomes = await fail_it(rig, memory)
    rig.now[0] = 1.0
    await promotion.run("ada")
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert (item.stats.score, item.stats.uses, item.versioning.current_version) == (0.5, 0, 2)
    await fail_it(rig, memory, 1)
    assert (await rig.items.find("ada", {"_id": memory}))[0].stats.score == 0.2
    await fail_it(rig, memory, 1)
    await promotion.run("ada")
    assert (await rig.place(memory)) == ("history", "archived")
    assert len(await outcomes._of("ada").rows.find()) == 4


@pytest.mark.parametrize("moment", ["keep", "revise", "put"])
async def test_a_crash_while_rewriting_is_mended(rig: Rig, moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    wording = Wording("better words")
    promotion = rewriting(rig, wording)
    memory = await rig.add("history")
    await fail_it(rig, memory)
    assert promotion._rewriting
    owner = {"keep": wording, "revise": rig.items, "put": promotion._rewriting.lessons}[moment]
    with monkeypatch.context() as patched:
        patched.setattr(owner, moment, _cut)
        with pytest.raises(ConnectionError):
            await promotion.run("ada")
    await promotion.run("ada")
    item = (await rig.items.find("ada", {"_id": memory}))[0]
    assert (item.text, item.status, item.stats.score) == ("better words", "active", 0.5)
    assert await OutcomeExamples(rig.truth).of_memories("ada", [memory]) == {}
    assert [each.done for each in await promotion.transitions("ada")] == [True]


async def _cut(*_: object, **__: object) -> None:
    raise ConnectionError("power")


async def bring_back(rig: Rig, memory: str) -> None:
    await rig.items.change("ada", memory, Change(set={"status": "active", "timestamps.archived_at": None}))


async def test_what_a_person_brings_back_stays(rig: Rig) -> None:
    garbage = await rig.add("history", 0.1, 2)
    weak = await rig.add("memory_bank", quality=quality(0.1, 1.0))
    for _ in range(3):
        await rig.add("memory_bank", quality=quality(0.5, 1.0))
    await rig.promotion.run("ada")
    for memory in (garbage, weak):
        assert (await rig.place(memory))[1] == "archived"
        await bring_back(rig, memory)
    report = await rig.promotion.run("ada")
    assert (await rig.place(garbage))[1] == (await rig.place(weak))[1] == "active"
    assert [each.reason for each in report.transitions] == ["capacity"]
    assert (await rig.promotion.run("ada")).transitions == []


async def test_what_a_person_moved_is_not_taken_for_unfinished(rig: Rig) -> None:
    memory = await rig.add("patterns", 0.5, 2)
    by_hand = Transition(
        id=new_id("move"),
        user_id="ada",
        memory_id=memory,
        at=0.0,
        from_tier="patterns",
        to_tier="patterns",
        from_status="active",
        to_status="archived",
        reason="person",
    )
    await rig.promotion._events("ada").put(by_hand)
    await rig.promotion.run("ada")
    assert await rig.place(memory) == ("patterns", "active")
    assert len(await rig.promotion.transitions("ada")) == 1


async def test_one_user_who_fails_holds_up_no_other(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    await rig.add("working", 0.8, 2)
    theirs = await rig.add("working", 0.8, 2, user="bob")
    capacity = rig.promotion._capacity

    async def brittle(user_id: str, report: PromotionReport) -> None:
        if user_id == "ada":
            raise ConnectionError("away")
        await capacity(user_id, report)

    monkeypatch.setattr(rig.promotion, "_capacity", brittle)
    assert len(await rig.promotion.run_all()) == 1
    assert await rig.place(theirs, "bob") == ("history", "active")
    assert not (await Promotion(rig.truth, rig.items, lambda: 0.0, SETTINGS).run("bob")).busy


async def test_nothing_that_is_due_is_overlooked(rig: Rig) -> None:
    """A promotion run reads every item that may need a decision."""
    edges = [0.0, 0.1994, 0.1996, 0.2, 0.5, 0.6994, 0.6996, 0.7, 0.8994, 0.8996, 0.9, 1.0]
    rows = {}
    for tier, score, uses, born in product(SCORED, edges, range(5), (0.0, 20 * DAY)):
        item = item_of("ada", new_id("mem"), NewMemory(tier=tier, text="x"), born, SETTINGS)
        rows[item.id] = item.model_copy(update={"stats": Stats(score=score, uses=uses)})
    table = rig.truth.collection("trial")
    await table.insert_many([item.model_dump(by_alias=True, mode="json") for item in rows.values()])
    for now in (0.0, 20.5 * DAY, 31 * DAY, 60 * DAY):
        filters = [each for tier in SCORED for each in maybe_due(tier, now, SETTINGS)]
        looked_at = {row["_id"] for each in filters for row in await table.find(each, fields=["_id"])}
        due = {item.id for item in rows.values() if decide(item, now, SETTINGS)}
        assert due <= looked_at
        assert due or now == 0.0
        assert looked_at < rows.keys()


Born = tuple[Tier, float, int, float]
births = st.lists(
    st.tuples(
        st.sampled_from(["working", "history", "patterns"]), st.floats(0, 1), st.integers(0, 5), st.floats(0, 900)
    ),
    max_size=8,
)


@given(births, st.floats(0, 1000))
def test_decisions_come_to_rest(born: list[Born], hours: float) -> None:
    """Promotion runs are repeated until nothing is due: no decision contradicts an earlier one."""
    ranks: dict[str, int] = {"working": 0, "history": 1, "patterns": 2}
    for tier, score, uses, _ in born:
        item = item_of("ada", new_id("mem"), NewMemory(tier=tier, text="x"), 0.0, SETTINGS)
        item = item.model_copy(update={"stats": Stats(score=score, uses=uses)})
        for _ in range(4):
            decision = decide(item, hours * HOUR, SETTINGS)
            if decision is None or decision.status == "archived":
                break
            assert ranks[decision.tier] == ranks[item.tier] + 1
            item = item.model_copy(update={"tier": decision.tier})
        else:
            raise AssertionError("it never comes to rest")


async def test_the_events_say_where_everything_is(rig: Rig) -> None:
    memories = [
        await rig.add(tier, score, uses)  # type: ignore[arg-type]
        for tier in ("working", "history", "patterns")
        for score, uses in ((0.1, 1), (0.5, 1), (0.75, 2), (0.95, 4))
    ]
    await rig.promotion.run("ada")
    rig.now[0] = 40 * DAY
    await rig.promotion.run("ada")
    told = replay(await rig.promotion.transitions("ada"))
    assert len(told) >= 6
    for memory in memories:
        if memory in told:
            assert await rig.place(memory) == told[memory]
