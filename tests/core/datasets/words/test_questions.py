"""Reads questions in words as queries over a small table of sales."""

from __future__ import annotations

from core.datasets.query.model import Condition, DataQuery
from core.datasets.records import Column, Dataset
from core.datasets.words.question import query_of
from core.datasets.words.understanding import Absent, Ambiguity, Understanding, Understood
from core.question.analysed import analysed

TEAS = Dataset(
    id="teas",
    document_id="d",
    name="Tea sales",
    sheet="Sales",
    rows=400,
    columns=(
        Column(key="c0", name="Invoice", type="code", distinct=400),
        Column(key="c1", name="Invoice date", type="date", distinct=200, least="2023-01-02", most="2024-06-29"),
        Column(key="c2", name="Due date", type="date", distinct=200, least="2023-02-02", most="2024-07-29"),
        Column(key="c3", name="Harbour", type="category", distinct=3, values=("Lisbon", "Porto", "Faro")),
        Column(key="c4", name="Chests", type="number", distinct=30, least="1", most="90"),
        Column(key="c5", name="Amount", type="money", unit="EUR", distinct=300, least="10", most="9000"),
        Column(key="c6", name="Settled", type="boolean", distinct=2, values=("true", "false")),
    ),
)


def _asked(text: str, *previous: DataQuery) -> Understanding:
    return query_of(analysed(text), [TEAS], previous)


def _query(text: str, *previous: DataQuery) -> DataQuery:
    found = _asked(text, *previous)
    assert isinstance(found, Understood), found
    assert found.is_sure, found.left
    return found.query


def test_a_sum_with_conditions_names_its_column_value_and_period() -> None:
    query = _query("total amount from Porto in March 2024, by invoice date")
    assert [(measure.function, measure.column) for measure in query.measures] == [("sum", "Amount")]
    assert Condition(column="Harbour", value="Porto") in query.where
    assert Condition(column="Invoice date", bucket="month", value="2024-03") in query.where


def test_groups_top_lists_and_negations_are_understood() -> None:
    assert [group.column for group in _query("amount by harbour").group] == ["Harbour"]
    top = _query("top 2 harbours by amount")
    assert (top.limit, top.order[0].descending) == (2, True)
    assert _query("How many invoices are not settled?").where == [Condition(column="Settled", value=False)]


def test_a_hebrew_question_asks_english_columns() -> None:
    query = _query("מה סך המכירות ב-Lisbon?")
    assert query.measures[0].column == "Amount"
    assert query.where == [Condition(column="Harbour", value="Lisbon")]


def test_a_follow_up_replaces_the_value_and_keeps_the_rest() -> None:
    first = _query("total amount from Porto")
    second = _query("and in Faro?", first)
    assert second.measures == first.measures
    assert second.where == [Condition(column="Harbour", value="Faro")]


def test_what_is_not_there_is_said_with_what_is() -> None:
    missing = _asked("What was the profit in Porto?")
    assert isinstance(missing, Absent)
    assert (missing.kind, missing.word) == ("column", "profit")
    assert "Amount" in missing.available
    value = _asked("total amount in the Antwerp harbour")
    assert isinstance(value, Absent)
    assert (value.column, value.available) == ("Harbour", ("Lisbon", "Porto", "Faro"))
    period = _asked("total amount in 2019")
    assert isinstance(period, Absent)
    assert period.available == ("2023-01-02", "2024-06-29")


def test_two_columns_of_dates_are_asked_back() -> None:
    found = _asked("How many lines are dated March 2024?")
    assert isinstance(found, Ambiguity)
    assert [option.name for option in found.options] == ["Invoice date", "Due date"]


def test_a_word_that_is_not_understood_makes_the_reading_uncertain() -> None:
    found = _asked("total amount of fragrant consignments from Porto")
    assert isinstance(found, Understood)
    assert not found.is_sure
    assert "fragrant" in found.left


def test_up_or_down_is_no_answer_to_which_thing_grew() -> None:
    found = _asked("Which planet grew fastest?")
    assert not (isinstance(found, Understood) and found.is_sure)


