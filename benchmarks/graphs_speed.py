"""How fast the graphs are built, followed, drawn and walked, each beside a yardstick of the same run."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import networkx as nx

from benchmarks.report import Figure, Report
from core.clock import system_clock
from core.knowledge.build import Graphs
from core.memory.items.writing import ITEMS, MemoryItems
from core.memory.outcomes.action_effectiveness import ActionEffectiveness
from core.store.edge import EdgeIndex
from core.store.items import ItemSource, MemoryItem, Quality, Timestamps
from core.store.sqlite import SqliteTruth

USER = "ada"
GOALS = {"build": 60.0, "update": 0.020, "path": 0.050}
"""Seconds."""
TIMES = 25

# fmt: off
_GIVEN = (
    "Anna", "Ben", "Carla", "David", "Emma", "Frank", "Grace", "Henry", "Irene", "Jack", "Laura", "Martin", "Nora",
    "Oscar", "Paula", "Robert", "Sarah", "Thomas",
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
    """Business prose of some sixty words, with thousands of names and terms between them."""
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


def item(number: int, text: str) -> MemoryItem:
    at = 1_000.0 + number
    return MemoryItem(
        id=f"mem_{number:032x}",
        user_id=USER,
        tier="memory_bank" if number % 10 == 0 else "books",
        text=text,
        document_id=None if number % 10 == 0 else f"doc_{number // 200:032x}",
        source=ItemSource(type="document"),
        quality=Quality() if number % 10 == 0 else None,
        timestamps=Timestamps(created_at=at, updated_at=at),
    )


async def seconds(call: Callable[[], Awaitable[object]]) -> float:
    began = time.perf_counter()
    await call()
    return time.perf_counter() - began


async def speed(report: Report, count: int) -> None:
    with TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as home:
        truth = SqliteTruth(Path(home) / "truth.sqlite", 120.0)
        await truth.start()
        items = MemoryItems(truth, EdgeIndex(Path(home) / "index"), None, system_clock)
        graphs = Graphs(truth, items, ActionEffectiveness(truth), system_clock)
        await items.ensure()
        await graphs.ensure()
        rows = [
            item(number, text).model_dump(by_alias=True, mode="json")
            for number, text in enumerate(texts(count + TIMES))
        ]
        storing = await seconds(lambda: truth.collection(ITEMS).insert_many(rows[:count]))
        building = await seconds(lambda: graphs.growth.read_in(USER))
        _add(report, f"build of {count} texts, s", building, storing, "storing them", GOALS["build"])
        fresh = Graphs(truth, items, ActionEffectiveness(truth), system_clock)
        loading = await seconds(lambda: fresh.growth.of(USER))
        _add(report, "reading the graph after a start, s", loading, storing, "storing them")
        await _following(report, truth, graphs, rows[count:])
        await _reading(report, graphs)
        await truth.stop()


async def _following(report: Report, truth: SqliteTruth, graphs: Graphs, rows: list) -> None:  # type: ignore[type-arg]
    storing, following = [], []
    for row in rows:
        storing.append(await seconds(lambda row=row: truth.collection(ITEMS).insert_many([row])))  # type: ignore[misc]
        following.append(await seconds(lambda: graphs.growth.read_in(USER)))
    _add(report, "update after one write, s", median(following), median(storing), "storing it", GOALS["update"])


async def _reading(report: Report, graphs: Graphs) -> None:
    grown = await graphs.growth.of(USER)
    content: nx.Graph[str] = grown.content.graph
    report.notes.append(f"{content.number_of_nodes()} concepts, {content.number_of_edges()} edges.")
    names, rng = sorted(content), random.Random(3)
    many = median([await seconds(lambda: graphs.reading.graph(USER, top=2_000)) for _ in range(3)])
    few = median([await seconds(lambda: graphs.reading.graph(USER, top=20)) for _ in range(3)])
    _add(report, "view of 2,000 nodes, s", many, few, "a view of 20")
    found, plain = [], []
    for _ in range(TIMES):
        a, b = rng.sample(names, 2)
        found.append(await seconds(lambda a=a, b=b: graphs.reading.path(USER, a, b)))  # type: ignore[misc]
        began = time.perf_counter()
        nx.has_path(content, a, b)
        plain.append(time.perf_counter() - began)
    _add(report, "way between two, s", median(found), median(plain), "breadth first alone", GOALS["path"])
    report.notes.append(f"Slowest way of {TIMES}: {max(found) * 1000:.0f} ms.")


def _add(report: Report, name: str, value: float, yardstick: float, against: str, most: float | None = None) -> None:
    """As a time, and as a ratio to the yardstick; less is better, so a goal is told in the name."""
    told = f" (at most {most:g}: {'reached' if value <= most else 'NOT reached'})" if most is not None else ""
    report.add(
        Figure(f"speed: {name}{told}", f"{value / max(yardstick, 1e-9):.1f} times {against}", value, yardstick, against)
    )
