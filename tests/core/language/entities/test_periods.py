from __future__ import annotations

from datetime import date

import pytest

from core.figures.tables.lookup import period_fit
from core.language.entities.periods import covers, extent, periods_in, same, without_periods, year_of, years_ended
from core.library.tables.periods import period_of


def keys(text: str) -> list[str]:
    return [period.key for period in periods_in(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FY2022", ["2022"]), ("FY22", ["2022"]), ("FY 2022", ["2022"]), ("FY98", ["1998"]), ("F.Y. 2022", ["2022"]),
        ("fiscal 2022", ["2022"]), ("fiscal year 2022", ["2022"]), ("in 2022", ["2022"]), ("CY2022", ["2022"]),
        ("2023E", ["2023"]), ("fiscal years 2023, 2022 and 2021", ["2023", "2022", "2021"]),
        ("FY22 and FY21", ["2022", "2021"]), ("FY2022, 22 stores", ["2022"]),
        ("Q2 2022", ["2022-Q2"]), ("Q2 FY2023", ["2023-Q2"]), ("2Q23", ["2023-Q2"]), ("2Q FY23", ["2023-Q2"]),
        ("2023Q2", ["2023-Q2"]), ("FY2023Q2", ["2023-Q2"]), ("FY22 Q4", ["2022-Q4"]), ("Q4'22", ["2022-Q4"]),
        ("second quarter of fiscal 2023", ["2023-Q2"]), ("Q2 of FY2023", ["2023-Q2"]),
        ("Second-Quarter 2023", ["2023-Q2"]), ("2022 fourth quarter", ["2022-Q4"]),
        ("Q1 and Q2 2023", ["2023-Q1", "2023-Q2"]), ("first and second quarters of 2023", ["2023-Q1", "2023-Q2"]),
        ("Fourth Quarter and Full Year 2023", ["2023-Q4", "2023"]),
        ("first half of 2023", ["2023-H1"]), ("H1 2023", ["2023-H1"]), ("1H23", ["2023-H1"]),
        ("first six months of fiscal 2023", ["2023-H1"]),
        ("December 31, 2018", ["2018-12-31"]), ("30 June 2023", ["2023-06-30"]), ("30-Jun-2023", ["2023-06-30"]),
        ("the 15th day of March, 2021", ["2021-03-15"]), ("06/30/2023", ["2023-06-30"]), ("6/30/23", ["2023-06-30"]),
        ("30.6.2023", ["2023-06-30"]), ("2023-06-30", ["2023-06-30"]), ("x-20221231.htm", ["2022-12-31"]),
        ("December 31, 2022 and 2021", ["2022-12-31", "2021-12-31"]),
        ("June 2023", ["2023-06"]), ("2022-06", ["2022-06"]), ("06/2023", ["2023-06"]), ("Jun-23", ["2023-06"]),
        ("2022-2023", ["2022", "2023"]), ("2022/23", ["2022", "2023"]),
        ("2019 to 2022", ["2019", "2020", "2021", "2022"]),
        ("FY2015 - FY2017", ["2015", "2016", "2017"]), ("FY15-17", ["2015", "2016", "2017"]),
        ("שנת 2022", ["2022"]), ("ב-2021", ["2021"]), ("רבעון שני 2023", ["2023-Q2"]), ("רבעון ג' 2023", ["2023-Q3"]),
        ("ברבעון הראשון של 2023", ["2023-Q1"]), ("במחצית הראשונה של 2023", ["2023-H1"]),
        ("31 בדצמבר 2022", ["2022-12-31"]), ("ביוני 2023", ["2023-06"]), ("ביום 3.4.2023", ["2023-04-03"]),
        ("ACME_2023Q4_EARNINGS.pdf", ["2023-Q4"]), ("acme_2022_8K_dated-2022-07-01.pdf", ["2022", "2022-07-01"]),
    ],
)  # fmt: skip
def test_a_period_is_read_however_it_is_written(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "1,999 units", "$2,022", "$2022", "2,022.50", "Section 2019", "page 2001", "ASU No. 2016-02", "Topic 2016-13",
        "(212) 555-2019", "call 800-555-2022", "0000012345-23-000007", "invoice 2022-017", "2019 Main Street",
        "2000 million", "2022%", "file 12022", "Securities Exchange Act of 1934", "3% Notes due 2051",
        "the 2h30 meeting",
        "סעיף 2019", 'התשכ"ח-1968', "Q2 grew", "in June", "31.2.2023 pages", "A2022B", "Room 2022",
    ],
)  # fmt: skip
def test_a_number_that_is_no_year_is_no_period(text: str) -> None:
    assert keys(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("three months ended June 30, 2023", [("2023-06-30", 3)]),
        ("three and six months ended June 30, 2023", [("2023-06-30", 3), ("2023-06-30", 6)]),
        ("Year ended December 31, 2018", [("2018-12-31", 12)]),
        ("quarterly period ended June 30, 2023", [("2023-06-30", 3)]),
        ("Years Ended December 31, 2022, 2021 and 2020",
         [("2022-12-31", 12), ("2021-12-31", 12), ("2020-12-31", 12)]),
        ("Thirteen weeks ended July 29, 2023 and July 30, 2022", [("2023-07-29", 3), ("2022-07-30", 3)]),
        ("52 weeks ended January 28, 2023", [("2023-01-28", 12)]),
        ("first nine months of 2023", [("2023-09-30", 9)]),
        ("לשנה שהסתיימה ביום 31 בדצמבר 2022", [("2022-12-31", 12)]),
        ("לשלושה חודשים שהסתיימו ביום 30 ביוני 2023", [("2023-06-30", 3)]),
    ],
)  # fmt: skip
def test_what_ended_on_a_day_has_its_length(text: str, expected: list[tuple[str, int]]) -> None:
    assert [(period.key, period.months) for period in periods_in(text)] == expected


