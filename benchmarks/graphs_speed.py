"""Measures how fast the graphs are built, updated, drawn and searched for paths, each compared with a yardstick."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable, Sequence
from statistics import median

import networkx as nx

from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import graph_of, open_workbench, upload
from core.clock import system_clock
from core.knowledge.content_store import ContentStore
from core.knowledge.graph_sync import GraphSync
from core.memory.memory import Memory
from core.workbench import Workbench

USER = "ada"
GOALS = {"update": 0.020, "path": 0.050}
"""Goals in seconds, for an update and for finding a path."""
TIMES = 25
FACTS = 10
"""One text in this many is a fact of the memory bank."""
MOST_FACTS = 900
"""Maximum number of facts: the memory bank can hold a thousand."""
SECTIONS = 200
"""Number of texts per document."""

# fmt: off
_GIVEN = (
    "Anna", "Ben", "Carla", "David", "Emma", "Frank", "Grace", "Henry", "Irene", "Jack", "Laura", "Martin", "Nora",
    "Oscar", "Paula", "Robert", "Sarah", "Thomas", "Adam", "Beth", "Claire", "Daniel", "Edith", "Felix", "Helen",
    "Ivan", "Julia", "Karl", "Lucy", "Michael", "Nina", "Oliver", "Peter", "Rose", "Simon", "Teresa",
)
_FAMILY = (
    ("Bar", "Hol", "Mar", "Kin", "Ros", "Wes", "Lind", "Ash", "Nor", "Thor", "Hart", "Bren"),
    ("ton", "man", "berg", "sen", "ley", "field", "by", "ford"),
)
_FIELDS = (
    "budget", "supply", "security", "audit", "travel", "pension", "payroll", "training", "network", "storage",
    "delivery", "marketing", "energy", "water", "insurance", "tax", "quality", "health", "safety", "licence",
)
_HEADS = (
    "report", "plan", "agreement", "review", "policy", "contract", "survey", "committee", "forecast", "schedule",
)
_CITIES = (
    "Leeds", "Haifa", "Rotterdam", "Milan", "Vienna", "Boston", "Lisbon", "Prague", "Hamburg", "Toronto", "Dublin",
)
# fmt: on


def texts(count: int, seed: int = 7) -> list[str]:
    """Creates business prose of some sixty words each, with thousands of different names and terms."""
    rng = random.Random(seed)
    people = [f"{given} {one}{other}" for given in _GIVEN for one in _FAMILY[0] for other in _FAMILY[1]]
    terms = [
        f"{kind} {field} {head}" for kind in ("regional", "annual", "draft") for field in _FIELDS for head in _HEADS
    ]

    def sentence() -> str:
        who, whom = rng.sample(people, 2)
        return (
            f"{who} sent the {rng.choice(terms)} to {whom} in {rng.choice(_CITIES)} on {rng.randint(1, 28)} May 2024, "
            f"because the {rng.choice(terms)} costs EUR {rng.randint(1, 900)},000 and needs approval."
        )

    return [" ".join(sentence() for _ in range(rng.randint(1, 3))) for _ in range(count)]


async def seconds(call: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


async def speed(report: Report, count: int) -> None:
    async with open_workbench(dense=False) as workbench:
        said = texts(count + TIMES)
        facts, passages = said[:count:FACTS], [text for place, text in enumerate(said[:count]) if place % FACTS]
        began = time.perf_counter()
        await _fill(workbench, facts, passages)
        storing = time.perf_counter() - began
        await graph_of(workbench, USER)
        building = time.perf_counter() - began
        _add(
            report,
            f"{count} texts from the first upload until all are in the graph, s",
            building,
            storing,
            "storing them",
        )
        loading = await seconds(lambda: GraphSync(ContentStore(workbench.truth), system_clock).of(USER))
        _add(report, "reading the graph after a start, s", loading, storing, "storing them")
        await _following(report, workbench.memory, said[count:])
        await _reading(report, workbench)


async def _fill(workbench: Workbench, facts: Sequence[str], passages: Sequence[str]) -> None:
    """Stores every tenth text as a fact, up to the bank's limit, the others as sections of documents."""
    written = [f"# Note {number}\n\n{text}" for number, text in enumerate([*passages, *facts[MOST_FACTS:]])]
    for start in range(0, len(written), SECTIONS):
        path = workbench.settings.folder / f"notes-{start}.md"
        path.write_text("\n\n".join(written[start : start + SECTIONS]), encoding="utf-8")
        await upload(workbench, USER, path)
    for text in facts[:MOST_FACTS]:
        await workbench.memory.bank.remember(USER, text)


async def _following(report: Report, memory: Memory, facts: Sequence[str]) -> None:
    storing, following = [], []
    for text in facts:
        storing.append(await seconds(lambda text=text: memory.bank.remember(USER, text)))  # type: ignore[misc]
        following.append(await seconds(memory.settle))
    _add(report, "update after one write, s", median(following), median(storing), "storing it", GOALS["update"])


async def _reading(report: Report, workbench: Workbench) -> None:
    knowledge = workbench.memory.knowledge
    content: nx.Graph[str] = (await graph_of(workbench, USER)).content.graph
    report.notes.append(f"{content.number_of_nodes()} concepts, {content.number_of_edges()} edges.")
    names, rng = sorted(content), random.Random(3)
    many = median([await seconds(lambda: knowledge.graph(USER, top=2_000)) for _ in range(3)])
    few = median([await seconds(lambda: knowledge.graph(USER, top=20)) for _ in range(3)])
    _add(report, "view of 2,000 nodes, s", many, few, "a view of 20")
    found, plain = [], []
    for _ in range(TIMES):
        a, b = rng.sample(names, 2)
        found.append(await seconds(lambda a=a, b=b: knowledge.path(USER, a, b)))  # type: ignore[misc]
        began = time.perf_counter()
        nx.has_path(content, a, b)
        plain.append(time.perf_counter() - began)
    _add(report, "path between two concepts, s", median(found), median(plain), "breadth-first search", GOALS["path"])
    report.notes.append(f"Slowest path of {TIMES}: {max(found) * 1000:.0f} ms.")


def _add(report: Report, name: str, value: float, yardstick: float, against: str, most: float | None = None) -> None:
    """Adds a time and its ratio to the yardstick; lower is better, so the goal is part of the name."""
    told = f" (at most {most:g}: {'reached' if value <= most else 'NOT reached'})" if most is not None else ""
    report.add(
        Figure(f"speed: {name}{told}", f"{value / max(yardstick, 1e-9):.1f} times {against}", value, yardstick, against)
    )
