"""Tests that the latest statement on a subject answers, unless the first one is asked for."""

from __future__ import annotations

from datetime import date

import pytest

from core.graph.memory.recollection.ranking import Ranking
from core.graph.memory.recollection.records import Exchange, Utterance
from core.graph.memory.recollection.wording import read_recall

SAID = ("We keep two hives, both calm.", "One hive was lost to wasps, one hive is left.", "The oven is repaired.")


def _exchange(number: int, text: str) -> Exchange:
    said = Utterance(f"u{number}", f"c{number}", "", f"r{number}", "user", text, float(number))
    return Exchange(said.run_id, said.conversation_id, "", said.at, (said,))


@pytest.mark.parametrize(("question", "best"), [("How many hives do I have?", "u1"), ("How many hives first?", "u0")])
def test_what_was_said_last_on_a_subject_answers(question: str, best: str) -> None:
    exchanges = [_exchange(number, text) for number, text in enumerate(SAID)]
    ranked = Ranking(read_recall(question, date(2031, 1, 1)), exchanges, {}).ranked()
    assert ranked[0].utterance.id == best
