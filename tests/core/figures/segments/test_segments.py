from __future__ import annotations

from collections.abc import Sequence

import pytest

from core.figures.records import Origin, TableEvidence
from core.figures.segments.answers import answer_from_segments
from core.language.detection import detect
from core.library.tables.records import Cell, Column, Row, Table
from core.question.analysed import AnalysedQuestion
from core.records.answer import Answer

ORIGIN = Origin(1, "doc_1", "Annual report", kind="annual report", names=("Nordvik",), periods=("2031",))
Rows = Sequence[tuple[str, Sequence[float | None]]]


def table(caption: str, columns: Sequence[tuple[str, str | None]], rows: Rows, unit: str = "") -> Table:
    made, parents = list[Row](), list[str]()
    for label, values in rows:
        if not values:
            parents = [label.rstrip(":")] if label.endswith(":") else []
        cells = [
            Cell() if value is None
            else Cell(text=f"{value:,}{unit}", kind="share" if unit else "number", value=float(value))
            for value in values
        ]  # fmt: skip
        made.append(Row(label=label, parents=parents if values else [], cells=cells))
    heads = [Column(header=[header], period=period) for header, period in columns]
    scale = {} if unit else {"units": "in millions", "scale": 1e6, "currency": "USD"}
    return Table(caption=caption, columns=heads, rows=made, **scale)  # type: ignore[arg-type]


YEARS = [("2031", "2031"), ("2030", "2030")]
SEGMENTS = table(
    "Segment information",
    YEARS,
    [
        ("Net sales:", []),
        ("Harbours", [500, 490]),
        ("Shipyards", [300, 200]),
        ("Ferries", [150, 180]),
        ("Other", [50, 10]),
        ("Total net sales", [1000, 880]),
        ("Operating income:", []),
        ("Harbours", [40, 45]),
        ("Shipyards", [60, 30]),
        ("Ferries", [-5, 10]),
        ("Total operating income", [95, 85]),
    ],
)
CHANGES = table(
    "Sales change by business segment",
    [("Organic sales", "2031"), ("Acquisitions", "2031"), ("Total sales change", "2031")],
    [("Harbours", [3.0, 0.0, 2.0]), ("Shipyards", [-1.5, 51.5, 50.0]), ("Ferries", [2.0, 0.0, -16.7])],
    unit="%",
)
VOTES = table(
    "The votes cast for each nominee to the board were as follows",
    [("Votes For", "2031"), ("Votes Against", "2031")],
    [("Ada Holm", [900, 12]), ("Bo Lind", [700, 210]), ("Cy Moe", [890, 25])],
)
INCOME = table(
    "Consolidated Statements of Income", YEARS,
    [("Net sales", [1000, 880]), ("Cost of sales", [600, 500]), ("Gross profit", [400, 380]), ("Net income", [80, 70])],
)  # fmt: skip
TABLES = [INCOME, SEGMENTS, CHANGES, VOTES]


def answer(text: str, *tables: Table, periods: tuple[str, ...] = ("2031",)) -> Answer | None:
    evidence = [TableEvidence(ORIGIN, number, each) for number, each in enumerate(tables or TABLES)]
    found = answer_from_segments(AnalysedQuestion(text, detect(text), text, ("Nordvik",), periods), evidence)
    return found[0].answer if found else None


def test_the_part_with_the_largest_figure_under_the_heading_that_is_asked_for() -> None:
    sales = answer("Which segment of Nordvik had the highest net sales in 2031?")
    income = answer("Which segment of Nordvik had the highest operating income in 2031?")
    assert sales
    assert income
    assert (sales.value, income.value) == ("Harbours", "Shipyards")
    assert "$500 million" in sales.line
    assert sales.doubt is None
    assert [cell.text for cell in income.cells][:1] == ["60"]


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        ("What were Nordvik's net sales in Shipyards in 2031?", 300),
        ("What was the operating income of the Ferries segment of Nordvik in 2031?", -5),
        ("מה היו המכירות של מגזר Shipyards של Nordvik ב-2031?", 300),
    ],
)
def test_the_figure_of_a_part_that_is_named_is_its_cell(asked: str, value: float) -> None:
    found = answer(asked)
    assert found
    assert (found.kind, found.value, found.scale, found.currency) == ("figure", value, 1e6, "USD")
    assert len(found.cells) == 1
    assert found.doubt is None


def test_initials_and_names_are_one_part() -> None:
    short = table("Net sales by segment", YEARS, [("HBN", [30, 20]), ("FRS", [70, 60]), ("Total net sales", [100, 80])])
    long = table(
        "Net sales by segment", YEARS,
        [("Harbours and Boats North", [30, 20]), ("Ferries", [70, 60]), ("Total net sales", [100, 80])],
    )  # fmt: skip
    by_name = answer("What were net sales of Harbours and Boats North in 2031?", short)
    by_initials = answer("What were net sales of HBN in 2031?", long)
    assert by_name
    assert by_initials
    assert by_name.value == by_initials.value == 30


