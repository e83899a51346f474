"""Simulates users of two servers and two workers. Measures each process's memory, words lost from streams, and the time
to the first event."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field

import httpx
import numpy as np
import psutil

from benchmarks.people import slope
from benchmarks.report import Figure, Report
from benchmarks.several_processes.house import House, house
from benchmarks.several_processes.slow_answers import SlowAnswers
from benchmarks.several_processes.standing import Faults, Records, Standing, faults
from benchmarks.several_processes.strikes import KINDS, struck
from benchmarks.several_processes.visitors import Heard, Visitor, accounts, visiting
from benchmarks.workers import page

FIRST = 0.3
"""Maximum seconds until the first event (p95)."""
LOOKS = 5.0
"""Seconds between two checks of the processes' memory."""
REST = 300.0
"""Seconds within which all work must end after the last user action."""
TURNS = ("upload", "ask", "feedback", "graph", "memory")


@dataclass
class Day:
    """Everything that was observed. ``held``: pairs of time in minutes and memory in megabytes, for each process since
    its last start."""

    turns: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    heard: list[Heard] = field(default_factory=list)
    held: defaultdict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    files: set[str] = field(default_factory=set)
    strikes: list[str] = field(default_factory=list)


@dataclass
class Guest:
    """One of the simulated users, who does one thing after the other."""

    visitor: Visitor
    place: int
    day: Day
    pages: int = 0

    async def stays(self, ends: float, pause: float, drawn: random.Random) -> None:
        await asyncio.sleep(drawn.random() * pause)
        turn = drawn.randrange(len(TURNS))
        while time.monotonic() < ends:
            name = TURNS[turn % len(TURNS)]
            turn += 1
            try:
                await getattr(self, f"_{name}")()
                self.day.turns[name] += 1
            except httpx.HTTPError as error:
                code = error.response.status_code if isinstance(error, httpx.HTTPStatusError) else ""
                self.day.refused[f"{name}: {type(error).__name__} {code}".rstrip()] += 1
            await asyncio.sleep(pause)

    async def _upload(self) -> None:
        self.pages += 1
        number = self.place * 10_000 + self.pages
        name = f"page-{number}.txt"
        await self.visitor.add(name, page(number))
        self.day.files.add(name)

    async def _ask(self) -> None:
        number = self.place * 10_000 + max(1, self.pages)
        self.day.heard.append(await self.visitor.ask(f"What does the register say of entry {number}?"))

    async def _feedback(self) -> None:
        answered = [each for each in self.day.heard if each.outcome == "answered"]
        mine = [each for each in answered if each.asker == self.visitor.name]
        if mine:
            await self.visitor.call("record_feedback", message_id=mine[-1].message_id, outcome="worked")

    async def _graph(self) -> None:
        await self.visitor.call("knowledge_graph")

    async def _memory(self) -> None:
        await self.visitor.call("memory_stats")
        await self.visitor.call("list_tier", tier="working")


async def _look(several: House, day: Day, ends: float) -> None:
    began, lives = time.monotonic(), dict[str, int]()
    while time.monotonic() < ends:
        for process in several.processes:
            try:
                watched = process.watched
                held = watched.memory_info().rss / 1e6
            except psutil.NoSuchProcess:
                continue
            if lives.setdefault(process.name, watched.pid) != watched.pid:
                lives[process.name] = watched.pid
                day.held[process.name].clear()
            day.held[process.name].append(((time.monotonic() - began) / 60, held))
        await asyncio.sleep(LOOKS)


async def _strike(several: House, day: Day, ends: float, apart: float, drawn: random.Random) -> None:
    """Runs strikes of all kinds in turn, with ``apart`` seconds between the end of one and the next."""
    number = 0
    while time.monotonic() + apart < ends:
        await asyncio.sleep(apart)
        async with struck(several, *KINDS[number % len(KINDS)], drawn) as strike:
            day.strikes.append(str(strike))
            print(f"{strike}", flush=True)
            await asyncio.sleep(drawn.uniform(1, 20))
        number += 1


