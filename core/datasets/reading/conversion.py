"""Writes the SQL that converts staged cells to values of a column's type."""

from __future__ import annotations

from core.datasets.reading.column_plan import MISSING, Plan
from core.datasets.reading.number_text import PARTS, SCALES, group_of, pattern
from core.datasets.reading.staging import NATIVE, quoted
from core.library.tables.cells import CURRENCIES

_NATIVE = quoted(NATIVE)
_MINUS = "('-', '−', '–')"
SQL_TYPES = {
    "number": "DOUBLE", "money": "DOUBLE", "percent": "DOUBLE", "date": "DATE", "datetime": "TIMESTAMP",
    "boolean": "BOOLEAN", "category": "VARCHAR", "code": "VARCHAR", "text": "VARCHAR",
}  # fmt: skip


def filled(column: str) -> str:
    """Returns the SQL of a staged cell that is ``NULL`` for a placeholder of a missing value."""
    missing = ", ".join(quoted(word) for word in sorted(MISSING))
    return f"CASE WHEN lower({column}) IN ({missing}) THEN NULL ELSE {column} END"


def value_of(column: str, plan: Plan, words: str = "") -> str:
    """Returns the SQL of the value of ``column``; ``words`` is the column of dates in words that a join adds."""
    if plan.type in ("number", "money", "percent"):
        return _number(column, plan)
    if plan.type in ("date", "datetime"):
        return _date(column, plan, words)
    if plan.type == "boolean":
        bare = _bare(column)
        yes, no = (", ".join(map(quoted, words)) or "NULL" for words in (plan.yes, plan.no))
        return f"CASE WHEN {bare} IN ({yes}) THEN true WHEN {bare} IN ({no}) THEN false END"
    return _bare(filled(column))


def unit_of(column: str, plan: Plan) -> str:
    """Returns the SQL of a cell's currency as an ISO code, or of its unit."""
    parts = f"{_parts(column, plan)}"
    codes = " ".join(f"WHEN {quoted(sign)} THEN {quoted(code)}" for sign, code in CURRENCIES.items())
    written = f"coalesce(nullif({parts}.before, ''), nullif({parts}.after, ''))"
    return f"CASE lower({written}) {codes} ELSE {'NULL' if plan.type == 'money' else written} END"


def _bare(column: str) -> str:
    return f"ltrim({column}, {_NATIVE})"


def _parts(column: str, plan: Plan) -> str:
    """The groups of a number as a struct. An exact number is matched with a decimal point, whatever the column has."""
    names = "[" + ", ".join(map(quoted, PARTS)) + "]"
    own = f"regexp_extract({_bare(column)}, {quoted(pattern(plan.mark))}, {names})"
    if plan.mark == "point":
        return own
    exact = f"regexp_extract({_bare(column)}, {quoted(pattern('point'))}, {names})"
    return f"(CASE WHEN starts_with({column}, {_NATIVE}) THEN {exact} ELSE {own} END)"


def _number(column: str, plan: Plan) -> str:
    parts = _parts(column, plan)
    plain = f"regexp_replace({parts}.digits, {quoted(group_of(plan.mark))}, '', 'g')"
    if plan.mark == "comma":
        exact = f"replace({parts}.digits, ',', '')"
        plain = f"CASE WHEN starts_with({column}, {_NATIVE}) THEN {exact} ELSE replace({plain}, ',', '.') END"
    digits = f"try_cast(nullif({plain}, '') || {parts}.power AS DOUBLE)"
    minus = f"({parts}.open = '(' OR {parts}.sign IN {_MINUS} OR {parts}.inner <> '' OR {parts}.minus <> '')"
    scales = " ".join(f"WHEN {quoted(word)} THEN {factor!r}" for word, factor in SCALES.items())
    factor = f"CASE lower({parts}.after) {scales} WHEN '%' THEN {'0.01' if plan.type == 'percent' else '1.0'} "
    factor += f"ELSE {'0.01' if plan.hundredths else '1.0'} END"
    balanced = f"(({parts}.open = '(') <> ({parts}.inner = '(')) = ({parts}.close = ')')"
    value = f"CASE WHEN {balanced} THEN {_shifted(digits, factor)} * CASE WHEN {minus} THEN -1 ELSE 1 END END"
    is_plain = plan.mark == "point" and not plan.hundredths
    if is_plain:
        bare = _bare(column)
        is_digits = f"regexp_full_match({bare}, '-?[0-9]+(\\.[0-9]+)?')"
        return f"CASE WHEN {is_digits} THEN try_cast({bare} AS DOUBLE) ELSE {value} END"
    return value


def _shifted(digits: str, factor: str) -> str:
    """A product whose decimals are rounded to those of the factors, so that 12.3 % is 0.123."""
    hundredth = f"round({digits} / 100, 14)"
    return f"(CASE WHEN ({factor}) < 1 THEN {hundredth} ELSE {digits} * ({factor}) END)"


def _date(column: str, plan: Plan, words: str) -> str:
    cases = " ".join(
        f"WHEN regexp_full_match({column}, {quoted(written.pattern)}) "
        f"THEN try_strptime({_spaced(column, written.has_time)}, {quoted(written.format)})"
        for written in plan.formats
    )
    found = f"CASE {cases} END" if cases else "NULL"
    if words:
        found = f"coalesce({found}, {words})"
    return f"CAST({found} AS {SQL_TYPES[plan.type]})"


def _spaced(column: str, has_time: bool) -> str:
    """The text with a space between date and time in place of a T."""
    return f"regexp_replace({column}, '(\\d)T(\\d)', '\\1 \\2')" if has_time else column
