"""Checks queries over datasets against pandas and against what they must refuse."""

from __future__ import annotations

import datetime
from pathlib import Path

import duckdb
import pandas
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.datasets.answers.first_line import remarks_of
from core.datasets.answers.how import described
from core.datasets.query.model import DataQuery
from core.datasets.query.result import QueryResult
from core.datasets.query.run import QueryRunner
from core.datasets.records import Column, ColumnType, Dataset
from core.errors import PalimpsestError

NORTH = {"column": "Region", "value": "North"}
REGIONS = ["North", "South", "East", None]


def orders() -> pandas.DataFrame:
    """40 orders: number, customer code, region, day, amount, currency, share, paid."""
    rows = []
    for n in range(40):
        rows.append(
            (
                f"SO-{n:03d}", f"{n % 7:04d}", REGIONS[n % 4],
                datetime.date(2023, 1, 15) + datetime.timedelta(days=n * 17),
                None if n % 9 == 8 else n * 10.5, "EUR", n / 100, n % 3 > 0,
            )
        )  # fmt: skip
    rows.append(rows[-1])
    return pandas.DataFrame(
        rows, columns=["Order", "Customer", "Region", "Day", "Amount", "Currency", "Discount", "Paid"]
    )


KINDS: list[ColumnType] = ["code", "code", "category", "date", "money", "category", "percent", "boolean"]


def stored(folder: Path, frame: pandas.DataFrame, name: str, kinds: list[ColumnType], unit_key: str | None) -> Dataset:
    """Writes a dataset the way that reading does."""
    connection = duckdb.connect()
    connection.register("frame", frame)
    columns = ", ".join(f'"{heading}" AS c{number}' for number, heading in enumerate(frame.columns))
    path = folder / f"{name}.parquet"
    connection.execute(
        f"COPY (SELECT {columns}, row_number() OVER () + 1 AS _row FROM frame) TO '{path}' (FORMAT parquet)"
    )
    made = tuple(
        Column(key=f"c{n}", name=str(heading), type=kind, unit_key=unit_key if kind == "money" else None)
        for n, (heading, kind) in enumerate(zip(frame.columns, kinds, strict=True))
    )
    return Dataset(id=name, document_id="d", name=name, digest=path.name, rows=len(frame), columns=made)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("datasets")


@pytest.fixture(scope="module")
def sets(folder: Path) -> dict[str, Dataset]:
    customers = pandas.DataFrame(
        [(f"{n:04d}", f"Customer {n}", ["NO", "SE"][n % 2]) for n in range(9)] + [("0000", "Customer 0", "NO")],
        columns=["Code", "Name", "Country"],
    )
    mixed = pandas.DataFrame([(5.0, "EUR"), (7.0, "USD"), (3.0, "EUR")], columns=["Amount", "Currency"])
    return {
        "orders": stored(folder, orders(), "orders", KINDS, None),
        "customers": stored(folder, customers, "customers", ["code", "text", "category"], None),
        "mixed": stored(folder, mixed, "mixed", ["money", "category"], "c1"),
    }


@pytest.fixture(scope="module")
def runner(folder: Path) -> QueryRunner:
    return QueryRunner(folder)


def run(runner: QueryRunner, sets: dict[str, Dataset], **query: object) -> QueryResult:
    return runner.run(DataQuery.model_validate(query), sets)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    function=st.sampled_from(["sum", "mean", "median", "min", "max", "stddev"]),
    least=st.integers(0, 400),
    paid=st.sampled_from([True, False, None]),
    regions=st.lists(st.sampled_from(["north", "South", "EAST"]), max_size=3),
    once=st.booleans(),
)
def test_measures_by_group_are_those_of_pandas(
    runner: QueryRunner,
    sets: dict[str, Dataset],
    function: str,
    least: int,
    paid: bool | None,
    regions: list[str],
    once: bool,
) -> None:
    where: list[dict[str, object]] = [{"column": "Amount", "op": ">=", "value": least}]
    frame = orders()
    frame = frame.drop_duplicates() if once else frame
    frame = frame[frame["Amount"] >= least]
    if paid is not None:
        where.append({"column": "Paid", "value": paid})
        frame = frame[frame["Paid"] == paid]
    if regions:
        where.append({"column": "Region", "op": "in", "value": regions})
        frame = frame[frame["Region"].str.lower().isin([region.lower() for region in regions])]
    result = run(
        runner, sets, dataset="orders", where=where, group=[{"column": "Region"}], repeated="once" if once else "keep",
        measures=[{"function": function, "column": "Amount", "name": "value"}, {"function": "count", "name": "rows"}],
    )  # fmt: skip
    grouped = frame.groupby("Region", dropna=False)["Amount"]
    expected = grouped.std() if function == "stddev" else getattr(grouped, function)()
    counts = grouped.size()
    assert result.rows_used == len(frame)
    assert len(result.frame) == len(expected)
    for region, value, rows in result.frame.itertuples(index=False):
        key = None if pandas.isna(region) else region
        wanted = expected[expected.index.isna()].iloc[0] if key is None else expected[key]
        assert value == pytest.approx(wanted, nan_ok=True)
        assert rows == (counts[counts.index.isna()].iloc[0] if key is None else counts[key])


