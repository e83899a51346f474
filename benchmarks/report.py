"""Prints figures with their baselines, writes them as JSON, and sets the exit code.

A *floor* must be reached, or the benchmark fails. If lower is better, *most* is the maximum and must not be exceeded. A
*goal* is desired; the report says whether it is reached.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Figure:
    """A measured figure. ``baseline`` and ``against``: the value and the name of the comparison. Higher is better,
    unless ``most`` is given: then lower is better."""

    group: str
    name: str
    value: float
    baseline: float | None = None
    against: str = ""
    floor: float | None = None
    goal: float | None = None
    most: float | None = None

    @property
    def passes(self) -> bool:
        enough = self.floor is None or self.value >= self.floor - 1e-9
        return enough and (self.most is None or self.value <= self.most + 1e-9)

    @property
    def verdict(self) -> str:
        said = []
        if self.floor is not None and self.value < self.floor - 1e-9:
            said.append(f"BELOW THE FLOOR of {self.floor:.3f}")
        if self.most is not None:
            said.append(f"goal at most {self.most:g}: {'reached' if self.passes else 'NOT REACHED'}")
        if self.goal is not None:
            said.append(f"goal {self.goal:.3f} {'reached' if self.value >= self.goal - 1e-9 else 'NOT REACHED'}")
        return ", ".join(said)


@dataclass
class Report:
    """All figures of a benchmark. ``notes`` say what a reader must know about the measurement."""

    title: str
    figures: list[Figure] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, figure: Figure) -> None:
        self.figures.append(figure)

    def print(self) -> None:
        """Prints one line per figure, grouped."""
        print(self.title)
        group = ""
        for figure in self.figures:
            if figure.group != group:
                group = figure.group
                print(f"\n{group}")
            beside = f"{figure.against} {figure.baseline:.3f}" if figure.baseline is not None else ""
            print(f"  {figure.name:34} {figure.value:7.3f}   {beside:32} {figure.verdict}".rstrip())
        for note in self.notes:
            print(f"\n{note}")

    def finish(self, path: Path | None = None) -> int:
        """Prints, writes to ``path`` if given, and returns 1 if a floor was missed, else 0."""
        self.print()
        if path:
            rows = [{**asdict(figure), "passes": figure.passes} for figure in self.figures]
            text = json.dumps({"title": self.title, "figures": rows, "notes": self.notes}, ensure_ascii=False, indent=1)
            path.write_text(text, encoding="utf-8")
        return 0 if all(figure.passes for figure in self.figures) else 1