def test_a_period_has_its_place_and_says_whether_it_is_called_fiscal() -> None:
    text = "Sales – of Q2 FY2023 – beat 2022."
    quarter, year = periods_in(text)
    assert text[quarter.start : quarter.end] == "Q2 FY2023"
    assert (quarter.year, quarter.quarter, quarter.fiscal) == (2023, 2, True)
    assert text[year.start : year.end] == "2022"
    assert not year.fiscal


def test_a_date_that_could_be_two_days_gives_its_year_alone() -> None:
    assert keys("on 03/04/2023") == ["2023"]


@pytest.mark.parametrize(
    "text", ["last year", "this quarter", "last month", "yesterday", "last two years", "שנה שעברה", "אשתקד", "השנה"]
)
def test_words_that_tell_a_period_by_another_name_none(text: str) -> None:
    assert keys(text) == []


@pytest.mark.parametrize(
    ("whole", "part"),
    [("2022", "2022-Q2"), ("2022", "2022"), ("2022-H1", "2022-Q2"), ("2022-Q2", "2022-06"), ("2022-06", "2022-06-30")],
)
def test_a_period_covers_what_lies_within_it(whole: str, part: str) -> None:
    assert covers(whole, part)
    assert whole == part or not covers(part, whole)


def test_what_lies_outside_is_not_covered() -> None:
    assert not covers("2022", "2023-Q1")
    assert not covers("2022-H1", "2022-Q3")


def test_a_stretch_of_time_is_the_same_however_it_is_named() -> None:
    (year,) = periods_in("year ended December 31, 2018")
    (quarter,) = periods_in("three months ended June 30, 2023")
    (weeks,) = periods_in("52 weeks ended December 25, 2021")
    (day,) = periods_in("December 31, 2018")
    assert same(year, "2018")
    assert same(quarter, "2023-Q2")
    assert same(weeks, "2021")
    assert not same(day, "2018")
    assert not same("2018", "2019")
    assert extent(quarter) == (date(2023, 4, 1), date(2023, 6, 30))
    assert extent("2023-9M") == (date(2023, 1, 1), date(2023, 9, 30))


def test_a_key_that_names_no_period_is_refused() -> None:
    with pytest.raises(ValueError, match="no key"):
        extent("soon")


def test_a_year_that_ends_early_is_also_called_by_the_year_before() -> None:
    assert years_ended(date(2023, 1, 28)) == ["2023", "2022"]
    assert years_ended(date(2023, 6, 30)) == ["2023"]
    assert [year_of(digits) for digits in ("2022", "'22", "98")] == [2022, 2022, 1998]


def test_a_text_without_its_periods_keeps_all_else() -> None:
    left = without_periods("revenue of 2019-2021, of Q1 2023 and its growth")
    assert left.split() == ["revenue", "of", ",", "of", "and", "its", "growth"]


@pytest.mark.parametrize(
    ("text", "head"),
    [
        ("January-June 2023", "2023-H1"),
        ("Jan\u2013Jun 2023", "2023-H1"),
        ("6M 2023", "2023-H1"),
        ("July to December 2022", "2022-H2"),
        ("9M 2022", "2022-9M"),
        ("Nine months 2022", "2022-9M"),
        ("April-June 2023", "2023-Q2"),
        ("2023 January-June", "2023-H1"),
        ("Jan-Dec 2023", "2023"),
        ("H1/2023", "2023-H1"),
    ],
)
def test_stretches_of_months_are_what_headings_call_them(text: str, head: str) -> None:
    (asked,) = periods_in(f"What were the sales in {text}?")
    assert period_of(text) == head
    assert period_fit(asked, head) == 1.0


def test_months_in_small_letters_are_no_length() -> None:
    assert [each.key for each in periods_in("revenue of $6M in 2023 and 6m 2023")] == ["2023", "2023"]
