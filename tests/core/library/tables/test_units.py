from __future__ import annotations

import pytest

from core.library.tables.periods import period_of
from core.library.tables.units import is_units, last_units, trailing_units, units_in


@pytest.mark.parametrize(
    ("text", "scale", "currency"),
    [
        ("(in millions, except per share amounts)", 1e6, None),
        ("(millions, except per share amounts)", 1e6, None),
        ("(Millions)", 1e6, None),
        ("$ and shares in millions, except per share amounts", 1e6, "USD"),
        ("(Dollars in millions)", 1e6, "USD"),
        ("€m", 1e6, "EUR"),
        ("$’000", 1e3, "USD"),
        ("$000", 1e3, "USD"),
        ("באלפי ש״ח", 1e3, "ILS"),
        ("במיליוני דולר", 1e6, "USD"),
        ("U.S. $ in thousands", 1e3, "USD"),
        ("%", None, None),
        ("kEUR", 1e3, "EUR"),
        ("(T€)", 1e3, "EUR"),
        ("MUSD", 1e6, "USD"),
    ],
)
def test_units(text: str, scale: float | None, currency: str | None) -> None:
    found = units_in(text)
    assert found is not None
    assert found.scale == scale
    assert found.currency == currency
    assert is_units(text)


@pytest.mark.parametrize("text", ["Medium-term note ($600 million)", "Segment results", "Net sales", "shares"])
def test_labels_are_no_units(text: str) -> None:
    assert not is_units(text)


def test_the_last_units_of_a_running_text_count() -> None:
    text = "Costs (in millions) are below. Assets by area were as follows (in thousands): see note (2)."
    assert last_units(text) == units_in("(in thousands)")
    assert last_units("A note of ($600 million) was repaid.") is None


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Three Months Ended June 30, 2023", "2023-Q2"),
        ("Six Months Ended December 31, 2022", "2022-H2"),
        ("Years Ended September 30, 2019", "2019"),
        ("Twelve months ended June 30, 2023", "2023"),
        ("December 31, 2018", "2018-12-31"),
        ("Balances at February 2, 2019", "2019-02-02"),
        ("31 בדצמבר 2022", "2022-12-31"),
        ("2 0 1 8", "2018"),
        ("FY22", "2022"),
        ("2Q23", "2023-Q2"),
        ("1st July 2031", "2031-07-01"),
        ("June 30, (in millions) 2031", "2031-06-30"),
        ("June 30 2031 2031", "2031-06-30"),
        ("June 30 2031 2030", "2031-06-30"),
        ("June 30", None),
        ("6/30/31", "2031-06-30"),
        ("June of 2031", "2031-06"),
        ("בדצמבר 2031", "2031-12"),
        ("הרבעון הראשון של 2031", "2031-Q1"),
        ("רבעון ראשון 2031", "2031-Q1"),
        ("third quarter 2031", "2031-Q3"),
        ("thirteen weeks ended July 29, 2031", "2031-Q3"),
        ("thirteen weeks ended July 1, 2031", "2031-Q2"),
        ("three months ended January 1, 2031", "2030-Q4"),
        ("six months ended July 1, 2031", "2031-H1"),
        ("three and six months ended June 30, 2031", "2031-H1"),
        ("52 weeks ended February 1, 2031", "2031"),
        ("Nine months 2031", "2031-9M"),
        ("one month ended June 30, 2031", "2031-06-30"),
        ("Quarter ended June 30, 2031", "2031-Q2"),
        ("For the year 2031", "2031"),
        ("2018 vs 2017", None),
        ("Total", None),
        ("1,987", None),
    ],
)
def test_periods(text: str, key: str | None) -> None:
    assert period_of(text) == key


@pytest.mark.parametrize(
    ("heading", "scale", "currency"),
    [
        ("30 June 2019 £m", 1e6, "GBP"),
        ("2018 $'000 RESTATED", 1e3, "USD"),
        ("Financial assets 2019 RMB'Million", 1e6, "CNY"),
        ("2019 EURm", 1e6, "EUR"),
    ],
)
def test_units_at_the_end_of_a_heading(heading: str, scale: float, currency: str) -> None:
    found = trailing_units(heading)
    assert found is not None
    assert (found.scale, found.currency) == (scale, currency)


def test_a_heading_without_units_has_none_at_its_end() -> None:
    assert trailing_units("December 31, 2019") is None
    assert trailing_units("Team") is None


def test_a_statement_about_shares_goes_with_the_one_about_amounts() -> None:
    found = last_units("(Amounts in millions) Earnings for the years (shares in thousands, except per share data):")
    assert found is not None
    assert found.scale == 1e6
    assert "shares in thousands" in found.printed
