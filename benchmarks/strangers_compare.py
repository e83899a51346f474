"""Compares documents that the rules were not tuned on: measures whether common and differing texts are recognised in
two documents that other people wrote.

``compare_SUFFIX.yaml`` is a list of pairs: two texts, quotations that say the *same*, that are *differing*, and those
that appear in only one of them. Pairs are compared with the packaged embeddings and without a chat model, as the
workbench would. Then they are compared with a simulated model that gets the gold quotations, and exchanges *same* and
*differs* once in five; this is repeated five times, so that each pair is exchanged once. A row contains a quotation if
most of its words appear in it in order.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from typing import Literal

import yaml
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from benchmarks.strangers_audit import ONE_IN
from benchmarks.strangers_utterances import embeddings
from benchmarks.summaries import as_source
from core.models.embeddings import Embeddings
from core.models.structured import Written
from core.prompts.templates import Prompts
from core.review.actions.compare import Comparer
from core.review.actions.comparison import Comparison, Finding
from core.words import Language

FOUND_GOAL, FALSE_GOAL, MOST_ROWS = 0.75, 0.05, 12
_HELD = 0.6
_WORD = re.compile(r"\w+")

Kind = Literal["same", "differs", "alone"]


class Text(BaseModel):
    title: str
    text: str


class Quotations(BaseModel):
    first: str
    second: str


class Pair(BaseModel):
    """Two texts and their gold quotations. ``same`` and ``differing``: quotations that belong together; ``only_first``
    and ``only_second``: those without a counterpart."""

    id: str
    language: Language
    first: Text
    second: Text
    same: list[Quotations] = []
    differing: list[Quotations] = []
    only_first: list[str] = []
    only_second: list[str] = []

    @property
    def gold(self) -> list[tuple[Kind, Quotations]]:
        return [*(("same", each) for each in self.same), *(("differs", each) for each in self.differing)]


class Pairs(BaseModel):
    pairs: list[Pair]


@dataclass(frozen=True)
class Row:
    """A row of the comparison as printed: one of the two cells is empty if ``kind`` is *alone*."""

    kind: Kind
    first: str
    second: str


@dataclass(frozen=True)
class Judged:
    """The result of one pair. ``place`` is the pair's number from 0, so that halves can be reported separately."""

    place: int
    pair: Pair
    rows: list[Row]

    @property
    def found(self) -> list[bool]:
        return [any(_is(row, kind, each) for row in self.rows) for kind, each in self.pair.gold]

    @property
    def alone(self) -> list[bool]:
        """Returns whether text that, according to gold, only one document contains is reported as such."""
        told = [row for row in self.rows if row.kind == "alone"]
        return [any(holds(row.first, each) for row in told) for each in self.pair.only_first] + [
            any(holds(row.second, each) for row in told) for each in self.pair.only_second
        ]

    @property
    def false(self) -> list[Row]:
        return [row for row in self.rows if _is_false(row, self.pair)]

    @property
    def outside(self) -> list[Row]:
        """Returns rows that no gold quotation covers."""
        return [row for row in self.rows if not any(_touches(row, self.pair))]


class MistakenModel:
    """Knows the gold quotations of one pair, and exchanges the kind of those in ``wrong``."""

    def __init__(self, pair: Pair, wrong: set[int]) -> None:
        self._pair = pair
        self._wrong = wrong

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        told: dict[str, list[list[dict[str, object]]]] = {"same": [], "differs": []}
        for place, (kind, gold) in enumerate(self._pair.gold):
            other = "differs" if kind == "same" else "same"
            says: list[dict[str, object]] = [{"document": 1, "text": gold.first}, {"document": 2, "text": gold.second}]
            told[other if place in self._wrong else kind].append(says)
        themes = [{"theme": self._pair.id, "cells": [{"document": 1, "text": self._pair.first.title}]}]
        return Written(json.dumps({"themes": themes, "agreements": told["same"], "differences": told["differs"]}))


def measure(folder: Path, suffix: str, report: Report) -> None:
    """Adds the figures of all pairs, of each language and of each half."""
    pairs = read(folder / f"compare_{suffix}.yaml")
    found = asyncio.run(judged(pairs, embeddings()))
    _say("compare", found, report, goals=True)
    for language in sorted({each.pair.language for each in found}):
        _say(f"compare, {language}", [each for each in found if each.pair.language == language], report)
    for half, name in enumerate(("1st, 3rd, 5th ... pair", "2nd, 4th, 6th ... pair")):
        _say(f"compare, {name}", [each for each in found if each.place % 2 == half], report)
    _say_helped(pairs, report)
    report.notes += [
        f"compare, {each.pair.id}: {name} {row.kind}: {row.first} <> {row.second}"
        for each in found
        for name, rows in (("FALSE", each.false), ("outside gold", each.outside))
        for row in rows
    ]


def read(file: Path) -> list[Pair]:
    return Pairs.model_validate(yaml.safe_load(file.read_text(encoding="utf-8"))).pairs


async def judged(pairs: Sequence[Pair], vectors: Embeddings | None) -> list[Judged]:
    comparer = Comparer(Prompts(), embeddings=vectors)
    found = []
    for place, pair in enumerate(pairs):
        sources = [as_source(each.text, number, each.title) for number, each in enumerate((pair.first, pair.second), 1)]
        found.append(Judged(place, pair, list(_rows(await comparer.compare(sources, pair.language)))))
    return found


