from __future__ import annotations

import pytest

from core.events import Passage
from core.language.sentences import Sentence
from core.models.quotable import Quotable
from core.review.actions.records import Statement
from core.review.actions.summary.sentences import is_debris, stands_alone


def statement(text: str, section: str = "", *, row: bool = False) -> Statement:
    quote = Quotable(text, 0, len(text), columns=None)
    if row:
        quote = Quotable(text, 0, len(text), columns=Sentence("a | b", 0, 5))
    return Statement(1, Passage(item_id="mem_1", text=text, section=section), quote, 0, section)


@pytest.mark.parametrize(
    "text",
    [
        "The ferry to Orsk runs twice a day from April to October.",
        "This agreement ends on 31 May 2032.",
        "המעבורת לאורסק יוצאת פעמיים ביום.",
        "הסכם זה מסתיים ביום 31 במאי 2032.",
        "Pump 9 broke down on 4 June 2031 and cost EUR 8,300.",
    ],
)
def test_whole_sentences_stand_alone(text: str) -> None:
    assert stands_alone(statement(text))


@pytest.mark.parametrize(
    "text",
    [
        "It runs twice a day from April to October.",
        "לדבריו המעבורת יוצאת פעמיים ביום.",
        "Pier 1 · Pier 2 · The ferry runs twice a day.",
        "Ports on the line: - Orsk - Halm - Vester.",
        "However, the ferry runs twice a day from April.",
        "This increase came from the ferries of the north.",
        "Consists of ferries and barges on the northern rivers.",
        "הוא יוצא פעמיים ביום מן הנמל הישן.",
        "לכן המעבורת יוצאת פעמיים ביום.",
        "ferries of the north and of the south.",
        "Ferries (of the north and the south run twice a day.",
        "“The ferries ran well this year and carried more people.",
        "Ferries and Barges of the Northern Rivers.",
        "Ferries 12 6 2 47 44 10 run.",
        "See Note 4 for the ferries of the north and the south.",
        "The ferries are listed in the following table.",
    ],
)
def test_what_leans_is_cut_or_says_nothing_does_not_stand_alone(text: str) -> None:
    assert not stands_alone(statement(text))


def test_a_heading_that_is_said_again_is_no_sentence() -> None:
    assert not stands_alone(statement("Ferries of the north.", "Ferries of the north"))
    assert not stands_alone(statement("Ferry traffic Passengers rose by a tenth in the year.", "Ferry traffic"))
    assert stands_alone(statement("Ferry traffic rose by a tenth in the year.", "Ferry traffic"))


def test_a_labelled_line_is_one_where_the_part_takes_such() -> None:
    line = statement("Present: Ada Vik, Ole Brand and Tom Rask")
    assert not stands_alone(line)
    assert stands_alone(line, labelled=True)


def test_rows_are_no_sentences() -> None:
    assert not stands_alone(statement("Ferry North carried more people than ever before.", row=True))


def test_debris_is_known_by_its_figures_and_its_damage() -> None:
    assert is_debris("12 6 2 · 47 44 10")
    assert is_debris("Contents ........ 14")
    assert is_debris("The result is of no ef ect on the ferries.")
    assert not is_debris("The fares rose by 4.5 % to EUR 12.40 on 1 May 2031.")
