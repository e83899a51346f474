"""Tests the date and the periods of documents that no form field states."""

from __future__ import annotations

from core.library.extracted import Block, Extracted
from core.library.identity.identity import Identity, identify

XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def identified(*blocks: Block, filename: str = "a.pdf", mime: str = "application/pdf", **own: str) -> Identity:
    return identify(Extracted(blocks=list(blocks), mime=mime, **own), filename)  # type: ignore[arg-type]


def test_the_cells_of_a_sheet_are_no_date_of_it_and_neither_is_the_day_it_was_made() -> None:
    rows = Block(text="North | 12 | 2023-03-01\nSouth | 9 | 2023-04-01", kind="table", header="Region | Units | Date")
    found = identified(Block(text="Sales by region"), rows, filename="s.xlsx", mime=XLSX, created="2024-05-06")
    assert (found.kind, found.date, found.title) == ("spreadsheet", None, "Sales by region")
    assert identified(Block(text="Orders from 1 Jan 2023 to 31 Dec 2024"), rows, mime=XLSX).date is None
    assert identified(Block(text="Sales as of 3 May 2023"), rows, mime=XLSX).date == "2023-05-03"


def test_a_printed_day_is_the_date_and_not_the_day_of_the_file() -> None:
    found = identified(Block(text="Hafenbericht"), Block(text="Stand: 30. Juni 2023"), created="2024-01-02")
    assert found.date == "2023-06-30"
    assert identified(Block(text="Harbour report"), created="2024-01-02").date is None


def test_a_month_alone_is_the_date_of_a_document_without_a_day() -> None:
    assert identified(Block(text="Plan of the harbour"), Block(text="May 2016")).date == "2016-05"


def test_a_quarter_of_whole_weeks_that_ends_in_the_next_month_is_of_its_own_year() -> None:
    text = (
        "FORM 10-Q\n\nFor the quarterly period ended July 2, 2023\n\nNORTH HOLM INC.\n\n"
        "(Exact name of registrant as specified in its charter)\n\nThree and six months ended July 2, 2023. Sales rose."
    )
    found = identified(*(Block(text=part) for part in text.split("\n\n")))
    assert found.periods[0].key == "2023-Q2"


def test_the_years_of_a_title_are_all_covered() -> None:
    found = identified(Block(text="Strategic Plan 2016-2018", kind="heading", level=1))
    assert (found.kind, [each.key for each in found.periods]) == ("plan", ["2016", "2017", "2018"])


def test_mail_covers_nothing_and_bears_the_day_it_was_sent() -> None:
    subject = Block(text="Lease of unit 7", kind="heading", level=1)
    found = identified(subject, Block(text="Please sign by June 3."), mime="message/rfc822", created="2021-05-04")
    assert (found.kind, found.date, found.periods) == ("email", "2021-05-04", [])
