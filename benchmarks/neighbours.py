"""Measures how feedback on one question affects similar ones: ``python -m benchmarks.neighbours --data
../shared/data/roampal [--cache FILE.npz] [--json FILE] [--kinds memories,passages,together]``.

There are 200 questions. Each has advice that helps, and advice that does not help but is worded like the question. 140
are in five topics of ``benchmarks/adversarial/neighbours.yaml``, where the questions are similar on purpose; 30 are
roampal's about code, and 30 are this project's about office work. All advice is in one memory. One half of the
questions is taught for three rounds, only by answers and by feedback. Then all are asked, each also in other words.
Then the halves are exchanged, so that each question is once a *neighbour*, that is, not taught itself. Neighbours must
lose nothing, compared with the same candidates ranked by relevance only: good advice must stay among the first three,
and a note about the question (helpful or not) must stay in first place. The second figure says more if helpful advice
is rarely found before it is taught.

*memories* and *passages*: one answer is based on the good advice and worked, another on the bad and failed.
*together*: an answer is based on the first three memories shown, and worked if the good advice is among them, as users
judge.

Even rows of each topic were used to fit what distinguishes questions (``core.memory.outcomes.question_similarity``);
the figures of odd rows are shown separately.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

from benchmarks.loop import tasks
from benchmarks.outcomes_adversarial import OWN, WHERE
from benchmarks.outcomes_world import Orders, World, open_world
from benchmarks.report import Figure, Report
from core.parsed_yaml import parse_yaml
from core.store.items import Outcome

ROUNDS = 3
AMONG = 3
TOGETHER = 3
LOST = 0.01
"""The goal: the maximum share that untaught questions may lose."""
OFFICE = "office"


@dataclass(frozen=True)
class Case:
    """A question with its advice. ``words`` ask the same differently; ``calibrates``: the row was used for fitting."""

    topic: str
    query: str
    words: str
    good: str
    bad: str
    calibrates: bool


@dataclass(frozen=True)
class Placed:
    """Ranks of one case's advice, from 1, before and after outcomes are counted; ``same``: asked in the words that were
    taught."""

    case: Case
    taught: bool
    same: bool
    before: int
    after: int
    bad_before: int
    bad_after: int


Said = list[tuple[list[str], Outcome]]
Say = Callable[[Case, Sequence[str]], Said]
"""Takes a case and the texts shown; returns the texts that each answer used, with the answer's outcome."""


def cases(data: Path) -> list[Case]:
    """Returns all cases, by topic."""
    rows: dict[str, list[list[str]]] = parse_yaml((OWN / "neighbours.yaml").read_text(encoding="utf-8"))
    found = [
        Case(topic, *_four(row), calibrates=number % 2 == 0)
        for topic, each in rows.items()
        for number, row in enumerate(each)
    ]
    others = [("coding" if each.group == "coding" else OFFICE, each) for each in tasks(data)]
    return found + [
        Case(topic, each.query, each.held_out, each.good, each.bad, calibrates=number % 2 == 0)
        for number, (topic, each) in enumerate(others)
    ]


def _four(row: Sequence[str]) -> tuple[str, str, str, str]:
    query, words, good, bad = row
    return query, words, good, bad


def both(case: Case, shown: Sequence[str]) -> Said:
    """One answer from the good advice worked, one from the bad failed, if they are shown."""
    said: Said = [([case.good], "worked"), ([case.bad], "failed")]
    return [(used, outcome) for used, outcome in said if used[0] in shown]


def together(case: Case, shown: Sequence[str]) -> Said:
    used = list(shown[:TOGETHER])
    return [(used, "worked" if case.good in used else "failed")]


class Lesson:
    """One memory, in which half of the questions are taught."""

    def __init__(self, world: World, user: str, all_cases: Sequence[Case], passages: bool) -> None:
        self._world = world
        self._user = user
        self._cases = all_cases
        self._ask, self._put = (world.find, world.file) if passages else (world.ask, world.note)
        self._ids: dict[str, str] = {}

    async def taught(self, half: int, say: Say) -> list[Placed]:
        """Teaches every second case, beginning with ``half``; then asks everything."""
        given = dict.fromkeys(text for each in self._cases for text in (each.good, each.bad))
        self._ids = await self._put(self._user, list(given))
        texts = {identifier: text for text, identifier in self._ids.items()}
        for _ in range(ROUNDS):
            for case in self._cases[half::2]:
                shown, _ = await self._ask(self._user, case.query)
                for used, outcome in say(case, [texts[each] for each in shown]):
                    ids = [self._ids[each] for each in used]
                    await self._world.answer(self._user, case.query, shown, ids, outcome)
        placed = []
        for number, case in enumerate(self._cases):
            for text in (case.query, case.words):
                _, orders = await self._ask(self._user, text)
                placed.append(self._placed(case, number % 2 == half, text == case.query, orders))
        return placed

    def _placed(self, case: Case, taught: bool, same: bool, orders: Orders) -> Placed:
        def place(variant: str, text: str) -> int:
            ids = [item.id for item in orders[variant]]
            return ids.index(self._ids[text]) + 1 if self._ids[text] in ids else len(ids) + 1

        return Placed(
            case,
            taught,
            same,
            place("relevance", case.good),
            place("conditional", case.good),
            place("relevance", case.bad),
            place("conditional", case.bad),
        )