@pytest.mark.parametrize(
    "text",
    [
        "What were Nordvik's net sales in 2031?",
        "What were Nordvik's net sales in Dockyards in 2031?",
        "What were Nordvik's net sales in Shipyards abroad in 2031?",
        "What were Nordvik's net sales in Shipyards in 2030 and 2031?",
        "What was the change in net sales of Shipyards in 2031?",
        "Why did net sales of Shipyards rise in 2031?",
    ],
)
def test_no_part_is_answered_for_that_the_words_do_not_name(text: str) -> None:
    assert answer(text) is None


def test_the_largest_by_nothing_that_is_said_is_judged_by_revenue_and_says_so() -> None:
    for text in ("Which segment of Nordvik was the largest in 2031?", "איזה מגזר של Nordvik היה הגדול ביותר ב-2031?"):
        found = answer(text)
        assert found
        assert found.value == "Harbours"
        assert found.doubt is not None
        assert "הכנסות" in found.doubt.he


def test_growth_is_worked_out_of_two_years_and_shown() -> None:
    best = answer("Which of Nordvik's segments saw net sales grow the most in 2031?")
    worst = answer("In which segment did Nordvik's net sales decline the most in 2031?")
    assert best
    assert worst
    assert best.value == "Shipyards"
    assert "50 %" in best.line
    assert best.calculation.startswith("(300 − 200) ÷ 200")
    assert worst.value == "Ferries"
    assert "fell by 16.7 %" in worst.line


def test_what_others_and_totals_have_is_no_part() -> None:
    found = answer("Which segment of Nordvik grew its net sales fastest in 2031?")
    assert found
    assert found.value == "Shipyards"


def test_without_acquisitions_is_the_column_of_organic_sales() -> None:
    found = answer("If we exclude the impact of acquisitions, which segment dragged down Nordvik's growth in 2031?")
    assert found
    assert found.value == "Shipyards"
    assert "1.5 %" in found.line
    assert found.doubt is not None  # the item that caused the drop is not named


def test_parts_beyond_a_share_of_the_whole() -> None:
    found = answer("Are there any segments that represent more than 20% of Nordvik's net sales in 2031?")
    assert found
    assert found.value == ["Harbours", "Shipyards"]
    assert found.line.startswith("Yes: Harbours 50 %, Shipyards 30 % of")
    none = answer("Is there a segment that represents more than 60% of Nordvik's net sales in 2031?")
    assert none
    assert none.line.startswith("No: the largest is Harbours with 50 %")


def test_votes_are_compared_in_the_column_that_is_named() -> None:
    found = answer("Which nominees of Nordvik had substantially more votes against than the others?")
    assert found
    assert found.value == "Bo Lind"
    assert "210" in found.line
    assert "25" in found.line


def test_lines_of_a_statement_are_no_parts() -> None:
    assert answer("Which segment of Nordvik had the highest net sales in 2031?", INCOME) is None


def test_a_period_that_no_table_has_is_not_answered() -> None:
    assert answer("Which segment of Nordvik had the highest net sales in 2019?", periods=("2019",)) is None


def test_what_asks_for_no_part_is_left_to_others() -> None:
    assert answer("What were Nordvik's net sales in 2031?") is None
    assert answer("What is the largest risk of Nordvik?") is None


def test_a_heading_run_into_its_first_row_is_parted() -> None:
    rows: Rows = [("Revenue by reportable segment North", [60, 50]), ("South", [40, 50]), ("Total revenue", [100, 100])]
    run_in = table("Revenue information", YEARS, rows)
    under = run_in.rows[1].model_copy(update={"parents": ["Revenue by reportable segment North"]})
    run_in = run_in.model_copy(update={"rows": [run_in.rows[0], under, run_in.rows[2]]})
    found = answer("Which segment of Nordvik had the highest revenue in 2031?", run_in)
    assert found
    assert found.value == "North"


def test_parts_that_do_not_make_up_their_total_carry_a_doubt() -> None:
    rows: Rows = [("Harbours", [500, 490]), ("Shipyards", [100, 20]), ("Total net sales", [1000, 880])]
    found = answer(
        "Which segment of Nordvik had the highest net sales in 2031?", table("Net sales by segment", YEARS, rows)
    )
    assert found
    assert found.doubt is not None


def test_what_is_called_like_the_figure_is_no_part_of_it() -> None:
    rows: Rows = [
        ("Net sales - external", [900, 800]),
        ("Net sales - to subsidiaries", [100, 80]),
        ("Total", [1000, 880]),
    ]
    assert answer("Which region of Nordvik had the highest net sales in 2031?", table("Obligors", YEARS, rows)) is None


def test_where_places_are_asked_for_places_go_first() -> None:
    rows: Rows = [("Norway and Europe", [300, 290]), ("Asia", [700, 590]), ("Total net sales", [1000, 880])]
    regions = table("Net sales by geographic region", YEARS, rows)
    found = answer("Which region of Nordvik had the highest net sales in 2031?", SEGMENTS, regions)
    assert found
    assert (found.value, found.doubt) == ("Asia", None)
