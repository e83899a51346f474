from __future__ import annotations

from typing import Any, cast

import pytest

from core.events import DocumentRef
from core.graph.answering import weighed_doubts
from core.graph.answering.candidate_answers import CandidateAnswer, differ, trusted
from core.graph.state import UnclearReference
from tests.core.graph.turn_states import turn_of


async def test_only_fairly_certain_answers_are_shown_on_the_choices(monkeypatch: pytest.MonkeyPatch) -> None:
    async def answers(*_: object) -> list[CandidateAnswer]:
        return [CandidateAnswer("a", "21 days", 0.6, 1.0), CandidateAnswer("b", "statement", 0.3, 1.2)]

    monkeypatch.setattr(weighed_doubts, "candidate_answers", answers)
    candidates = [DocumentRef(document_id=each, title=each) for each in "ab"]
    doubt = UnclearReference(name="report", candidates=candidates, total=2)
    weighed = await weighed_doubts.weighed_doubt(cast("Any", None), turn_of("How long?"), doubt)
    assert weighed.doubt.answers == {"a": "21 days"}


def test_a_doubtful_answer_counts_if_another_document_confirms_its_row() -> None:
    rows = [CandidateAnswer("a", "210", 0.2, 1.0, "Israel"), CandidateAnswer("b", "180", 0.2, 1.0, "Israel")]
    other = CandidateAnswer("c", "2007", 0.2, 1.0, "Date of the report")
    assert trusted([*rows, other]) == rows
    assert differ([*rows, other])
    assert not differ([rows[0], other])


@pytest.mark.parametrize(("name", "left"), [("parental leave policy", 0), ("signed travel policy", 1)])
async def test_a_name_with_other_words_than_all_documents_is_no_choice(
    name: str, left: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def answers(*_: object) -> list[CandidateAnswer]:
        return [CandidateAnswer("a"), CandidateAnswer("b")]

    monkeypatch.setattr(weighed_doubts, "candidate_answers", answers)
    candidates = [DocumentRef(document_id=each, title=f"Travel policy 202{each}") for each in "45"]
    doubt = UnclearReference(name=name, candidates=candidates, total=2)
    doubts, settled = await weighed_doubts.weighed_names(cast("Any", None), turn_of("What is it?"), [doubt])
    assert (len(doubts), settled) == (left, [])