def told(report: Report, kind: str, placed: Sequence[Placed]) -> None:
    """Reports the gains of taught questions and the losses of the others, by topic."""
    taught = [each for each in placed if each.taught]
    for name, same in (("in the taught words", True), ("in other words", False)):
        some = [each for each in taught if each.same == same]
        for measure, value, before in (
            ("good above bad", _above(some), _above_before(some)),
            ("good first", _among(some, 1), _among_before(some, 1)),
        ):
            report.add(Figure(f"{kind}: taught, {name}", measure, value, before, "before"))
        held = [each for each in some if not each.case.calibrates]
        report.add(Figure(f"{kind}: taught, {name}", "good above bad, odd rows", _above(held), _above_before(held)))
        for topic in _topics(some):
            part = [each for each in some if each.case.topic == topic]
            report.add(Figure(f"{kind}: taught, {name}", f"– {topic}", _above(part), _above_before(part), "before"))
    others = [each for each in placed if not each.taught]
    for what, measure in (
        (f"good among the first {AMONG}", _good_near),
        ("a note about it ranks first", _own_first),
    ):
        _kept(report, f"{kind}: neighbours, {what}", others, measure)
    fell = mean(each.after > each.before and each.before <= AMONG for each in others)
    rose = mean(each.after < each.before and each.before <= 2 * AMONG for each in others)
    report.notes.append(
        f"{kind}: {len(others)} neighbours; good advice ranks lower for {fell:.3f}, higher for {rose:.3f}."
    )


Kept = Callable[[Placed], tuple[bool, bool]]
"""Two truth values: whether something holds before outcomes are counted, and after."""


def _good_near(each: Placed) -> tuple[bool, bool]:
    return each.before <= AMONG, each.after <= AMONG


def _own_first(each: Placed) -> tuple[bool, bool]:
    return min(each.before, each.bad_before) == 1, min(each.after, each.bad_after) == 1


def _kept(report: Report, group: str, others: Sequence[Placed], kept: Kept) -> None:
    parts = {topic: [each for each in others if each.case.topic == topic] for topic in _topics(others)}
    parts |= {"all": list(others), "all, odd rows": [each for each in others if not each.case.calibrates]}
    for name, some in parts.items():
        before, after = (mean(each) for each in zip(*map(kept, some), strict=True))
        report.add(Figure(group, name, after, before, "before", goal=before - LOST))


def _topics(placed: Sequence[Placed]) -> list[str]:
    return list(dict.fromkeys(each.case.topic for each in placed))


def _above(some: Sequence[Placed]) -> float:
    return mean(each.after < each.bad_after for each in some)


def _above_before(some: Sequence[Placed]) -> float:
    return mean(each.before < each.bad_before for each in some)


def _among(some: Sequence[Placed], places: int) -> float:
    return mean(each.after <= places for each in some)


def _among_before(some: Sequence[Placed], places: int) -> float:
    return mean(each.before <= places for each in some)


KINDS: dict[str, tuple[bool, Say]] = {
    "memories": (False, both),
    "passages": (True, both),
    "together": (False, together),
}


async def run(all_cases: Sequence[Case], cache: Path | None, kinds: Sequence[str]) -> Report:
    report = Report("Effect of one question's outcomes on similar questions")
    began = time.monotonic()
    async with open_world(cache) as world:
        for kind in kinds:
            passages, say = KINDS[kind]
            placed: list[Placed] = []
            for half in (0, 1):
                placed += await Lesson(world, f"{kind}-{half}", all_cases, passages).taught(half, say)
            told(report, kind, placed)
        seconds = time.monotonic() - began
        asked = f"{world.asked} searches, {world.taught} outcomes"
        report.notes.append(f"{len(all_cases)} cases, {asked}, {seconds:.0f} s.")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help=WHERE)
    parser.add_argument("--cache", type=Path, help="keep embeddings in this file between runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--kinds", default=",".join(KINDS), help="which kinds, separated by commas")
    given = parser.parse_args()
    if not (given.data / "adversarial_coding_30.json").exists():
        print(f"Skipped: {given.data} does not contain the set. {WHERE}")
        return 0
    return asyncio.run(run(cases(given.data), given.cache, given.kinds.split(","))).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
