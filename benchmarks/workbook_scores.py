"""Compares the result of a query over datasets with an expected answer: a number, a text, a list or a table."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.language.normalisation import fold
from core.records.data_answer import DataAnswer, DataCell

Cell = str | float | None
_DOWN, _UP = ("down", "negative", "fell"), ("up", "positive", "rose")


def rows_of(data: DataAnswer) -> list[list[Cell]]:
    """Returns the cells of an answer; numbers as floats, everything else as text."""
    return [[_cell(value) for value in row] for row in data.rows]


def _cell(value: DataCell) -> Cell:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return float(value) if isinstance(value, int | float) else value


def plain(text: object) -> str:
    """Returns a text, date or period in the form in which it is compared: 2024-Q1 and 2024Q1 are equal."""
    folded = re.sub(r"(\d{4})-?([qh]\d)", r"\1\2", fold(str(text)))
    return folded.strip(" .")


def same_number(found: Cell, wanted: float, tolerance: float, absolute: float | None, *, percent: bool) -> bool:
    """Returns whether a number is within the tolerance; a percentage may be a fraction."""
    if not isinstance(found, float):
        return False
    candidates = [found, found * 100] if percent else [found]
    return any(abs(each - wanted) <= max(abs(wanted) * tolerance, absolute or 0, 1e-9) for each in candidates)


class Expected:
    """An expected answer of the set, with its tolerances."""

    def __init__(self, question: dict[str, object]) -> None:
        self.answers = [question["answer"], *(question.get("also") or [])]  # type: ignore[misc]
        self.tolerance = float(question.get("tolerance") or 0)  # type: ignore[arg-type]
        absolute = question.get("tolerance_abs")
        self.absolute = float(absolute) if absolute is not None else None  # type: ignore[arg-type]
        self.percent = question.get("unit") == "%"
        self.ordered = bool(question.get("ordered"))
        self.kind = str(question["kind"])

    def is_met(self, rows: Sequence[Sequence[Cell]]) -> bool:
        """Returns whether the rows of a result are one of the expected answers."""
        return bool(rows) and any(self._meets(answer, rows) for answer in self.answers)

    def is_met_by_direction(self, rows: Sequence[Sequence[Cell]]) -> bool:
        """Returns whether the sign of a result, or of the change from its first to its last row, is the expected
        one."""
        numbers = [row[-1] for row in rows if isinstance(row[-1], float)]
        if not numbers:
            return False
        change = numbers[0] if len(numbers) == 1 else float(numbers[-1] or 0) - float(numbers[0] or 0)
        words = _DOWN if change < 0 else _UP
        return any(str(answer) in words for answer in self.answers)

    def _meets(self, answer: object, rows: Sequence[Sequence[Cell]]) -> bool:
        if isinstance(answer, list) and answer and isinstance(answer[0], list):
            return self._is_table(answer, rows)
        if isinstance(answer, list):
            if self.kind == "min_max_row":
                return len(rows) == 1 and all(any(self._equal(cell, part) for cell in rows[0]) for part in answer)
            return self._is_list(answer, rows)
        return len(rows) == 1 and (
            self._equal(rows[0][-1], answer)
            or (isinstance(answer, str) and any(self._equal(cell, answer) for cell in rows[0]))
        )

    def _is_list(self, answer: list[object], rows: Sequence[Sequence[Cell]]) -> bool:
        firsts = [plain(row[0]) for row in rows if row[0] is not None]
        wanted = [plain(part) for part in answer]
        return firsts == wanted if self.ordered else set(firsts) == set(wanted)

    def _is_table(self, answer: list[list[object]], rows: Sequence[Sequence[Cell]]) -> bool:
        found = [row for row in rows if row[0] is not None and row[0] != ""]
        if len(found) != len(answer):
            return False
        if self.ordered:
            pairs = list(zip(found, answer, strict=True))
        else:
            by_key = {plain(row[0]): row for row in found}
            if any(plain(part[0]) not in by_key for part in answer):
                return False
            pairs = [(by_key[plain(part[0])], part) for part in answer]
        return all(plain(row[0]) == plain(part[0]) and self._equal(row[-1], part[-1]) for row, part in pairs)

    def _equal(self, found: Cell, wanted: object) -> bool:
        if isinstance(wanted, int | float) and not isinstance(wanted, bool):
            return same_number(found, float(wanted), self.tolerance, self.absolute, percent=self.percent)
        return found is not None and plain(found) == plain(wanted)