def report(day: Day, standing: Standing, found: Faults, people: int, minutes: float) -> Report:
    made = Report(f"{people} people for {minutes:g} minutes over two servers and two workers")
    for name in TURNS:
        made.add(Figure("turns", name, day.turns[name]))
    made.add(Figure("turns", "refused (negated)", -float(day.refused.total()), floor=_unstruck(day, 0.0)))
    firsts = [each.first for each in day.heard if each.first is not None]
    p95, later = _percentile(firsts, 95), firsts[len(firsts) * 2 // 3 :]
    made.add(Figure("first event, s", "p50", _percentile(firsts, 50), _percentile(later, 50), "of the last third"))
    made.add(Figure("first event, s", "p95", p95, _percentile(later, 95), "of the last third"))
    made.add(Figure("first event, s", f"p95, seconds left of {FIRST:g}", FIRST - p95, floor=_unstruck(day, 0.0)))
    for name in ("lost", "doubled"):
        words = sum(int(getattr(each, name)) for each in day.heard)
        made.add(Figure("streams", f"words {name} (negated)", -float(words), floor=0.0))
    broken = sum(each.broken for each in day.heard)
    made.add(Figure("streams", "broken off (negated)", -float(broken), floor=_unstruck(day, 0.0)))
    for name in ("lost", "half", "doubled"):
        made.add(Figure("records", f"{name} (negated)", -float(len(getattr(found, name))), floor=0.0))
    made.add(Figure("records", "files", len(standing.documents)))
    made.add(Figure("records", "jobs restarted", standing.begun_anew))
    made.add(Figure("records", "answers interrupted", standing.interrupted))
    for name, held in sorted(day.held.items()):
        made.add(Figure(name, "megabytes at the end", held[-1][1], held[0][1], "at the beginning"))
        made.add(Figure(name, "megabytes an hour, second half", slope(held)))
    made.notes += [f"{len(day.strikes)} kills and freezes"] if day.strikes else []
    made.notes += [f"refused: {name} × {count}" for name, count in day.refused.items()]
    return made


def _percentile(values: list[float], which: float) -> float:
    return float(np.percentile(values, which)) if values else float("inf")


def _unstruck(day: Day, floor: float) -> float | None:
    """Checks floors that apply only if nothing was killed."""
    return None if day.strikes else floor


async def run(people: int, minutes: float, pause: float, apart: float | None, seed: int) -> Report:
    """Runs the test. ``pause``: seconds between two actions of a user; ``apart``: seconds between two kills, if any."""
    names = [f"person{number}" for number in range(people)]
    model = SlowAnswers(words=30, seconds=0.1)
    day, drawn = Day(), random.Random(seed)
    async with model.server() as server, house({**accounts(names), **model.settings(server)}) as several:
        records = Records(several.shared.mongodb, several.shared.qdrant.url, several.database)
        async with visiting(names, [each.url for each in several.servers]) as visitors:
            ends = time.monotonic() + minutes * 60
            working = [
                Guest(each, place + 1, day).stays(ends, pause, random.Random(seed + place))
                for place, each in enumerate(visitors)
            ]
            if apart is not None:
                working.append(_strike(several, day, ends, apart, drawn))
            await asyncio.gather(_look(several, day, ends), *working)
        standing = await _at_rest(records)
        records.close()
    found = faults(standing, day.files, [each.run_id for each in day.heard if each.run_id])
    if found:
        print(found, file=sys.stderr, flush=True)
    return report(day, standing, found, people, minutes)


async def _at_rest(records: Records) -> Standing:
    ends = time.monotonic() + REST
    while True:
        if not await asyncio.to_thread(records.unfinished) or time.monotonic() > ends:
            return await asyncio.to_thread(records.standing)
        await asyncio.sleep(1)
