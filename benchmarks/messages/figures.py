"""Prints the figures of a part next to their goals, and writes them as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import BaseModel, TypeAdapter

_CLOSE = 1e-9


class Figure(BaseModel, frozen=True):
    """A measured figure. ``goal``: the value to reach, or with ``at_most`` the value not to exceed; ``None``: the
    figure is only reported."""

    name: str
    value: float
    goal: float | None = None
    at_most: bool = False

    @property
    def misses(self) -> bool:
        if self.goal is None:
            return False
        return self.value > self.goal + _CLOSE if self.at_most else self.value < self.goal - _CLOSE


def report(figures: Sequence[Figure], path: Path | None = None) -> int:
    """Prints the figures, writes them to ``path`` if given, and returns 1 if a goal is missed, else 0."""
    for figure in figures:
        goal = ""
        if figure.goal is not None:
            verdict = "MISSED" if figure.misses else "reached"
            goal = f"goal {'≤' if figure.at_most else '≥'} {figure.goal:g}: {verdict}"
        print(f"{figure.name:48} {figure.value:8.3f}   {goal}".rstrip())
    if path:
        path.write_bytes(TypeAdapter(list[Figure]).dump_json(list(figures), indent=1))
    return int(any(figure.misses for figure in figures))