def test_changes_over_time_shares_and_ratios(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    result = run(
        runner, sets, dataset="orders", repeated="once", group=[{"column": "Day", "bucket": "year"}],
        measures=[
            {"function": "sum", "column": "Amount", "name": "amount"},
            {"function": "distinct", "column": "Customer", "name": "customers"},
            {"function": "share", "column": "Amount", "where": [NORTH], "name": "north"},
        ],
        calculations=[{"name": "per customer", "expression": "[amount] / [customers]"}],
        changes=[{"change": "growth", "measure": "amount", "name": "growth"}],
    )  # fmt: skip
    frame = orders().drop_duplicates()
    years = [day.year for day in frame["Day"]]
    amount = frame.groupby(years)["Amount"].sum()
    customers = frame.groupby(years)["Customer"].nunique()
    north = frame[frame["Region"] == "North"].groupby([d.year for d in frame[frame["Region"] == "North"]["Day"]])
    assert list(result.frame["Day"]) == ["2023", "2024"]
    assert list(result.frame["growth"])[1] == pytest.approx(amount[2024] / amount[2023] - 1)
    assert list(result.frame["per customer"]) == pytest.approx(
        [amount[year] / customers[year] for year in (2023, 2024)]
    )
    assert list(result.frame["north"]) == pytest.approx(
        [north["Amount"].sum()[year] / amount[year] for year in (2023, 2024)]
    )
    assert result.blank == {"Amount": 4}


def test_rows_with_the_extreme_value_and_where_they_are(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    order = [{"by": "Amount", "descending": True}]
    result = run(runner, sets, dataset="orders", columns=["Order", "Amount"], order=order, extreme=True)
    assert [tuple(row) for row in result.frame.itertuples(index=False)] == [("SO-039", 409.5), ("SO-039", 409.5)]
    top = run(runner, sets, dataset="orders", where=[{"column": "Day", "value": "2024-05"}], columns=["Order"])
    days = [day for day in orders()["Day"] if (day.year, day.month) == (2024, 5)]
    assert top.rows_used == len(days)
    assert orders()["Day"][top.places[0] - 2] == days[0]


def test_joins_match_once_and_find_what_is_missing(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    join = {"dataset": "customers", "left": "Customer", "right": "Code"}
    joined = run(
        runner, sets, dataset="orders", joins=[join], group=[{"column": "Country"}],
        measures=[{"function": "count", "name": "rows"}],
    )  # fmt: skip
    assert joined.frame["rows"].sum() == 41, "the customer that is repeated must not double the orders"
    never = run(
        runner, sets, dataset="customers", measures=[{"function": "distinct", "column": "Code", "name": "n"}],
        joins=[{"dataset": "orders", "left": "Code", "right": "Customer", "keep": "missing"}],
    )  # fmt: skip
    assert list(never.frame["n"]) == [2]


def test_different_currencies_are_never_added(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    total = run(runner, sets, dataset="mixed", measures=[{"function": "sum", "column": "Amount", "name": "sum"}])
    assert total.has_mixed_units
    assert sorted(total.frame.itertuples(index=False, name=None)) == [("EUR", 8.0), ("USD", 7.0)]
    euros = run(
        runner, sets, dataset="mixed", where=[{"column": "Currency", "value": "eur"}],
        measures=[{"function": "sum", "column": "Amount", "name": "sum of Amount"}],
    )  # fmt: skip
    assert not euros.has_mixed_units
    assert euros.columns[0].unit == "EUR"
    with pytest.raises(PalimpsestError):
        run(
            runner, sets, dataset="orders", derive=[{"name": "x", "expression": "__import__('os')"}],
            measures=[{"function": "sum", "column": "x"}],
        )  # fmt: skip


@pytest.mark.parametrize(
    "query",
    [
        {"columns": ["Profit"]},
        {"measures": [{"function": "sum", "column": "Region"}]},
        {"where": [{"column": "Amount", "op": ">", "value": "many"}]},
        {"group": [{"column": "Region", "bucket": "month"}], "measures": [{"function": "count"}]},
        {"dataset": "wages"},
    ],
)
def test_an_unusable_query_says_what_is_there(
    runner: QueryRunner, sets: dict[str, Dataset], query: dict[str, object]
) -> None:
    with pytest.raises(PalimpsestError) as caught:
        run(runner, sets, **{"dataset": "orders", **query})
    assert caught.value.problem.category == "validation"


@pytest.mark.parametrize("weekend", [[6, 7], ["Saturday", "sunday"], ["יום שבת", "יום ראשון"]])
def test_weekdays_can_be_named(runner: QueryRunner, sets: dict[str, Dataset], weekend: list[object]) -> None:
    found = run(
        runner, sets, dataset="orders", where=[{"column": "Day", "bucket": "weekday", "op": "in", "value": weekend}]
    )
    days = {datetime.date(2023, 1, 15) + datetime.timedelta(days=n * 17) for n in range(40)}
    assert len({str(day)[:10] for day in found.frame["Day"]}) == sum(day.isoweekday() > 5 for day in days)
    assert "Saturday" in "".join(part.text for part in described(found.query, found.datasets, "en"))


def test_the_result_is_sorted_by_the_only_measure_of_a_column(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    asked: dict[str, object] = {"dataset": "orders", "group": [{"column": "Region"}], "order": [{"by": "amount"}]}
    once = {"function": "sum", "column": "Amount"}
    found = run(runner, sets, **asked, measures=[once])
    assert list(found.frame["sum of Amount"]) == sorted(found.frame["sum of Amount"])
    with pytest.raises(PalimpsestError):
        run(runner, sets, **asked, measures=[once, {"function": "mean", "column": "Amount"}])


def test_a_name_that_several_datasets_share_is_refused(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    twice = {**sets, "other": sets["customers"].model_copy(update={"id": "other", "name": "orders"})}
    with pytest.raises(PalimpsestError) as caught:
        run(runner, {**twice, "first": sets["orders"].model_copy(update={"id": "first"})}, dataset="Orders")
    assert "other (Code, Name, Country)" in caught.value.problem.why.en


def test_no_other_file_can_be_read(runner: QueryRunner, sets: dict[str, Dataset], tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("a\n1\n")
    run(runner, sets, dataset="orders", measures=[{"function": "count"}])
    with pytest.raises(duckdb.PermissionException):
        runner._connection().cursor().execute(f"SELECT * FROM read_csv('{secret}')")
    with pytest.raises(duckdb.InvalidInputException):
        runner._connection().cursor().execute("SET enable_external_access = true")


def test_parts_that_do_not_fit_each_other_give_a_plain_error(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    with pytest.raises(PalimpsestError) as caught:
        run(runner, sets, dataset="orders", where=[{"column": "Day", "op": "<", "other": "Amount"}])
    assert caught.value.problem.category == "validation"


def test_repeated_rows_are_mentioned_as_they_were_counted(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    known = {**sets, "orders": sets["orders"].model_copy(update={"repeated": 1})}
    for repeated, words in (("keep", "it is counted."), ("once", "it is not counted again.")):
        result = run(runner, known, dataset="orders", measures=[{"function": "count"}], repeated=repeated)
        assert remarks_of(result, "en")[0].endswith(words)
    assert remarks_of(run(runner, known, dataset="orders", columns=["Order"]), "en") == []


def test_amounts_are_converted_at_given_rates_and_others_stay_apart(
    runner: QueryRunner, sets: dict[str, Dataset]
) -> None:
    total = {"measures": [{"function": "sum", "column": "Amount", "name": "total"}]}
    dollars = {"to": "USD", "rates": [{"one": "EUR", "equals": 1.5, "of": "USD"}]}
    result = run(runner, sets, dataset="mixed", convert=dollars, **total)
    assert result.frame.to_numpy().tolist() == [[7 + 8 * 1.5]]
    assert result.columns[0].unit == "USD"
    pounds = {"to": "GBP", "rates": [{"one": "GBP", "equals": 2, "of": "EUR"}]}
    result = run(runner, sets, dataset="mixed", convert=pounds, **total)
    assert sorted(result.frame.to_numpy().tolist()) == [["GBP", 4.0], ["USD", 7.0]]
    kept = run(runner, sets, dataset="mixed", where=[{"column": "Currency", "value": "EUR"}], convert=dollars, **total)
    assert kept.frame.to_numpy().tolist() == [[12.0]]
    with pytest.raises(ValueError, match="pattern"):
        DataQuery.model_validate({"dataset": "mixed", "convert": {"to": "X' OR 1=1", "rates": dollars["rates"]}})


def test_a_unit_of_a_derived_column_never_adds_currencies(runner: QueryRunner, sets: dict[str, Dataset]) -> None:
    result = run(
        runner, sets, dataset="mixed", derive=[{"name": "net", "expression": "[Amount] * 0.5", "unit": "EUR"}],
        measures=[{"function": "sum", "column": "net"}],
    )  # fmt: skip
    assert sorted(result.frame.to_numpy().tolist()) == [["EUR", 4.0], ["USD", 3.5]]
    assert [column.role for column in result.columns] == ["group", "measure"]
