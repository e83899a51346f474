import pytest

from core.answering.prose.pairing import periods_of
from core.answering.prose.values import Value, values_in


def of_kind(text: str, kind: str) -> list[tuple[str, Value]]:
    return [(text[value.start : value.end], value) for value in values_in(text) if value.kind == kind]


@pytest.mark.parametrize(
    ("text", "said", "number", "scale", "currency"),
    [
        ("sales of $5.2 million in all", "$5.2 million", 5.2, 1e6, "USD"),
        ("a loss of £(8.1m) before tax", "£(8.1m)", -8.1, 1e6, "GBP"),
        ("a charge of ($3.2 million)", "($3.2 million)", -3.2, 1e6, "USD"),
        ("it paid US$261,518 then", "US$261,518", 261518.0, 1.0, "USD"),
        ("gains of RMB77 million were made", "RMB77 million", 77.0, 1e6, "CNY"),
        ("about 12 billion euros", "12 billion euros", 12.0, 1e9, "EUR"),
        ('הסתכמו ב-4.2 מיליון ש"ח בשנה', '4.2 מיליון ש"ח', 4.2, 1e6, "ILS"),
    ],
)
def test_amounts_have_number_scale_and_currency(
    text: str, said: str, number: float, scale: float, currency: str
) -> None:
    ((words, value),) = of_kind(text, "amount")
    assert (words, value.number, value.scale, value.currency) == (said, number, scale, currency)


def test_per_cents_durations_dates_and_counts_are_told_apart() -> None:
    text = "By January 31, 2020, 11% of the staff, or 1,027 employees, had left within 2.5 years."
    assert [words for words, _ in of_kind(text, "percent")] == ["11%"]
    assert [words for words, _ in of_kind(text, "count")] == ["1,027"]
    assert [words for words, _ in of_kind(text, "duration")] == ["2.5 years"]
    assert [value.key for _, value in of_kind(text, "date")] == ["2020-01-31"]


def test_a_year_is_no_amount_and_a_period_no_duration() -> None:
    assert [value.kind for value in values_in("in the twelve months ended June 30, 2021")] == ["date"]


def test_names_are_runs_of_capitals_with_their_legal_form() -> None:
    text = "The board sold Larkin Mills, Inc. to the Bank of Ostrava."
    assert [words for words, _ in of_kind(text, "name")] == ["Larkin Mills, Inc.", "Bank of Ostrava"]


def test_respectively_pairs_figures_and_years_in_their_order() -> None:
    text = "Rent was $4, $3 and $2 in 2021, 2020 and 2019, respectively."
    values = values_in(text)
    periods = periods_of(text, values)
    assert {values[place].number: key for place, key in periods.items()} == {4.0: "2021", 3.0: "2020", 2.0: "2019"}


def test_each_figure_takes_the_year_of_its_clause() -> None:
    text = "Rent rose to $9 million in 2021, whereas it had been $7 million in 2020."
    values = values_in(text)
    periods = periods_of(text, values)
    assert {values[place].number: key for place, key in periods.items()} == {9.0: "2021", 7.0: "2020"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("closed for 7 hours and 40 minutes in all", "7 hours and 40 minutes"),
        ("a term of one year, two months and 3 days", "one year, two months and 3 days"),
        ("נסגר למשך 7 שעות ו-40 דקות", "7 שעות ו-40 דקות"),
    ],
)
def test_a_duration_of_several_units_is_one(text: str, said: str) -> None:
    assert [words for words, _ in of_kind(text, "duration")] == [said]


def test_marks_within_a_word_quote_nothing() -> None:
    assert of_kind('המחיר 298 ש"ח ועוד 118 ש"ח התקנה', "name") == []