SHOPS = Dataset(
    id="shops",
    document_id="d",
    name="Shops",
    rows=400,
    columns=(
        Column(key="c0", name="תאריך", type="date", distinct=200, least="2024-01-02", most="2024-12-29"),
        Column(key="c1", name="סניף", type="category", distinct=2, values=("חיפה", "אילת")),
        Column(key="c2", name="מוצר", type="category", distinct=2, values=("תה", "קפה")),
        Column(key="c3", name="סכום", type="money", unit="ILS", distinct=300, least="10", most="9000"),
    ),
)


def test_a_list_of_groups_keeps_all_of_them() -> None:
    for text in ("סכום לפי חודש, סניף ומוצר", "סכום לפי חודש וסניף ולפי מוצר"):
        found = query_of(analysed(text), [SHOPS])
        assert isinstance(found, Understood)
        assert found.is_sure
        assert [group.column for group in found.query.group] == ["תאריך", "סניף", "מוצר"]


def test_a_number_of_things_limits_groups_and_a_number_of_a_column_limits_rows() -> None:
    groups = _query("Harbours with more than 100 invoices")
    assert [group.column for group in groups.group] == ["Harbour"]
    assert groups.having == [Condition(column="value", op=">", value=100.0)]
    totals = _query("Harbours with a total amount above 5,000")
    assert (totals.measures[0].function, totals.where) == ("sum", [])
    rows = _query("How many invoices have an amount above 5,000?")
    assert rows.where == [Condition(column="Amount", op=">", value=5000.0)]
    hebrew = query_of(analysed("סניפים עם יותר מ-100 שורות"), [SHOPS])
    assert isinstance(hebrew, Understood)
    assert hebrew.query.having == groups.having


def test_short_group_words_go_on_with_the_query_before() -> None:
    first = _query("How many settled invoices are from Porto?")
    second = _query("by settled?", first)
    assert [group.column for group in second.group] == ["Settled"]
    assert second.where == [Condition(column="Harbour", value="Porto")]
    top = _query("top 2", _query("amount by harbour"))
    assert (top.limit, top.order[0].descending) == (2, True)


def test_evidence_is_clear_only_with_a_value_or_a_sheet() -> None:
    named = _asked("What was the profit in Porto sales?")
    assert isinstance(named, Absent)
    assert named.evidence.is_clear
    weak = _asked("What was the profit per harbour?")
    assert isinstance(weak, Absent)
    assert not weak.evidence.is_clear


def test_a_word_that_denies_a_heading_is_split() -> None:
    assert _query("How many invoices are unsettled?").where == [Condition(column="Settled", value=False)]


def test_a_follow_up_changes_the_condition_of_a_share() -> None:
    first = _query("share of Porto in amount")
    second = _query("and Faro?", first)
    assert second.where == []
    assert second.measures[0].where == [Condition(column="Harbour", value="Faro")]


def test_a_question_that_fits_two_files_asks_which_is_meant() -> None:
    other = TEAS.model_copy(update={"id": "more", "document_id": "e", "name": "More teas", "sheet": "Sales"})
    found = query_of(analysed("total amount from Porto"), [TEAS, other])
    assert isinstance(found, Ambiguity)
    assert ([option.name for option in found.options], found.word) == (["Tea sales", "More teas"], "")
    same_file = other.model_copy(update={"document_id": "d"})
    assert isinstance(query_of(analysed("total amount from Porto"), [TEAS, same_file]), Understood)


def test_the_staff_of_several_months_is_not_surely_added_up() -> None:
    staff = Dataset(
        id="staff",
        document_id="d",
        name="Staff by month",
        rows=36,
        long_of="wide",
        columns=(
            Column(key="c0", name="Team", type="category", distinct=3, values=("Press", "Bindery", "Office")),
            Column(key="c1", name="Month", type="date", distinct=12, least="2024-01-01", most="2024-12-01"),
            Column(key="c2", name="Staff", type="number", distinct=9, least="1", most="9"),
        ),
    )
    whole = query_of(analysed("How many staff in the Bindery team?"), [staff])
    assert not (isinstance(whole, Understood) and whole.is_sure)
    march = query_of(analysed("How many staff in the Bindery team in March 2024?"), [staff])
    assert isinstance(march, Understood)
    assert march.is_sure


def test_rows_by_group_are_counted() -> None:
    assert [measure.function for measure in _query("lines by harbour").measures] == ["count"]
