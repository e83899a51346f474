from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.memory.items.making import item_of
from core.memory.items.records import NewMemory, PromotionReport, Transition, text_of
from core.memory.recall.records import ScoreParts
from core.setting_groups import Memory
from core.store.items import MemoryItem
from pages.memory_rows import due_row, item_row, pinned, segments

QUESTION, ANSWER = "מהי תקרת הלינה?", "600 shekels a night."
UNIT = st.floats(0, 1)


def memory(**given: object) -> MemoryItem:
    new = NewMemory.model_validate({"tier": "working", "text": text_of(QUESTION, ANSWER), **given})
    return item_of("ada", "mem_" + "1" * 32, new, 1_000.0, Memory())


def exchange(**given: object) -> MemoryItem:
    return memory(kind="exchange", question=QUESTION, answer=ANSWER, **given)


def parts(**given: float | None) -> ScoreParts:
    quiet = dict.fromkeys(("dense_rank", "cosine", "dense", "lexical_rank", "bm25", "cross_encoder"))
    numbers = dict.fromkeys(ScoreParts.model_fields.keys() - quiet - {"boosts"}, 0.0)
    return ScoreParts.model_validate({**quiet, **numbers, "boosts": {}, "authority": 1.0, **given})


@given(
    st.builds(
        parts,
        dense=st.none() | UNIT,
        lexical=UNIT,
        fused=UNIT,
        company=UNIT,
        similarity=UNIT,
        weighed=UNIT,
        authority=st.just(0.0) | st.floats(0.5, 1.5),
        final=UNIT,
    )
)
def test_the_segments_of_a_score_add_up_to_it(found: ScoreParts) -> None:
    assert sum(each["amount"] for each in segments(found)) == pytest.approx(found.final, abs=0.004)


def test_each_step_is_named_and_what_did_nothing_is_left_out() -> None:
    found = parts(dense=0.6, lexical=0.2, fused=0.4, similarity=0.4, weighed=0.3, final=0.27, authority=0.9)
    assert segments(found) == [
        {"part": "dense", "amount": 0.3},
        {"part": "lexical", "amount": 0.1},
        {"part": "learned", "amount": -0.1},
        {"part": "authority", "amount": -0.03},
    ]


@pytest.mark.parametrize(
    ("item", "said"),
    [
        (exchange(), {"question": QUESTION, "answer": ANSWER}),
        (exchange(text="Lodging is 600 shekels."), None),
        (memory(text="Lodging is 600 shekels."), None),
    ],
)
def test_question_and_answer_are_apart_while_the_text_is_both(item: MemoryItem, said: object) -> None:
    row = item_row(item)
    assert row["exchange"] == said
    assert row["text"] == item.text


def test_a_memory_is_read_as_sentences() -> None:
    assert item_row(memory(text="**Lodging** is 620."))["said"] == {"question": None, "text": "Lodging is 620."}
    answer = "> **Lodging** | 620 [1]"
    stored = memory(kind="exchange", question=QUESTION, answer=answer, text=text_of(QUESTION, answer))
    assert item_row(stored)["said"] == {"question": QUESTION, "text": "Lodging: 620"}


def test_of_an_exchange_its_answer_is_pinned() -> None:
    assert pinned(exchange(), str.upper)["text"] == ANSWER
    assert pinned(memory(text="Lodging is 600 shekels."), str.upper)["text"] == "Lodging is 600 shekels."


def test_what_moves_is_told_even_when_its_memory_is_gone() -> None:
    moves = [
        Transition(
            _id=f"move_{name}",
            user_id="ada",
            memory_id=name,
            at=1.0,
            from_tier="working",
            to_tier="history",
            from_status="active",
            to_status="active",
            reason="promoted",
        )
        for name in ("mem_" + "1" * 32, "gone")
    ]
    row = due_row(PromotionReport(transitions=moves, checked=2), [exchange()])
    assert [(each["text"], each["exchange"] is not None) for each in row["moves"]] == [
        (text_of(QUESTION, ANSWER), True),
        (None, False),
    ]
