"""Measures the benefit of the knowledge graphs, with each of their uses switched on and off: ``python -m
benchmarks.graphs``.

*entities*: LoCoMo's statements as facts of the memory bank, all of the same quality, found with and without the entity
boost (questions of categories 1 and 3).
*routing*: the same statements in four tiers by speaker and time, so that each subject belongs to a tier. The questions
of other categories are used for teaching. Those of categories 1 and 3 are then searched in three ways: as planned, in
all tiers deeply, and in all tiers briefly.
*actions*, *solutions*: half of the questions are answered with their evidence, once or three times, with positive
feedback. Then they are asked again, and the other half for the first time.
*tools*: two tools with different success rates; how often the better one is preferred after ten outcomes each.
*speed*: building, updating, drawing and path finding, each compared with a yardstick of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.conversations import WHERE, Conversation, Question, load
from benchmarks.graphs_speed import speed
from benchmarks.graphs_world import PLACES, GraphWorld, open_graph_world
from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench
from core.ids import new_id
from core.memory.items.records import ActionTaken
from core.memory.outcomes.tier_routing import DEEP, SHALLOW
from core.memory.recall.turn import Turn
from core.records.memory_meta import Tier
from core.store.items import TIERS

LIMIT = 50
TRIALS = 120
OUTCOMES = 10
CHANCES = ((0.9, 0.6), (0.8, 0.5), (0.7, 0.6))
TAUGHT = 1
"""Conversations used for teaching, with half of their questions."""
ROUNDS = (1, 3)
"""Number of times that each teaching question is answered."""
GROUPS: dict[str, Callable[[Question], bool]] = {
    "several turns (1)": lambda question: question.category == 1,
    "open (3)": lambda question: question.category == 3,
    "both": lambda question: True,
}

Ranks = list[tuple[Question, list[str]]]


def measures(found: Ranks) -> dict[str, float]:
    """Returns recall at 5 and 10, and the mean reciprocal rank."""

    def recall(most: int) -> float:
        return mean(len(question.gold & set(ids[:most])) / len(question.gold) for question, ids in found)

    first = [next((1 / n for n, each in enumerate(ids, 1) if each in question.gold), 0.0) for question, ids in found]
    return {"R@5": recall(5), "R@10": recall(10), "MRR": mean(first)}


def compare(report: Report, title: str, by_variant: Mapping[str, Ranks], baseline: str) -> None:
    taken = {name: measures(found) for name, found in by_variant.items()}
    for measure, base in taken[baseline].items():
        for name, values in taken.items():
            against = base if name != baseline else None
            report.add(Figure(f"{title}: {measure}", name, values[measure], against, baseline))


# -- entities --------------------------------------------------------------------------------


async def entities(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    found: dict[str, Ranks] = {"off": [], "entities": []}
    world.compare(*found)
    for conversation in conversations:
        user = f"{conversation.user_id}-facts"
        ids = await world.know(user, conversation)
        for question in filter(_is_hard, conversation.questions):
            asked = question.among(ids)
            await world.ask(user, question.text, conversation.speakers, LIMIT)
            for name, rows in found.items():
                rows.append((asked, [item.id for item in world.panel.orders[name]][:LIMIT]))
    for group, belongs in GROUPS.items():
        chosen = {name: [row for row in rows if belongs(row[0])] for name, rows in found.items()}
        compare(report, f"entity boost, {group} ({len(chosen['off'])})", chosen, "off")


def _is_hard(question: Question) -> bool:
    return question.category in (1, 3)


# -- routing ---------------------------------------------------------------------------------


async def routing(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    plans: dict[str, Callable[[Mapping[Tier, int]], Mapping[Tier, int]]] = {
        "all deeply": lambda plan: dict.fromkeys(TIERS, DEEP),
        "all tiers briefly": lambda plan: dict.fromkeys(TIERS, SHALLOW),
        "plan": lambda plan: plan,
    }
    found: dict[str, Ranks] = {name: [] for name in plans}
    depth: dict[str, list[int]] = {name: [] for name in plans}
    mixed: dict[str, Ranks] = {"off": [], "entities": []}
    world.compare(*mixed)
    for conversation in conversations:
        user = conversation.user_id
        ids = await world.place(user, conversation)
        for question in conversation.questions:
            if not _is_hard(question):
                await world.teach(user, question.text, sorted(question.among(ids).gold), "worked")
        await world.settle(user)
        for question in (each.among(ids) for each in conversation.questions if _is_hard(each)):
            planned = await world.plan(user, question.text)
            for name, chosen in plans.items():
                depths = {tier: chosen(planned)[tier] for tier in PLACES}
                hits = await world.ask(user, question.text, conversation.speakers, LIMIT, depths, PLACES)
                found[name].append((question, hits))
                depth[name].append(sum(depths.values()))
                if name == "all deeply":
                    for variant, rows in mixed.items():
                        rows.append((question, [item.id for item in world.panel.orders[variant]][:LIMIT]))
    compare(report, f"routing plan, taught by the other questions ({len(found['plan'])})", found, "all deeply")
    compare(report, f"entity boost where a quarter is facts ({len(mixed['off'])})", mixed, "off")
    for name, depths_of in depth.items():
        beside = mean(depth["all deeply"]) if name != "all deeply" else None
        report.add(Figure("routing plan: candidates requested per lane", name, mean(depths_of), beside, "all deeply"))


# -- actions and solutions -------------------------------------------------------------------


async def taught(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    world.compare("off", "actions", "solutions")
    for times in ROUNDS:
        again: dict[str, Ranks] = {"off": [], "actions": [], "solutions": []}
        fresh: dict[str, Ranks] = {name: [] for name in again}
        for conversation in conversations[:TAUGHT]:
            user = f"{conversation.user_id}-taught-{times}"
            ids = await world.place(user, conversation)
            questions = [each.among(ids) for each in conversation.questions]
            for question in questions[::2]:
                for _ in range(times):
                    await world.teach(user, question.text, sorted(question.gold), "worked")
            await world.settle(user)
            for place, question in enumerate(questions):
                await world.ask(user, question.text, conversation.speakers, LIMIT, tiers=PLACES)
                for name, rows in (fresh if place % 2 else again).items():
                    rows.append((question, [item.id for item in world.panel.orders[name]][:LIMIT]))
        compare(report, f"taught {times} times, asked again ({len(again['off'])})", again, "off")
        compare(report, f"taught {times} times, other questions ({len(fresh['off'])})", fresh, "off")


# -- tools -----------------------------------------------------------------------------------


async def tools(report: Report) -> None:
    rng = random.Random(7)
    async with open_workbench(dense=False) as workbench:
        memory = workbench.memory
        for better, worse in CHANCES:
            right, naive = [], []
            for trial in range(TRIALS):
                user, last = f"user-{better}-{worse}-{trial}", {}
                for number in range(2 * OUTCOMES):
                    name, chance = (("better", better), ("worse", worse))[number % 2]
                    last[name] = rng.random() < chance
                    turn = Turn(user, new_id("msg"), "q")
                    await memory.remember_answer(memory.record_of(turn))
                    await memory.record_action_outcome(user, turn.answer_id, ActionTaken(name=name))
                    await memory.record_outcome(user, turn.answer_id, "worked" if last[name] else "failed")
                await memory.settle()
                known = await memory.get_action_effectiveness(user, memory.detect_context_type("q"))
                advice = {each.action: each.success_rate for each in known}
                right.append(_preferred(advice["better"], advice["worse"]))
                naive.append(_preferred(last["better"], last["worse"]))
            title = f"better of two tools after {OUTCOMES} outcomes each ({TRIALS} trials)"
            report.add(Figure(title, f"chances {better} and {worse}", mean(right), mean(naive), "last outcome", 0.5))


def _preferred(one: float, other: float) -> float:
    return 0.5 if one == other else float(one > other)


# -- all -------------------------------------------------------------------------------------

PARTS = ("tools", "speed", "entities", "routing", "taught")


async def measure(data: Path | None, cache: Path | None, parts: Sequence[str], items: int) -> Report:
    report = Report("Knowledge graphs: each use on and off")
    if "tools" in parts:
        await tools(report)
    if "speed" in parts:
        await speed(report, items)
    wanted = [part for part in parts if part in ("entities", "routing", "taught")]
    if not wanted:
        return report
    if data is None or not (data / "locomo_public5.json").exists():
        report.notes.append(f"Skipped {', '.join(wanted)}: {data} has no locomo_public5.json. {WHERE}")
        return report
    conversations = load(data)
    async with open_graph_world(cache) as world:
        for name, part in (("entities", entities), ("routing", routing), ("taught", taught)):
            if name in wanted:
                await part(report, world, conversations)
    return report


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with locomo_public5.json")
    parser.add_argument("--cache", type=Path, help="file (.npz) that keeps embeddings between runs")
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS), metavar="PART")
    parser.add_argument("--items", type=int, default=10_000, help="texts of the speed part (default %(default)s)")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args(arguments)
    return asyncio.run(measure(options.data, options.cache, options.only, options.items)).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
