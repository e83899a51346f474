"""Tests titles by type size: covers whose lines have sizes, each relative to the body text."""

from __future__ import annotations

import pytest

from core.library.extracted import Block, CoverLine, Extracted
from core.library.identity.identity import Identity, identify

PDF = "application/pdf"
BODY = "We asked two thousand fishers of the coast what they think of quotas, and this is what they said to us."


def cover(*lines: tuple[str, float], text: str = BODY, filename: str = "a.pdf", **own: object) -> Identity:
    """Makes a first page of ``lines`` from top to bottom; lines with a size above 1 are bold like headings."""
    typed, top = [], 0.05
    for words, size in lines:
        bottom = top + 0.012 * size
        typed.append(CoverLine(text=words, size=size, top=top, bottom=bottom, start=72, end=400, bold=size > 1))
        top = bottom + (0.004 if size > 1 else 0.03)
    blocks = [Block(text=words, page=1) for words, _ in lines] + [Block(text=text, page=2)]
    return identify(Extracted(blocks=blocks, mime=PDF, cover_lines=typed, **own), filename)  # type: ignore[arg-type]


def test_the_title_is_what_is_set_largest_its_lines_joined() -> None:
    found = cover(
        ("Numbers that shape the coast", 1.0),
        ("FOR RELEASE JUNE 3, 2019", 1.5),
        ("Most Fishers Say Stocks", 2.6),
        ("Have Fallen in the North", 2.6),
        ("Trust in quotas is low", 1.4),
        title="Microsoft Word - fishers_final.docx",
    )
    assert found.title == "Most Fishers Say Stocks Have Fallen in the North"
    assert "title" not in found.unsure


@pytest.mark.parametrize(
    "line",
    ["• First of all the points", "Title Slide", "PowerPoint Presentation", "For Release May 21, 2020",
     "Harbor Research Center"],
)  # fmt: skip
def test_what_may_be_as_large_is_passed_over(line: str) -> None:
    found = cover((line, 3.0), ("Fishers of the North", 2.0), ("Harbor Research Center", 1.0))
    assert found.title == "Fishers of the North"


def test_a_title_that_breaks_off_goes_on_in_smaller_type() -> None:
    assert cover(("Ask the Right Fishers:", 1.7), ("Quotas and Their Limits", 1.4)).title == (
        "Ask the Right Fishers: Quotas and Their Limits"
    )


def test_a_word_alone_takes_what_stands_by_it() -> None:
    found = cover(("X200", 3.0), ("User Manual", 1.8))
    assert found.title == "X200 User Manual"
    assert found.kind == "manual"


def test_a_report_with_a_slogan_is_called_by_its_kind_and_issuer() -> None:
    text = "Brightwater plc had sales of 3 million in the year ended 31 December 2019."
    found = cover(("Growing together", 4.0), ("Annual Report 2019", 1.5), ("Brightwater plc", 1.3), text=text)
    assert (found.kind, found.title) == ("annual report", "Brightwater plc · Annual Report 2019")


def test_a_heading_of_a_section_is_no_title() -> None:
    found = cover(
        ("The Word Processor in the Office", 1.05), (BODY, 1.0), (BODY * 2, 1.0), ("The First Machines", 1.15)
    )
    assert found.title != "The First Machines"


def test_the_properties_of_a_file_count_where_the_page_bears_them_out() -> None:
    lines = (("Winter Survey of the Harbours", 2.0), ("Second edition", 1.0))
    assert cover(*lines, title="CMR8").title == "Winter Survey of the Harbours"
    assert cover(*lines, title="Winter survey of the harbours, second edition").title == (
        "Winter survey of the harbours, second edition"
    )


def test_reports_of_one_name_are_told_apart_by_their_number() -> None:
    number = "Accident Number: NYC08CA055"
    found = cover(("Rail Safety Board", 1.8), ("Accident Final Report", 1.8), (number, 1.0))
    assert found.title == "Rail Safety Board Accident Final Report (NYC08CA055)"
