"""Tests the notices that are shown next to quotations."""

from __future__ import annotations

from core.answering.notices import near_evidence_notice, no_answer_notice, proven_notice
from core.events import Quote, Source
from core.search.documents.coverage import SearchCoverage


def source(number: int) -> Source:
    return Source(number=number, document_id=f"d{number}", title=f"T{number}", filename="", score=0.5, passages=[])


def test_documents_that_were_searched_by_name_and_say_nothing_are_named() -> None:
    reach = SearchCoverage(documents=3, of=9, titles={"d1": "T1", "d2": "T2", "d3": "T3"})
    said = no_answer_notice(reach, [source(1)], most=12)
    assert said is not None
    assert said.en == "Nothing about this was found in “T2”, “T3”."
    assert no_answer_notice(reach, [source(1), source(2), source(3)], most=12) is None


def test_of_a_whole_library_the_silent_ones_are_counted() -> None:
    said = no_answer_notice(SearchCoverage(documents=6, of=6), [source(1), source(2)], most=12)
    assert said is not None
    assert said.en == "No close matches in the other 4 documents."
    assert no_answer_notice(SearchCoverage(documents=2, of=2), [source(1), source(2)], most=12) is None


def test_where_more_may_have_been_found_than_is_shown_nothing_is_said() -> None:
    assert no_answer_notice(SearchCoverage(documents=6, of=6), [source(1), source(2)], most=2) is None


def test_near_sources_are_pointed_at() -> None:
    said = near_evidence_notice([source(4), source(5)])
    assert said is not None
    assert said.en.endswith("[4] [5]")
    assert near_evidence_notice([]) is None


def test_what_has_answered_before_is_said() -> None:
    quotes = [Quote(number=1, item_id="a", text="x"), Quote(number=2, item_id="b", text="y")]
    said = proven_notice(quotes, {"b"})
    assert said is not None
    assert said.en.endswith("[2]")
    assert proven_notice(quotes, set()) is None
