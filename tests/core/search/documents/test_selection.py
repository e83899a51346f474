from __future__ import annotations

import pytest

from core.events import Passage, Source
from core.search.documents.selection import is_bare, selected


def passage(name: str, score: float, text: str = "The costs rose in May.") -> Passage:
    return Passage(item_id=name, text=text, score=score)


def source(number: int, *passages: Passage, attached: bool = False) -> Source:
    return Source(
        number=number, document_id=f"d{number}", title="Acme · Q3 2023", filename="a.pdf", score=1.0,
        passages=list(passages), attached=attached,
    )  # fmt: skip


def taken(sources: list[Source], least: float = 0.0) -> list[str]:
    return [each.item_id for _, each in selected(sources, least)]


def test_reports_take_turns_after_the_best_passage_of_each() -> None:
    first = source(1, passage("a1", 0.9), passage("a2", 0.8), passage("a3", 0.7))
    second = source(2, passage("b1", 0.6), passage("b2", 0.5), passage("b3", 0.4))
    assert taken([first, second]) == ["a1", "b1", "a2", "b2", "a3", "b3"]


def test_what_scores_too_little_is_left_out_but_no_source_is_lost() -> None:
    sources = [source(1, passage("a1", 1.0), passage("a2", 0.4)), source(2, passage("b1", 0.2))]
    assert taken(sources, 0.5) == ["a1", "b1"]
    assert taken([*sources, source(3, passage("c1", 0.1), passage("c2", 0.1), attached=True)], 0.5) == [
        "c1", "a1", "b1", "c2",
    ]  # fmt: skip


def test_cited_passages_and_their_neighbours_come_first() -> None:
    passages = [passage(f"p{place}", score).model_copy(update={"position": place}) for place, score in
                enumerate((1.0, 0.9, 0.3, 0.8, 0.2, 0.7))]  # fmt: skip
    cited = frozenset({"p4"})
    found = [each.item_id for _, each in selected([source(1, *passages)], 0.5, cited)]
    assert found == ["p4", "p3", "p5", "p0", "p1"]


@pytest.mark.parametrize(
    ("text", "bare"),
    [
        ("Schedules\n\n42", True),
        ("ACME\n\nQ3 2023\n\nTable of Contents", True),
        ("Year ended June 30, 2023", True),
        ("The rent is due.", False),
        ("The rent is due on day 5.", False),
        ("Rent: 560", False),
        ("Total | 3 | 4", False),
        ("דמי השכירות הם 560 ₪", False),
        ("Net sales of the north rose again last year", False),
    ],
)
def test_a_piece_without_content_is_bare(text: str, bare: bool) -> None:
    assert is_bare(passage("a", 1.0, text), "Acme · Q3 2023") is bare


def test_a_bare_piece_gives_way_to_one_with_content() -> None:
    assert taken([source(1, passage("head", 0.9, "Schedules"), passage("text", 0.3))]) == ["text"]
