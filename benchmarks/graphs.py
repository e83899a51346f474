"""What the knowledge graphs are good for, each of their uses on and off: ``python -m benchmarks.graphs``.

*entities*: LoCoMo's turns as facts of the bank, all of one quality, found with and without the entity boost (questions
of categories 1 and 3).
*routing*: the same turns in four tiers by speaker and time, so that subjects have a tier; the questions of other
categories teach, and those of categories 1 and 3 are searched as the plan says, and in all tiers deeply or briefly.
*actions*, *solutions*: half of the questions are answered with their evidence, once or three times, and said to have
worked; then they are asked again, and the other half for the first time.
*tools*: two tools that work with different chances; how often the better one is preferred after ten outcomes each.
*speed*: building, following, drawing and path finding, each beside a yardstick of the same run.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from benchmarks.conversations import WHERE, Conversation, Question, load
from benchmarks.graphs_speed import speed
from benchmarks.graphs_world import GraphWorld, open_graph_world
from benchmarks.report import Figure, Report
from core.memory.items.records import ActionTaken, AnswerRecord
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.memory.outcomes.scoring import quality
from core.memory.outcomes.tier_routing import DEEP, SHALLOW, concepts_of
from core.store.items import TIERS, MemoryItem, Tier
from core.store.sqlite import SqliteTruth

LIMIT = 50
TRIALS = 120
OUTCOMES = 10
CHANCES = ((0.9, 0.6), (0.8, 0.5), (0.7, 0.6))
TAUGHT = 1
"""Conversations that are taught, by half of their questions."""
ROUNDS = (1, 3)
"""Answers to each question that is taught."""
GROUPS: dict[str, Callable[[Question], bool]] = {
    "several turns (1)": lambda question: question.category == 1,
    "open (3)": lambda question: question.category == 3,
    "both": lambda question: True,
}
PLACES: tuple[Tier, ...] = ("history", "patterns", "memory_bank", "working")

Ranks = list[tuple[Question, list[str]]]


def measures(found: Ranks) -> dict[str, float]:
    """Recall among the first 5 and 10, and the mean reciprocal rank."""

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


def as_facts(conversation: Conversation) -> list[MemoryItem]:
    update = {"tier": "memory_bank", "kind": "fact", "quality": quality(0.7, 0.7)}
    return [item.model_copy(update=update) for item in conversation.items]


async def entities(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    found: dict[str, Ranks] = {"off": [], "entities": []}
    world.compare(*found)
    for conversation in conversations:
        user = f"{conversation.user_id}-facts"
        facts = [item.model_copy(update={"user_id": user, "id": _other(item.id)}) for item in as_facts(conversation)]
        await world.remember(user, facts)
        for question in filter(_is_hard, conversation.questions):
            asked = Question(question.text, frozenset(_other(each) for each in question.gold), question.category)
            await world.ask(user, question.text, conversation.speakers, LIMIT)
            for name, rows in found.items():
                rows.append((asked, [item.id for item in world.panel.orders[name]][:LIMIT]))
    for group, belongs in GROUPS.items():
        chosen = {name: [row for row in rows if belongs(row[0])] for name, rows in found.items()}
        compare(report, f"entity boost, {group} ({len(chosen['off'])})", chosen, "off")


def _is_hard(question: Question) -> bool:
    return question.category in (1, 3)


def _other(item_id: str, number: int = 1) -> str:
    """The id of the same turn in the memory of another user."""
    return f"mem_{int(item_id.removeprefix('mem_'), 16) ^ number:032x}"


# -- routing ---------------------------------------------------------------------------------


def in_tiers(conversation: Conversation) -> list[MemoryItem]:
    """Each speaker's early and late turns in a tier of their own."""
    half = len(conversation.items) // 2
    placed = []
    for order, item in enumerate(conversation.items):
        who = conversation.speakers.index(item.source.speaker) if item.source.speaker in conversation.speakers else 0
        placed.append(item.model_copy(update={"tier": PLACES[2 * (order >= half) + who]}))
    return placed


