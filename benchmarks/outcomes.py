"""Measures whether the memory learns from outcomes, and the cost of that: ``python -m benchmarks.outcomes --data
../shared/data/roampal [--locomo ../shared/data/locomo] [--cache FILE.npz] [--json FILE]``.

*Adversarial*: scenarios with a question, advice that works, and advice that does not work but is worded like the
question: 30 of roampal's and 30 of this project (``benchmarks/adversarial``). All of them are one user's memories,
together with every statement of five long conversations (LoCoMo) or, without that set, 1,200 sentences made from a
template. In a *round* a question is asked and the first twenty memories are shown. One answer uses the good advice and
worked, another uses the bad one and failed; advice that is not shown cannot be used. The figure is the share of
questions whose good advice ranks above the bad. Two rewordings of each question were measured once before outcomes of
similar questions began to add up. The held-out rewordings were written after that change, which was the last one to the
scoring.

*Guard*: questions about the conversations, whose answers are in known statements. Every second question teaches; recall
at 5 is measured on those and on the others.

All variants rank the same candidates of the same searches by the memory. Only answers and their feedback teach, and the
default profile ranks the memories shown. Normally the memory archives advice that fails repeatedly, which would leave
nothing to rank. That is off (``PALIMPSEST_MEMORY__ARCHIVE_BELOW=0``) unless ``--archiving`` is given.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks import conversations
from benchmarks import outcomes_adversarial as adversarial
from benchmarks import outcomes_guard as guard
from benchmarks.conversations import Conversation
from benchmarks.outcomes_adversarial import Asked, Say, Scenario, Store
from benchmarks.outcomes_world import World, open_world
from benchmarks.report import Figure, Report
from core.setting_groups import Memory

DEFAULT = Memory().profile
PROFILES = ("relevance", "seed", "bounded", "conditional")
ABLATION = ("known solutions", "ungated", "unshrunk", "company off")
B1 = {"vector only": "meaning", "hybrid": "hybrid", "outcomes": "conditional", "everything": "known solutions"}
PARTS = ("adversarial", "guard", "bank")
LOST = 0.005
"""The goal: the maximum recall that a question may lose through outcomes of other questions."""


def query(each: Scenario) -> str:
    return each.query


def near(each: Scenario) -> str:
    return each.rewordings[0]


def free(each: Scenario) -> str:
    return each.rewordings[1]


def held_out(each: Scenario) -> str:
    return each.held_out


class Adversarial:
    """Teaches one memory with the scenarios and reports the figures after each step."""

    def __init__(self, world: World, report: Report, scenarios: list[Scenario], talks: Sequence[Conversation]) -> None:
        self._world = world
        self._report = report
        self._scenarios = scenarios
        self._talks = talks

    async def run(self) -> None:
        store = await adversarial.stored(self._world, "all", self._scenarios, self._talks)
        before = {"query": await self._ask(store, query), "rewordings": await self._ask(store, near, free)}
        before["held-out rewordings"] = await self._ask(store, held_out)
        done = 0
        for rounds in (1, 3, 10):
            for _ in range(rounds - done):
                await adversarial.a_round(self._world, store, adversarial.both, query)
            done = rounds
            await self._after(store, rounds, before)
        for name, say, wordings in _TEACHINGS:
            await self._taught_otherwise(name, say, wordings)

    async def _ask(self, store: Store, *wordings: adversarial.Wording) -> list[Asked]:
        return await adversarial.asked(self._world, store, wordings)

    async def _after(self, store: Store, rounds: int, before: dict[str, list[Asked]]) -> None:
        on_query = await self._ask(store, query)
        self._shares(f"after {rounds} rounds, the query", on_query, before["query"], store, rounds, "query")
        if rounds < 3:
            return
        reworded = await self._ask(store, near, free)
        self._shares(f"after {rounds} rounds, rewordings", reworded, before["rewordings"], store, rounds, "rewordings")
        unseen = await self._ask(store, held_out)
        on = "held-out rewordings"
        self._shares(f"after {rounds} rounds, {on}", unseen, before[on], store, rounds, on)
        if rounds == 3:
            for what, answers in (("the query", on_query), ("rewordings", reworded)):
                self._quality(f"after 3 rounds, {what}: the good advice among all memories", answers, store)

    def _shares(
        self, group: str, answers: list[Asked], before: list[Asked], store: Store, rounds: int, on: str
    ) -> None:
        for variant in (*PROFILES, *ABLATION):
            baseline = adversarial.good_first(before, "relevance", store)
            value = adversarial.good_first(answers, variant, store)
            self._report.add(Figure(group, variant, value, baseline, "before"))
        for name in dict.fromkeys(each.group for each in store.scenarios):
            decides = rounds == 3 and name == "coding"
            goal, floor = (0.95, 0.90) if on == "query" else (0.90, 0.80)
            self._report.add(
                Figure(
                    group,
                    f"{DEFAULT}: {name}",
                    adversarial.good_first(answers, DEFAULT, store, name),
                    adversarial.good_first(before, "relevance", store, name),
                    "before",
                    floor=floor if decides else None,
                    goal=goal if decides else None,
                )
            )

    def _quality(self, group: str, answers: list[Asked], store: Store) -> None:
        baseline = adversarial.ranking_quality(answers, "meaning", store)
        for name, variant in B1.items():
            for measure, value in adversarial.ranking_quality(answers, variant, store).items():
                self._report.add(Figure(group, f"{name}: {measure}", value, baseline[measure], "vector only"))

    async def _taught_otherwise(self, name: str, say: Say, wordings: Sequence[adversarial.Wording]) -> None:
        """Runs three rounds of another kind, in a separate memory."""
        store = await adversarial.stored(self._world, name, self._scenarios, self._talks)
        for wording in wordings:
            await adversarial.a_round(self._world, store, say, wording)
        for what, answers in (
            ("the query", await self._ask(store, query)),
            ("second rewordings", await self._ask(store, free)),
        ):
            value = adversarial.good_first(answers, DEFAULT, store)
            baseline = adversarial.good_first(answers, "relevance", store)
            self._report.add(Figure("other teaching, three rounds", f"{name}: {what}", value, baseline, "relevance"))


_TEACHINGS: tuple[tuple[str, Say, tuple[adversarial.Wording, ...]], ...] = (
    ("only the good, worked", adversarial.good_worked, (query, query, query)),
    ("only the bad, failed", adversarial.bad_failed, (query, query, query)),
    ("whichever is higher", adversarial.as_shown, (query, query, query)),
    ("first rewordings", adversarial.both, (near, near, near)),
    ("two wordings, one round each", adversarial.both, (query, near)),
)


async def guarded(world: World, report: Report, talks: Sequence[Conversation], every: int) -> None:
    """Measures which questions rank better or worse after feedback, if their order was right before."""
    for name, teacher, decides in (
        ("each alone, one in five misjudged", guard.each_alone, True),
        ("three together, one in five misjudged", guard.together, False),
        ("by a coin", guard.coin, False),
    ):
        result = await guard.taught(world, talks, teacher, every)
        for what, before, after in (
            ("the same questions", result.before_same, result.same),
            ("other questions", result.before_other, result.other),
        ):
            same = what == "the same questions"
            for variant in (*PROFILES[1:], *ABLATION):
                relevance = before[variant]
                goal = relevance - (0 if same else LOST)
                checked = decides and variant == DEFAULT
                report.add(
                    Figure(
                        f"recall at 5, {name}: {what}",
                        variant,
                        after[variant],
                        relevance,
                        "relevance",
                        floor=goal - 0.01 if checked else None,
                        goal=goal if checked else None,
                    )
                )


async def banked(world: World, report: Report, talks: Sequence[Conversation], every: int) -> None:
    """Measures the effect of the quality of facts on the ranking, among facts and against other tiers."""
    variants = ("conditional", "quality off", "quality bare")
    right = await adversarial.facts(world, "facts", variants)
    for variant in variants:
        against = right["quality off"]
        report.add(Figure("facts: better above more similar", variant, right[variant], against, "quality off"))
    if talks:
        recall = await guard.beside_a_bank(world, talks, every)
        for variant in variants:
            against = recall["quality off"]
            report.add(Figure("recall at 5 beside a bank", variant, recall[variant], against, "quality off"))


async def run(
    data: Path,
    talks: Sequence[Conversation],
    cache: Path | None,
    every: int,
    parts: Sequence[str] = PARTS,
    *,
    archiving: bool = False,
) -> Report:
    report = Report("What the memory learns from outcomes")
    began = time.monotonic()
    async with open_world(cache, archiving=archiving) as world:
        if "adversarial" in parts:
            await Adversarial(world, report, adversarial.load(data), talks).run()
        if talks and "guard" in parts:
            await guarded(world, report, talks, every)
        if "bank" in parts:
            await banked(world, report, talks, 2 * every)
        seconds = time.monotonic() - began
        report.notes.append(
            f"{world.asked} searches, {world.taught} answers with an outcome, {seconds:.0f} s; profile {DEFAULT}; "
            f"other memories: {sum(len(talk.turns) for talk in talks) or adversarial.LEAST_OTHERS}; "
            f"one in {every} of the guard's questions; "
            f"{'failing memories are archived' if archiving else 'nothing is archived'}."
        )
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help=adversarial.WHERE)
    parser.add_argument("--locomo", type=Path, help=conversations.WHERE)
    parser.add_argument("--cache", type=Path, help="keep embeddings in this file between runs")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--every", type=int, default=2, help="ask only every Nth of the guard's questions")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--archiving", action="store_true", help="archive failing memories, as the product does")
    given = parser.parse_args()
    if not (given.data / "adversarial_coding_30.json").exists():
        print(f"Skipped: {given.data} does not contain the set. {adversarial.WHERE}")
        return 0
    talks = conversations.load(given.locomo) if given.locomo and given.locomo.is_dir() else []
    if not talks:
        print(f"Skipped the guard: {conversations.WHERE}")
    report = asyncio.run(run(given.data, talks, given.cache, given.every, given.only, archiving=given.archiving))
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
