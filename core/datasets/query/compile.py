"""Compiles a query over datasets to one parameterised SQL statement, and a second one that counts its rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core.datasets.query.buckets import bucket_sql
from core.datasets.query.columns import Columns, Source, of_query
from core.datasets.query.conditions import Parameters, conditions_sql
from core.datasets.query.expressions import Term, arithmetic
from core.datasets.query.measures import measured, name_of
from core.datasets.query.model import MOST_ROWS, Changing, DataQuery, Join
from core.datasets.query.result import ResultColumn
from core.datasets.records import ROW, Column, ColumnType, Dataset
from core.errors import fail

PLACES = 20
"""Number of rows behind a result whose places are returned."""


@dataclass(frozen=True)
class Compiled:
    """``sql`` returns the result; its columns are named ``r0``, ``r1``, … in the order of ``columns``. ``counts``
    returns one row: the rows used, all rows, the places of the first rows, then the blank cells of each of ``blanks``
    (names of columns). ``values`` are the parameters of both statements."""

    sql: str
    counts: str
    values: dict[str, object]
    columns: tuple[ResultColumn, ...]
    datasets: tuple[Dataset, ...]
    blanks: tuple[str, ...]
    limit: int


def compiled(
    query: DataQuery, datasets: Mapping[str, Dataset], path_of: Callable[[Dataset], str], most: int = MOST_ROWS
) -> Compiled:
    """Compiles ``query``. ``path_of`` returns the local path of a dataset's Parquet file; ``most`` is the maximum
    number of rows of the result.

    Raises:
        PalimpsestError: a dataset, column, value or expression cannot be used ("validation").
    """
    columns = of_query(query, datasets)
    parameters = Parameters()
    rows = _rows(query, columns, parameters, path_of)
    for number, derived in enumerate(query.derive):
        term = arithmetic(derived.expression, lambda name: columns.find(name).term)
        rows = f"SELECT *, CAST({term.sql} AS DOUBLE) AS d{number} FROM ({rows})"
        columns.derived[derived.name.strip().casefold()] = _derived(f"d{number}", derived.name, derived.unit, term)
    where = conditions_sql(query.where, columns.find, parameters)
    used = _stepped(rows, where, query.step) if query.step else f"SELECT * FROM ({rows}) WHERE {where}"
    if query.measures or query.group:
        inner, shown = _grouped(query, columns, parameters)
    else:
        inner, shown = _listed(query, columns)
    limit = min(query.limit or most, most)
    body = _finished(query, inner, shown, parameters, limit)
    blanks = _blanks(query, columns)
    return Compiled(
        sql=f"WITH used AS ({used}) {body}",
        counts=_counts(rows, where, list(blanks.values())),
        values=parameters.values,
        columns=tuple(shown),
        datasets=tuple(columns.datasets),
        blanks=tuple(blanks),
        limit=most if _apart(query, shown) else limit,
    )


def _stepped(rows: str, where: str, step: int) -> str:
    """The rows that come ``step`` rows after those that fulfil ``where``."""
    numbered = f"SELECT *, row_number() OVER (ORDER BY place) AS sequence FROM ({rows})"
    wanted = f"SELECT sequence + {step} FROM ({numbered}) WHERE {where}"
    return f"SELECT * EXCLUDE (sequence) FROM ({numbered}) WHERE sequence IN ({wanted})"


def _rows(query: DataQuery, columns: Columns, parameters: Parameters, path_of: Callable[[Dataset], str]) -> str:
    """All rows of the joined datasets; the columns of dataset *n* are named ``tn_…``."""
    selected = [f"t0.{ROW} AS place"]
    for number, dataset in enumerate(columns.datasets):
        if number in columns.absent:
            continue
        selected += [f"t{number}.{key} AS t{number}_{key}" for key in stored_keys(dataset)]
    tables = [f"read_parquet({parameters.add(path_of(dataset))})" for dataset in columns.datasets]
    if query.repeated == "once":
        keys = ", ".join(stored_keys(columns.datasets[0]))
        tables[0] = f"(SELECT min({ROW}) AS {ROW}, {keys} FROM {tables[0]} GROUP BY {keys})"
    elif query.repeated == "only":
        keys = ", ".join(stored_keys(columns.datasets[0]))
        earlier = f"row_number() OVER (PARTITION BY {keys} ORDER BY {ROW}) - 1"
        tables[0] = f"(SELECT {ROW}, {keys} FROM {tables[0]} QUALIFY {earlier} > 0)"
    joined = f"{tables[0]} t0"
    for number, join in enumerate(query.joins, start=1):
        joined += _joined(number, join, columns, tables[number])
    return f"SELECT {', '.join(selected)} FROM {joined}"


def _joined(number: int, join: Join, columns: Columns, table: str) -> str:
    before = Columns(columns.datasets[:number]).find(join.left)
    added = columns.datasets[number]
    right = Columns([added]).find(join.right).column
    keys = ", ".join(stored_keys(added))
    left_sql = before.sql.replace("_", ".", 1)
    equal = f"{_key(left_sql, before.column, right)} = {_key(f't{number}.{right.key}', right, before.column)}"
    distinct = f"(SELECT DISTINCT {keys} FROM {table}) t{number}"
    if join.keep == "missing":
        return f" ANTI JOIN {distinct} ON {equal}"
    return f" {'LEFT ' if join.keep == 'all' else ''}JOIN {distinct} ON {equal}"


def _key(sql: str, column: Column, other: Column) -> str:
    """A column to be compared with another in a join: 7 equals 0007 if one of them holds numbers."""
    if column.is_numeric or other.is_numeric:
        return sql if column.is_numeric else f"TRY_CAST({sql} AS DOUBLE)"
    return sql if column.is_dated else f"lower(trim(CAST({sql} AS VARCHAR)))"


def stored_keys(dataset: Dataset) -> list[str]:
    """Returns the columns of the Parquet file, without the number of the row."""
    keys = [column.key for column in dataset.columns]
    return list(dict.fromkeys([*keys, *(column.unit_key for column in dataset.columns if column.unit_key)]))


def _derived(sql: str, name: str, unit: str, term: Term) -> Source:
    kind: ColumnType = "percent" if unit == "%" or term.is_percent else "money" if term.is_money else "number"
    shown = "" if unit == "%" else unit or term.unit
    # The SQL of a unit is made of columns of the inner rows, so it is still there.
    has_given_unit = bool(unit and unit != "%" and term.unit_sql)
    return Source(sql, Column(key=sql, name=name, type=kind, unit=shown), term.unit_sql, has_given_unit)


def _listed(query: DataQuery, columns: Columns) -> tuple[str, list[ResultColumn]]:
    """A list of rows."""
    chosen = [columns.find(name) for name in query.columns] or columns.all()
    shown, selected = [], []
    for number, each in enumerate(chosen):
        column = each.column
        selected.append(f"{each.sql} AS r{number}")
        shown.append(ResultColumn(column.name, column.type, "column", column.unit))
    missing = [(column.unit_sql, column.column) for column in chosen if column.unit_sql]
    for unit_sql, column in missing:
        if all(each.sql != unit_sql for each in chosen):
            selected.append(f"{unit_sql} AS r{len(shown)}")
            shown.append(ResultColumn(f"{column.name} (unit)", "category", "unit"))
    sorted_by = {order.by: columns.find(order.by).sql for order in query.order}
    extra = [f"{sql} AS o{number}" for number, sql in enumerate(sorted_by.values())]
    if query.distinct:
        return f"SELECT DISTINCT {', '.join([*selected, *extra])}, 0 AS place FROM used", shown
    return f"SELECT {', '.join([*selected, *extra])}, place FROM used", shown


def _grouped(query: DataQuery, columns: Columns, parameters: Parameters) -> tuple[str, list[ResultColumn]]:
    """Measures of groups. Amounts in different units or currencies get a row each."""
    keys: list[str] = []
    shown: list[ResultColumn] = []
    for group in query.group:
        source = columns.find(group.column)
        if group.bucket and not source.column.is_dated:
            raise fail("validation", "datasets.no_date", column=source.column.name)
        keys.append(bucket_sql(group.bucket, source.sql) if group.bucket else source.sql)
        kind: ColumnType = "category" if group.bucket else source.column.type
        shown.append(ResultColumn(source.column.name, kind, "group", source.column.unit, group.bucket))
    made = [measured(each, columns, parameters) for each in query.measures]
    for unit_sql, each in {each.unit_sql: each for each in made if each.unit_sql}.items():
        if unit_sql not in keys:
            keys.append(unit_sql)
            # A unit that the query gives is that of all rows; their own units still separate them.
            shown.append(ResultColumn(f"{each.column} (unit)", "category", "group" if each.unit else "unit"))
    names = [name_of(each, columns) for each in query.measures]
    if len({name.casefold() for name in names}) < len(names):
        raise fail("validation", "datasets.same_name", names=", ".join(names))
    shown += [ResultColumn(name, each.type, "measure", each.unit) for name, each in zip(names, made, strict=True)]
    selected = [f"{sql} AS r{number}" for number, sql in enumerate([*keys, *(each.sql for each in made)])]
    grouped = f" GROUP BY {', '.join(keys)}" if keys else ""
    inner = f"SELECT {', '.join(selected)}, min(place) AS place FROM used{grouped}"
    for calculation in query.calculations:
        terms = {column.name.casefold(): _of_result(number, column) for number, column in enumerate(shown)}
        term = arithmetic(calculation.expression, lambda name, terms=terms: _named(name, terms))  # type: ignore[misc]
        inner = f"SELECT *, {term.sql} AS r{len(shown)} FROM ({inner})"
        is_percent = calculation.unit == "%" or term.is_percent
        kind = "percent" if is_percent else "money" if term.is_money else "number"
        unit = "" if is_percent else calculation.unit or term.unit
        shown.append(ResultColumn(calculation.name, kind, "measure", unit))
    for change in query.changes:
        inner, column = _changed(query, change, shown, inner)
        shown.append(column)
    return inner, shown


def _of_result(number: int, column: ResultColumn) -> Term:
    return Term(f"r{number}", column.unit, "", column.type == "money", False, column.type == "percent")


def _named(name: str, terms: Mapping[str, Term]) -> Term:
    if (term := terms.get(name.strip().casefold())) is None:
        raise fail("validation", "datasets.no_column", name=name, columns=", ".join(terms))
    return term


def _position(name: str, shown: Sequence[ResultColumn]) -> int:
    """The position of a column of the result by its name, or of the only measure of a column of this name.

    Raises:
        PalimpsestError: there is none ("validation").
    """
    wanted = name.strip().casefold()
    for number, column in enumerate(shown):
        if column.name.casefold() == wanted:
            return number
    measures = [number for number, column in enumerate(shown) if column.name.casefold().endswith(f" of {wanted}")]
    if len(measures) == 1:
        return measures[0]
    raise fail("validation", "datasets.no_column", name=name, columns=", ".join(column.name for column in shown))


def _changed(query: DataQuery, change: Changing, shown: list[ResultColumn], inner: str) -> tuple[str, ResultColumn]:
    """Adds a column calculated over the rows of the result. The rows of each unit are calculated apart."""
    place = _position(change.measure, shown)
    column, value = shown[place], f"r{place}"
    units = [f"r{number}" for number, each in enumerate(shown) if each.role == "unit"]
    groups = [number for number, each in enumerate(shown) if each.role == "group"]
    dated = [number for number in groups if shown[number].bucket or shown[number].type in ("date", "datetime")]
    # Of a group by region and month, each region has a series of its own.
    apart = [*units, *(f"r{number}" for number in groups if dated and number not in dated)]
    parts = f"PARTITION BY {', '.join(apart)} " if apart else ""
    along = ", ".join(f"r{number}" for number in dated) or _ordered(query, shown) or "place"
    window = f"({parts}ORDER BY {along})"
    whole = f"({'PARTITION BY ' + ', '.join(units) if units else ''})"
    ranked = f"({'PARTITION BY ' + ', '.join(units) + ' ' if units else ''}ORDER BY {value} DESC NULLS LAST)"
    frame = f"({parts}ORDER BY {along} ROWS BETWEEN {change.rows - 1} PRECEDING AND CURRENT ROW)"
    sql, kind, unit = {
        "difference": (f"{value} - lag({value}) OVER {window}", column.type, column.unit),
        "growth": (
            f"({value} - lag({value}) OVER {window}) / nullif(abs(lag({value}) OVER {window}), 0)",
            "percent",
            "",
        ),
        "rank": (f"rank() OVER {ranked}", "number", ""),
        "running_total": (f"sum({value}) OVER {window}", column.type, column.unit),
        "moving_average": (f"avg({value}) OVER {frame}", column.type, column.unit),
        "share_of_total": (f"{value} / nullif(sum({value}) OVER {whole}, 0)", "percent", ""),
    }[change.change]
    name = change.name or f"{change.change.replace('_', ' ')} of {column.name}"
    return f"SELECT *, {sql} AS r{len(shown)} FROM ({inner})", ResultColumn(name, kind, "measure", unit)


def _ordered(query: DataQuery, shown: Sequence[ResultColumn]) -> str:
    return ", ".join(
        f"r{_position(order.by, shown)} {'DESC' if order.descending else 'ASC'} NULLS LAST" for order in query.order
    )


def _finished(query: DataQuery, inner: str, shown: Sequence[ResultColumn], parameters: Parameters, limit: int) -> str:
    """Filters, sorts and cuts the rows of the result. One row more than the limit is read, to learn if
    there are more."""
    names = ", ".join(f"r{number}" for number in range(len(shown)))
    having = "TRUE"
    if query.having:
        having = conditions_sql(query.having, lambda name: _result_source(name, shown), parameters)
    if query.measures or query.group:
        order = _ordered(query, shown)
        groups = [f"r{number}" for number, each in enumerate(shown) if each.role in ("group", "unit")]
        rest = ", ".join(f"{name} NULLS LAST" for name in groups) or "place"
    else:
        signs = [
            f"o{number} {'DESC' if each.descending else 'ASC'} NULLS LAST" for number, each in enumerate(query.order)
        ]
        order, rest = ", ".join(signs), names if query.distinct else "place"
    parts = _apart(query, shown)
    qualify = ""
    if query.extreme and order:
        qualify = f" QUALIFY rank() OVER ({parts}ORDER BY {order}) <= {query.limit or 1}"
    elif parts and query.limit:
        qualify = f" QUALIFY row_number() OVER ({parts}ORDER BY {order}, {rest}) <= {query.limit}"
    sorting = f" ORDER BY {', '.join(filter(None, [order, rest]))}"
    cut = f" LIMIT {MOST_ROWS if qualify else limit + 1} OFFSET {query.offset}"
    return f"SELECT {names} FROM ({inner}) WHERE {having}{qualify}{sorting}{cut}"


def _apart(query: DataQuery, shown: Sequence[ResultColumn]) -> str:
    """The part of a window that ranks the amounts of each unit or currency apart, because they cannot be compared;
    empty if the order is by something else."""
    units = [f"r{number}" for number, each in enumerate(shown) if each.role == "unit"]
    amounts = {each.name.casefold() for each in shown if each.role != "group" and each.type in ("money", "number")}
    is_by_amount = bool(query.order) and query.order[0].by.strip().casefold() in amounts
    return f"PARTITION BY {', '.join(units)} " if units and is_by_amount else ""


def _result_source(name: str, columns: Sequence[ResultColumn]) -> Source:
    place = _position(name, columns)
    column = columns[place]
    return Source(f"r{place}", Column(key=f"r{place}", name=column.name, type=column.type, unit=column.unit))


def _blanks(query: DataQuery, columns: Columns) -> dict[str, str]:
    """The columns of measures that leave out blank cells, with their SQL."""
    named = [measure.column for measure in query.measures if measure.column and measure.function != "count"]
    found = [columns.find(name) for name in named]
    return {each.column.name: each.sql for each in found}


def _counts(rows: str, where: str, blanks: Sequence[str]) -> str:
    parts = [
        f"count(*) FILTER ({where})",
        "count(*)",
        f"list(place ORDER BY place) FILTER ({where})[1:{PLACES}]",
        *(f"count(*) FILTER (({where}) AND {sql} IS NULL)" for sql in blanks),
    ]
    return f"SELECT {', '.join(parts)} FROM ({rows})"
