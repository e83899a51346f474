from __future__ import annotations

from core.events import Passage, Source
from core.records.answer import CellReference
from core.search.documents.context import fit
from core.search.documents.passage_numbers import merged_by_document, numbered_by_passage


def passage(item_id: str, position: int, score: float) -> Passage:
    return Passage(
        item_id=item_id, text=f"Here is what passage {item_id} says.", page=position, position=position, score=score
    )


def source(number: int, *passages: Passage) -> Source:
    return Source(
        number=number, document_id=f"d{number}", title=f"Report {number}", filename="r.pdf", score=1.0,
        passages=list(passages),
    )  # fmt: skip


SOURCES = [source(1, passage("a", 3, 0.2), passage("b", 1, 0.9), passage("c", 2, 0.5)), source(2, passage("d", 1, 0.4))]


def test_each_passage_has_a_number_and_numbers_shown_before_stay_valid() -> None:
    numbered = numbered_by_passage(SOURCES, periods={"d1": "FY2031"})
    assert [(each.number, each.passages[0].item_id) for each in numbered] == [(3, "a"), (1, "b"), (4, "c"), (2, "d")]
    assert numbered_by_passage(numbered, periods={"d1": "FY2031"}) == numbered
    cited = numbered_by_passage(SOURCES, cited={"a"})
    assert next(each for each in cited if each.number == 1).passages[0].item_id == "a"
    text = fit(numbered, 1_000).text
    assert text.splitlines()[0] == "[Source 1] Report 1 · FY2031 · p. 1"
    assert "[Source 3] Report 1 · FY2031 · p. 3\nHere is what passage a says." in text
    assert fit(numbered, 1_000).numbers == {1, 2, 3, 4}


def test_a_document_keeps_one_passage_however_little_fits() -> None:
    assert fit(numbered_by_passage(SOURCES), 1).numbers == {1, 2}


def test_the_passages_of_a_document_are_one_source_again() -> None:
    row = SOURCES[0].model_copy(
        update={"number": 9, "passages": [passage("b", 1, 1.0)], "cell": CellReference(number=9, document_id="d1")}
    )
    numbered = numbered_by_passage([*SOURCES, row])
    assert numbered[-1] == row
    merged = merged_by_document(numbered)
    assert [each.number for each in merged] == [1, 2, 9]
    assert [each.item_id for each in merged[0].passages] == ["a", "b", "c"]


def test_numbers_have_at_most_three_digits() -> None:
    long = source(1, *(passage(f"p{place}", place, 0.0) for place in range(2_500)))
    numbered = numbered_by_passage([long, SOURCES[1]])
    assert max(each.number for each in numbered) < 1_000
    assert sum(len(each.passages) for each in numbered) == 2_501
