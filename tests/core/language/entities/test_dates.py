"""Tests the date grammar: every form with its position, and how each reader interprets ambiguous forms."""

import pytest

from core.language.entities.dates import DAYS, TEXT, DateReading, Day, date_at, dates_in, without_dates

_TOLD = DateReading((*DAYS, "compact"), needs_year=True, order="as told", dotted_short=False)
_MONTHS_ALONE = ("month_day", "month")


@pytest.mark.parametrize(
    ("text", "said", "expected"),
    [
        ("paid on 2031-02-28 at last", "2031-02-28", Day(2031, 2, 28)),
        ("paid on 2031/2/8 at last", "2031/2/8", Day(2031, 2, 8)),
        ("from 3.4.2031 on", "3.4.2031", Day(2031, 4, 3)),
        ("from 3-4-2031 on", "3-4-2031", Day(2031, 4, 3)),
        ("from 3/4/98 on", "3/4/98", Day(1998, 4, 3)),
        ("from 4/23/2031 on", "4/23/2031", Day(2031, 4, 23)),
        ("until June 30, 2031.", "June 30, 2031", Day(2031, 6, 30)),
        ("until Sept. 5th 2031", "Sept. 5th 2031", Day(2031, 9, 5)),
        ("until June 30,2031", "June 30,2031", Day(2031, 6, 30)),
        ("the 15th day of March, 2031", "the 15th day of March, 2031", Day(2031, 3, 15)),
        ("ended on 11 September.", "11 September", Day(None, 9, 11)),
        ("by 3-Jul-2031", "3-Jul-2031", Day(2031, 7, 3)),
        ("by 12 May 1789", "12 May 1789", Day(1789, 5, 12)),
        ("June 5-7", "June 5", Day(None, 6, 5)),
        ("October 1-December 31, 2031", "December 31, 2031", Day(2031, 12, 31)),
        ("December 31, 2031 % change", "December 31, 2031", Day(2031, 12, 31)),
        ("late November\n2031", "November\n2031", Day(2031, 11)),
        ("נחתם ב-16 בספטמבר 2031", "ב-16 בספטמבר 2031", Day(2031, 9, 16)),
        ("החל במרץ 2031", "במרץ 2031", Day(2031, 3)),
        ("סגור ביום שלישי", "ביום שלישי", Day(weekday=3)),
    ],
)
def test_a_date_is_read_with_its_place(text: str, said: str, expected: Day) -> None:
    span = dates_in(text)[-1]
    assert (span.day, text[span.start : span.end]) == (expected, said)


@pytest.mark.parametrize(
    "text",
    [
        "clause 1.2.3.4",
        "$3.4.2031",
        "31 June 2031",
        "2031-13-01",
        "x3/4/2031",
        "may be",
        "They march on",
        "version 12.5",
    ],
)
def test_what_only_looks_like_a_date_is_none(text: str) -> None:
    assert dates_in(text) == []


def test_hebrew_prefixes_are_outside_of_the_bare_date() -> None:
    (span,) = dates_in("שולם ב-3.4.2031")
    assert "שולם ב-3.4.2031"[span.bare : span.end] == "3.4.2031"


def test_a_day_may_have_to_have_its_year() -> None:
    assert dates_in("June 30", DateReading(DAYS, needs_year=True)) == []
    assert [span.day for span in dates_in("June 30")] == [Day(None, 6, 30)]


@pytest.mark.parametrize(
    ("text", "order", "expected"),
    [
        ("3/4/2031", "day first", Day(2031, 4, 3)),
        ("3/4/2031", "month first", Day(2031, 3, 4)),
        ("3.4.2031", "month first", Day(2031, 4, 3)),
        ("3/4/2031", "as told", Day(2031)),
        ("3/14/2031", "as told", Day(2031, 3, 14)),
        ("13/4/2031", "month first", Day(2031, 4, 13)),
        ("ביום 3/4/2031", "as told", Day(2031, 4, 3)),
    ],
)
def test_the_order_of_day_and_month(text: str, order: str, expected: Day) -> None:
    (span,) = dates_in(text, DateReading(DAYS, order=order))  # type: ignore[arg-type]
    assert span.day == expected


def test_numbers_of_clauses_are_no_dates_where_short_years_need_a_stroke() -> None:
    assert dates_in("3.4.31", _TOLD) == []
    assert dates_in("3.4.31")[0].day == Day(2031, 4, 3)
    assert dates_in("report_20310630", _TOLD)[0].day == Day(2031, 6, 30)
    assert dates_in("report_20310630") == []


@pytest.mark.parametrize(
    ("text", "alone", "found"),
    [
        ("since May", "capital", True),
        ("May we ask", "capital", False),
        ("1. March along", "capital", False),
        ("so in may", "capital", False),
        ("so in may", "led", True),
        ("what may", "led", False),
        ("April and May", "both", True),
        ("people and may", "both", False),
    ],
)
def test_may_alone_is_a_month_where_something_says_so(text: str, alone: str, found: bool) -> None:
    spans = dates_in(text, DateReading(_MONTHS_ALONE, alone=alone))  # type: ignore[arg-type]
    assert any(span.day in (Day(None, 5), Day(None, 3)) for span in spans) is found


def test_a_date_is_read_where_it_is_looked_for() -> None:
    assert date_at("on 3 July 2031", 0, _TOLD) is None
    span = date_at("on 3 July 2031", 3, _TOLD)
    assert span is not None
    assert span.day == Day(2031, 7, 3)


def test_what_is_left_keeps_its_places() -> None:
    text = "Open 3 July and 5 May 2031, daily"
    assert without_dates(text, dates_in(text, TEXT)) == "Open        and           , daily"


def test_a_quarter_differs_from_a_month_and_from_another() -> None:
    (span,) = dates_in("in Q2 2031", DateReading(("quarter",)))
    assert span.day == Day(2031, quarter=2)
    assert not span.day.fits(Day(2031, quarter=3), frozenset())
    assert span.day.fits(Day(2031, quarter=2), frozenset())
