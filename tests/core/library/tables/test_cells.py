from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.library.tables.cells import cell, dates_in, is_date, is_figure, is_no_figure, is_year, tidy


@pytest.mark.parametrize(
    ("text", "kind", "value", "currency"),
    [
        ("1,577", "number", 1577, None),
        ("(1,577)", "number", -1577, None),
        ("$ (12 )", "money", -12, "USD"),
        ("$ 1,577", "money", 1577, "USD"),
        ("—", "number", 0, None),
        ("$ —", "money", 0, "USD"),
        ("— %", "share", 0, None),
        ("12.5%", "share", 12.5, None),
        ("(1.2)%", "share", -1.2, None),
        ("(1.2 %)", "share", -1.2, None),
        ("%12.5", "share", 12.5, None),
        ("1,577 (1)", "number", 1577, None),
        ("1,577[2]", "number", 1577, None),
        ("(1)", "number", -1, None),
        ("€1.234,5", "money", 1234.5, "EUR"),
        ("₪ 1,577", "money", 1577, "ILS"),
        ("1,577 ש״ח", "money", 1577, "ILS"),
        ("1,577-", "number", -1577, None),
        ("−3.5", "number", -3.5, None),
        ("1 577 000", "number", 1577000, None),
        ("45.2M", "number", 45.2e6, None),
        ("412M", "number", 412e6, None),
        ("(1.5K)", "number", -1500, None),
        ("€12.3bn", "money", 12.3e9, "EUR"),
        ("1,2 Mio. €", "money", 1.2e6, "EUR"),
        ("£45m", "money", 45e6, "GBP"),
        ("1.23E+04", "number", 12300, None),
        ("-2E-1", "number", -0.2, None),
        ("12,34,567", "number", 1234567, None),
        ("$2.3 billion", "money", 2.3e9, "USD"),
        ("38²", "number", 38, None),
        ("$4,512¹", "money", 4512, "USD"),
        ("21ᵃ", "number", 21, None),
        ("(38)⁽¹⁾", "number", -38, None),
        ("12.5%¹,²", "share", 12.5, None),
        ("1½", "number", 1.5, None),
        ("¾", "number", 0.75, None),
    ],
)
def test_figures(text: str, kind: str, value: float, currency: str | None) -> None:
    found = cell(text)
    assert (found.kind, found.value, found.currency) == (kind, pytest.approx(value), currency)


@pytest.mark.parametrize(
    "text",
    [
        "n/m",
        "10⁻³",
        "m²",
        "03-5551234",
        "1.2.3",
        "12 apples",
        "(12",
        "5 – 10",
        "Level 1",
        "1/2",
        "12M",
        "4B",
        "45 m",
        "10K",
        "3E4",
        "1.5T",
        "3 kW",
    ],
)
def test_what_is_no_figure_is_text(text: str) -> None:
    assert (cell(text).kind, cell(text).value) == ("text", None)


@pytest.mark.parametrize("text", ["June 30, 2023", "30 June 2023", "2023-06-30", "12/31/2018", "31 בדצמבר 2018"])
def test_dates_are_no_figures(text: str) -> None:
    assert cell(text).kind == "date"
    assert not is_figure(text)


@pytest.mark.parametrize(
    "text",
    ["2031-06-30", "2031-6-3 10:15", "6/30/31", "3.4.2031", "June 30", "June 30, 2031", "30 June", "Jun. 2031",
     "30 ביוני 2031", "ב-30.6.2031", "June 30,2031"],
)  # fmt: skip
def test_a_cell_may_hold_a_date_and_nothing_else(text: str) -> None:
    assert is_date(text)
    assert dates_in(text) == [text[:8] if ":" in text else text]
    assert not is_date(f"{text} and more")


def test_what_no_calendar_has_is_no_date() -> None:
    assert not is_date("31/31/2031")
    assert not is_date("June 31, 2031")


def test_dates_of_several_columns_in_one_piece() -> None:
    assert dates_in("June 30, 2031 June 30, 2030") == ["June 30, 2031", "June 30, 2030"]
    assert dates_in("due June 30, 2031") == []


def test_a_dash_among_words_is_a_text() -> None:
    assert cell("-", numeric=False).kind == "text"
    assert cell("").kind == "empty"


def test_signs_that_stand_apart_are_joined() -> None:
    assert tidy("$  (12 ) %") == "$(12)%"
    assert tidy("a ( b )") == "a ( b )"


def test_ranges_and_years_are_told_from_figures() -> None:
    assert is_no_figure("0.5 - 2.0")
    assert is_no_figure("26% - 29%")
    assert not is_no_figure("2019 - 2020")
    assert is_year("2018 (1)")
    assert not is_year("2,018")


@given(st.integers(-(10**12), 10**12), st.sampled_from(["", "$", "€", "₪"]), st.booleans())
def test_what_is_printed_is_read_back(number: int, sign: str, spaced: bool) -> None:
    digits = f"{abs(number):,}"
    printed = f"{sign}{' ' if spaced else ''}({digits})" if number < 0 else f"{sign}{' ' if spaced else ''}{digits}"
    assert cell(printed).value == number


@pytest.mark.parametrize("text", ["00417", "007", "$0417"])
def test_zeros_before_a_number_make_a_code(text: str) -> None:
    assert (cell(text).kind, cell(text).value, is_figure(text)) == ("text", None, False)
    assert [cell(nil).value for nil in ("0", "0.5", "00")] == [0, 0.5, 0]


@given(st.text(max_size=60))
def test_no_text_breaks_a_cell_and_a_value_needs_a_digit_or_a_dash(text: str) -> None:
    found = cell(text)
    if found.value:
        assert any(map(str.isnumeric, text))
    assert is_figure(text) in (True, False)


@pytest.mark.parametrize(
    "text",
    ["$10.95 billion to $11.05 billion", "4% to 5%", "25-30", "approximately $900 million", "~12%"],
)
def test_a_range_or_an_amount_that_is_near_stands_where_a_figure_would(text: str) -> None:
    assert is_no_figure(text)


@pytest.mark.parametrize("text", ["2021-2023", "about 2023", "approximately", "12 apples to 15 pears"])
def test_years_and_words_do_not(text: str) -> None:
    assert not is_no_figure(text)