async def routing(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    plans: dict[str, Callable[[Mapping[Tier, int]], Mapping[Tier, int]]] = {
        "all deeply": lambda plan: dict.fromkeys(TIERS, DEEP),
        "all briefly": lambda plan: dict.fromkeys(TIERS, SHALLOW),
        "plan": lambda plan: plan,
    }
    found: dict[str, Ranks] = {name: [] for name in plans}
    depth: dict[str, list[int]] = {name: [] for name in plans}
    mixed: dict[str, Ranks] = {"off": [], "entities": []}
    world.compare(*mixed)
    for conversation in conversations:
        user = conversation.user_id
        items = {item.id: item for item in in_tiers(conversation)}
        await world.remember(user, list(items.values()))
        for question in conversation.questions:
            if _is_hard(question):
                continue
            record = AnswerRecord(
                id=f"msg_{random.Random(question.text).getrandbits(128):032x}",
                user_id=user,
                question=question.text,
                concepts=concepts_of(question.text),
                used=sorted(question.gold),
                tiers={each: items[each].tier for each in question.gold},
                created_at=0.0,
            )
            await world.routing.learn(record, "worked", 1.0)
        for question in filter(_is_hard, conversation.questions):
            planned = await world.routing.plan(user, concepts_of(question.text), PLACES)
            for name, chosen in plans.items():
                depths = {tier: chosen(planned)[tier] for tier in PLACES}
                ids = await world.ask(user, question.text, conversation.speakers, LIMIT, depths, PLACES)
                found[name].append((question, ids))
                depth[name].append(sum(depths.values()))
                if name == "all deeply":
                    for variant, rows in mixed.items():
                        rows.append((question, [item.id for item in world.panel.orders[variant]][:LIMIT]))
    compare(report, f"routing plan, taught by the other questions ({len(found['plan'])})", found, "all deeply")
    compare(report, f"entity boost where a quarter is facts ({len(mixed['off'])})", mixed, "off")
    for name, depths_of in depth.items():
        beside = mean(depth["all deeply"]) if name != "all deeply" else None
        report.add(Figure("routing plan: candidates asked for in a lane", name, mean(depths_of), beside, "all deeply"))


# -- actions and solutions -------------------------------------------------------------------


async def taught(report: Report, world: GraphWorld, conversations: Sequence[Conversation]) -> None:
    world.compare("off", "actions", "solutions")
    for times in ROUNDS:
        again: dict[str, Ranks] = {"off": [], "actions": [], "solutions": []}
        fresh: dict[str, Ranks] = {name: [] for name in again}
        for conversation in conversations[:TAUGHT]:
            user = f"{conversation.user_id}-taught-{times}"
            mine, questions = _own(conversation, user, 1 + times)
            await world.remember(user, list(mine.values()))
            for question in questions[::2]:
                for _ in range(times):
                    await world.teach(user, question.text, [mine[each] for each in question.gold], "worked")
            for place, question in enumerate(questions):
                await world.ask(user, question.text, conversation.speakers, LIMIT, tiers=PLACES)
                for name, rows in (fresh if place % 2 else again).items():
                    rows.append((question, [item.id for item in world.panel.orders[name]][:LIMIT]))
        compare(report, f"taught {times} times, asked again ({len(again['off'])})", again, "off")
        compare(report, f"taught {times} times, other questions ({len(fresh['off'])})", fresh, "off")


def _own(conversation: Conversation, user: str, number: int) -> tuple[dict[str, MemoryItem], list[Question]]:
    """The conversation in tiers as another user's memory, and the questions about it."""
    update = {"user_id": user}
    items = [item.model_copy(update={**update, "id": _other(item.id, number)}) for item in in_tiers(conversation)]
    questions = [
        Question(each.text, frozenset(_other(gold, number) for gold in each.gold), each.category)
        for each in conversation.questions
    ]
    return {item.id: item for item in items}, questions


# -- tools -----------------------------------------------------------------------------------


async def tools(report: Report) -> None:
    rng = random.Random(7)
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as home:
        truth = SqliteTruth(Path(home) / "truth.sqlite", 60.0)
        await truth.start()
        actions = ActionEffectiveness(truth)
        await actions.ensure()
        for better, worse in CHANCES:
            right, naive = [], []
            for trial in range(TRIALS):
                user, last = f"user-{better}-{worse}-{trial}", {}
                for number in range(2 * OUTCOMES):
                    name, chance = (("better", better), ("worse", worse))[number % 2]
                    outcome = "worked" if rng.random() < chance else "failed"
                    last[name] = outcome == "worked"
                    record = AnswerRecord(
                        id=f"msg_{trial:016x}{number:016x}",
                        user_id=user,
                        question="q",
                        actions=[ActionTaken(name=name)],
                        created_at=0.0,
                    )
                    await actions.learn(record, outcome, float(number))
                advice = {each.action: each.success_rate for each in await actions.of(user, "general")}
                right.append(_preferred(advice["better"], advice["worse"]))
                naive.append(_preferred(last["better"], last["worse"]))
            title = f"better of two tools after {OUTCOMES} outcomes each ({TRIALS} trials)"
            report.add(Figure(title, f"chances {better} and {worse}", mean(right), mean(naive), "last outcome", 0.5))
        await truth.stop()


def _preferred(one: float, other: float) -> float:
    return 0.5 if one == other else float(one > other)


# -- all -------------------------------------------------------------------------------------

PARTS = ("tools", "speed", "entities", "routing", "taught")


async def measure(data: Path | None, cache: Path | None, parts: Sequence[str], items: int) -> Report:
    report = Report("Knowledge graphs: what each use is worth, on and off")
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