def _rows(comparison: Comparison) -> Iterator[Row]:
    """Returns the rows that are shown on the screen."""
    differing, same, alone = comparison.shown or (None, None, None)
    told: tuple[tuple[Kind, Sequence[Finding]], ...] = (
        ("differs", comparison.differences[:differing]),
        ("same", comparison.agreements[:same]),
        ("alone", comparison.alone[:alone]),
    )
    for kind, findings in told:
        for each in findings:
            said = dict(each.says)
            yield Row(kind, said.get(1, ""), said.get(2, ""))


def holds(cell: str, quotation: str) -> bool:
    """Returns whether most words of ``quotation`` appear in ``cell`` in order, at least two of them together."""
    held, wanted = _WORD.findall(cell.lower()), _WORD.findall(quotation.lower())
    blocks = SequenceMatcher(None, held, wanted, autojunk=False).get_matching_blocks()
    met = sum(block.size for block in blocks if block.size > 1)
    return bool(wanted) and met >= _HELD * len(wanted)


def _is(row: Row, kind: Kind, gold: Quotations) -> bool:
    return row.kind == kind and holds(row.first, gold.first) and holds(row.second, gold.second)


def _touches(row: Row, pair: Pair) -> Iterator[bool]:
    """Returns for each quotation whether the row contains it."""
    for _, each in pair.gold:
        yield holds(row.first, each.first)
        yield holds(row.second, each.second)
    yield from (holds(row.first, each) for each in pair.only_first)
    yield from (holds(row.second, each) for each in pair.only_second)


def _is_false(row: Row, pair: Pair) -> bool:
    """Returns whether a quotation is under the wrong kind, with the wrong counterpart, or with any although it has
    none.

    A row that is one of the pairs is not false because of other content in its sentences.
    """
    if any(_is(row, kind, each) for kind, each in pair.gold):
        return False
    paired = any(holds(row.first, each.first) or holds(row.second, each.second) for _, each in pair.gold)
    alone = [holds(row.first, each) for each in pair.only_first] + [holds(row.second, e) for e in pair.only_second]
    return paired if row.kind == "alone" else paired or any(alone)


def _say_helped(pairs: Sequence[Pair], report: Report) -> None:
    """Adds figures with a model that errs: the rules must reject its *same* if figures, days or a negation differ."""
    group = "compare, with a model that errs once in five"
    places = [(row, place) for row, pair in enumerate(pairs) for place in range(len(pair.gold))]
    right: list[bool] = []
    false: dict[Kind, list[bool]] = {"same": [], "differs": []}
    for fold in range(ONE_IN):
        wrong = set(places[fold::ONE_IN])
        for row, each in enumerate(asyncio.run(_helped(pairs, wrong))):
            for place, (kind, gold) in enumerate(each.pair.gold):
                if (row, place) not in wrong:
                    right.append(any(_is(told, kind, gold) for told in each.rows))
                    continue
                other: Kind = "differs" if kind == "same" else "same"
                false[other].append(any(_is(told, other, gold) for told in each.rows))
    report.add(Figure(group, f"right and kept ({len(right)})", _share(right)))
    for kind, told in false.items():
        report.add(Figure(group, f"wrongly called {kind} and kept out ({len(told)})", 1 - _share(told)))


async def _helped(pairs: Sequence[Pair], wrong: set[tuple[int, int]]) -> list[Judged]:
    found = []
    for row, pair in enumerate(pairs):
        model = MistakenModel(pair, {place for each, place in wrong if each == row})
        sources = [as_source(each.text, number, each.title) for number, each in enumerate((pair.first, pair.second), 1)]
        written = await Comparer(Prompts(), model, length="detailed").compare(sources, pair.language)
        found.append(Judged(row, pair, list(_rows(replace(written, shown=None)))))
    return found


def _say(group: str, found: Sequence[Judged], report: Report, goals: bool = False) -> None:
    gold = [(kind, hit) for each in found for (kind, _), hit in zip(each.pair.gold, each.found, strict=True)]
    rows = [row for each in found for row in each.rows]
    false = sum(len(each.false) for each in found)

    def add(name: str, value: float, goal: float | None = None) -> None:
        report.add(Figure(group, name, value, goal=goal if goals else None))

    add(f"gold pairs found ({len(gold)})", _share([hit for _, hit in gold]), FOUND_GOAL)
    for kind in ("same", "differs"):
        chosen = [hit for one, hit in gold if one == kind]
        add(f"of them {kind} ({len(chosen)})", _share(chosen))
    alone = [hit for each in found for hit in each.alone]
    add(f"reported as in one document only ({len(alone)})", _share(alone))
    add(f"rows that are not false ({len(rows)})", 1 - false / max(1, len(rows)), 1 - FALSE_GOAL)
    beside = [row for each in found for row in each.rows if row not in each.outside]
    add(f"the same, of rows with gold ({len(beside)})", 1 - false / max(1, len(beside)))
    longest = max((len(each.rows) for each in found), default=0)
    add(
        f"pairs of at most {MOST_ROWS} rows (longest {longest})", _share([len(e.rows) <= MOST_ROWS for e in found]), 1.0
    )


def _share(chosen: Sequence[bool]) -> float:
    return sum(chosen) / len(chosen) if chosen else 1.0
