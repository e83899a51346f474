"""Writes the first line of a computed answer, and its table."""

from __future__ import annotations

from collections.abc import Sequence

from core.datasets.answers.headline import headings
from core.datasets.answers.values import rows_at, rows_shown
from core.datasets.fetched.origin import origins_of
from core.datasets.query.result import QueryResult
from core.datasets.words.understanding import Form
from core.messages import message
from core.words import Language

LISTED, RANKED = 3, 5
"""Number of rows of groups, and of rows of a ranking, that the first line gives in full."""
NAMED = 20
"""Number of values of a list that the first line gives in full."""
IN_TABLE = 50
"""Maximum number of rows in the table of an answer; the page reads the others from the dataset."""
_LONGEST_CELL = 200


def line_of(result: QueryResult, subject: str, language: Language, form: Form = "value") -> str:
    """Returns the line that answers, without a citation. ``subject`` says what was computed: *Amount, North*. ``form``
    is what the answer says first."""
    rows, names = rows_shown(result, language, NAMED), headings(result, language)
    if form == "direction" and (direction := _direction(result, language)):
        return f"{direction} ({'; '.join([subject, *_parts(result, rows, names)])})"
    columns = [number for number, column in enumerate(result.columns) if column.role != "unit"]
    measures = [number for number in columns if result.columns[number].role == "measure"]
    if not rows or not result.rows_used:
        return message("datasets.nothing", subject=subject, total=result.rows_total).to(language)
    if result.has_mixed_units and measures and len(rows) <= NAMED:
        values = "; ".join(_named(row, columns, measures, names) for row in rows)
        return message("datasets.mixed", subject=subject, values=values).to(language)
    if len(columns) == 1:
        values = "; ".join(row[columns[0]][:_LONGEST_CELL] for row in rows)
        more = len(result.frame) - len(rows)
        return f"{subject}: {values}{message('datasets.more', count=more).to(language) if more > 0 else ''}"
    if parts := _parts(result, rows, names):
        found = [number for number in columns if number not in measures[: len(result.query.measures)]]
        return f"{subject}: {_named(rows[0], found, measures, names, by_name=True)} ({'; '.join(parts)})"
    listed = RANKED if result.query.limit and result.query.order and len(measures) == 1 else LISTED
    if len(result.frame) <= listed or (len(result.frame) <= NAMED and len(columns) <= 2 and not measures):
        return f"{subject}: {'; '.join(_named(row, columns, measures, names) for row in rows)}"
    if measures:
        # The subject of a calculation is its formula, so its values are compared and not those of its operands.
        compared = len(result.query.measures) if result.query.calculations and not result.query.pivot else 0
        return _extent(result, subject, measures[min(compared, len(measures) - 1)], language)
    return message("datasets.rows", subject=subject, count=len(result.frame)).to(language)


def _direction(result: QueryResult, language: Language) -> str:
    """The direction of the only value, or of the change from the first to the last; empty if there is none."""
    measures = [number for number, column in enumerate(result.columns) if column.role == "measure"]
    if not measures or not len(result.frame):
        return ""
    values = result.frame.iloc[:, measures[-1]].dropna()
    if not len(values):
        return ""
    is_correlation = any(measure.function == "correlation" for measure in result.query.measures)
    change = float(values.iloc[0] if len(result.frame) == 1 else values.iloc[-1] - values.iloc[0])
    names = ("positive", "negative", "none") if is_correlation else ("up", "down", "flat")
    key = names[0] if change > 0 else names[1] if change < 0 else names[2]
    cells = [row[measures[-1]] for row in rows_at(result, language, [0, len(result.frame) - 1])]
    values_shown = cells[0] if len(result.frame) == 1 else " → ".join(cells)
    return message(f"datasets.direction.{key}", value=values_shown).to(language)


def table_of(result: QueryResult, language: Language) -> str:
    """Returns the result as a Markdown table; empty if the first line gives all of it."""
    columns = [number for number, column in enumerate(result.columns) if column.role != "unit"]
    if len(result.frame) < 2 or (len(columns) == 1 and len(result.frame) <= NAMED):
        return ""
    names = headings(result, language)
    lines = [
        _row([names[number] for number in columns]),
        _row(["---:" if result.columns[number].role == "measure" else "---" for number in columns]),
        *(_row([row[number] for number in columns]) for row in rows_shown(result, language, IN_TABLE)),
    ]
    more = len(result.frame) - IN_TABLE
    if more > 0:
        lines += ["", message("datasets.more_rows", count=more).to(language)]
    return "\n".join(lines)


def remarks_of(result: QueryResult, language: Language) -> list[str]:
    """Returns what a reader must know about the rows: blank cells left out, repeated rows counted,
    and how many rows of open data were fetched."""
    made = [
        message("datasets.blank_cells", column=name, count=count).to(language) for name, count in result.blank.items()
    ]
    if result.repeated and result.query.repeated != "only":
        key = "repeated_kept" if result.query.repeated == "keep" else "repeated_once"
        made.append(message(f"datasets.{key}", count=result.repeated).to(language))
    return [*made, *origins_of(result.datasets, language)]


def _named(
    row: Sequence[str], columns: Sequence[int], measures: Sequence[int], names: Sequence[str], *, by_name: bool = False
) -> str:
    """A row in words: *Hillfoot Stores €229,226.80*; the values of several measures with their names."""
    keys = [row[number] for number in columns if number not in measures]
    if not measures:
        return ", ".join(row[number][:_LONGEST_CELL] for number in columns)
    measured = [number for number in measures if number in columns]
    is_named = by_name or len(measured) > 1
    values = [f"{names[number]} {row[number]}" if is_named else row[number] for number in measured]
    return " ".join(filter(None, [", ".join(keys), ", ".join(values)]))


def _parts(result: QueryResult, rows: Sequence[Sequence[str]], names: Sequence[str]) -> list[str]:
    """The measures from which the only row was calculated, with their names."""
    query = result.query
    if len(result.frame) != 1 or query.pivot or not (query.calculations or query.changes):
        return []
    measures = [number for number, column in enumerate(result.columns) if column.role == "measure"]
    return [f"{names[number]} {rows[0][number]}" for number in measures[: len(query.measures)]]


def _extent(result: QueryResult, subject: str, measure: int, language: Language) -> str:
    """The number of groups, with the largest and the smallest."""
    values = result.frame.iloc[:, measure].dropna()
    if not len(values):
        return message("datasets.rows", subject=subject, count=len(result.frame)).to(language)
    places = [int(result.frame.index.get_loc(place)) for place in (values.idxmax(), values.idxmin())]
    keys = [number for number, column in enumerate(result.columns) if column.role == "group"]
    rows = rows_at(result, language, places)
    highest, lowest = (f"{', '.join(row[key] for key in keys)} {row[measure]}" for row in rows)
    return message(
        "datasets.extent", subject=subject, count=len(result.frame), highest=highest, lowest=lowest
    ).to(language)  # fmt: skip


def _row(values: Sequence[str]) -> str:
    return f"| {' | '.join(value.replace('|', '/').replace(chr(10), ' ')[:_LONGEST_CELL] for value in values)} |"
