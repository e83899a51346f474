"""Kills and freezes several processes. Accepted work must be completed, must not be done twice, and must continue
elsewhere within 30 s."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from benchmarks.report import Figure, Report
from benchmarks.several_processes.house import House, house
from benchmarks.several_processes.slow_answers import SlowAnswers
from benchmarks.several_processes.standing import Faults, Records, Standing, faults
from benchmarks.several_processes.strikes import KINDS, PAST_LEASE, WHATS, How, Strike, What, struck
from benchmarks.several_processes.visitors import Heard, Visitor, accounts, visiting
from benchmarks.workers import page

GIVES, ASKS = "ada", "noga"
"""Two users, because a question waits for the same user's files that are being read."""
FILES = 6
"""Files added before each kill or freeze ("strike")."""
LONGEST = 1.5
"""Maximum seconds from starting work to the strike."""
GOES_ON = 30.0
PATIENCE = 180.0
QUESTION = "What does the register say of entry 00000?"
LOOKS = 0.5
LOG_TAIL = 6_000
"""Characters of each process's log that are shown if something is late, because the logs are deleted after the run."""


@dataclass(frozen=True)
class Blow:
    """Times of one strike, in seconds from the strike (from its end, if it hit the record store): until the files and
    answers in progress were complete or had ended, and until a question asked at that time was answered."""

    strike: str
    kind: str
    settled: float
    asked_on: float
    found: Faults

    @property
    def seconds(self) -> float:
        return max(self.settled, self.asked_on)


@dataclass
class Life:
    """A set of processes that are struck repeatedly, and the work they have accepted."""

    house: House
    records: Records
    giver: Visitor
    asker: Visitor
    drawn: random.Random
    files: set[str] = field(default_factory=set)
    runs: set[str] = field(default_factory=set)
    heard: list[Heard] = field(default_factory=list)
    number: int = 0

    async def blow(self, kind: tuple[What, How]) -> Blow:
        """Strikes once in the middle of work, and checks the state after everything was restored."""
        working = [asyncio.create_task(self._give()) for _ in range(FILES)]
        working += [asyncio.create_task(self._ask(place)) for place in range(len(self.house.servers))]
        await asyncio.sleep(self.drawn.uniform(0, LONGEST))
        async with struck(self.house, *kind, self.drawn) as strike:
            began = time.monotonic()
            settled, asked_on = (0.0, 0.0) if strike.what == "truth" else await self._goes_on(strike, began)
            if strike.what == "truth" and strike.how == "killed":
                await asyncio.sleep(self.drawn.uniform(1, PAST_LEASE))
        if strike.what == "truth":
            settled, asked_on = await self._goes_on(strike, time.monotonic())
        await asyncio.gather(*working)
        standing = await self._at_rest(self.files, time.monotonic() + PATIENCE)
        return Blow(str(strike), " ".join(kind), settled, asked_on, faults(standing, self.files, self.runs))

    async def _give(self) -> None:
        self.number += 1
        name, text = f"page-{self.number:05d}.txt", page(self.number)
        await Visitor(GIVES, self.giver.clients, self.number % 2).add(name, text)
        self.files.add(name)

    async def begin(self) -> None:
        """Adds a document to ask about."""
        await self.asker.add("page-00000.txt", page(0))
        await self._at_rest({"page-00000.txt"}, time.monotonic() + PATIENCE)

    async def _ask(self, at: int, *, beside_it: bool = True) -> Heard:
        heard = await Visitor(ASKS, self.asker.clients, at).ask(QUESTION, beside_it=beside_it)
        if heard.run_id:
            self.runs.add(heard.run_id)
        self.heard.append(heard)
        return heard

    async def _goes_on(self, strike: Strike, began: float) -> tuple[float, float]:
        ends = began + PATIENCE

        async def settle() -> float:
            await self._at_rest(set(self.files), ends, began + GOES_ON)
            return time.monotonic() - began

        async def ask_on() -> float:
            at = self.house.servers.index(self.drawn.choice(strike.unstruck))
            while True:
                heard = await self._ask(at, beside_it=False)
                if heard.outcome == "answered" or time.monotonic() > ends:
                    return time.monotonic() - began
                await asyncio.sleep(LOOKS)

        settled, asked_on = await asyncio.gather(settle(), ask_on())
        return settled, asked_on

    async def _at_rest(self, files: Collection[str], ends: float, late: float | None = None) -> Standing:
        """Returns the state when no work is left, or when the time limit is over; reports work that is unfinished at
        ``late``."""
        while True:
            unfinished: object = await asyncio.to_thread(self.records.unfinished)
            if not unfinished or time.monotonic() > ends:
                standing = await asyncio.to_thread(self.records.standing)
                unfinished = faults(standing, files, ())
                if not unfinished or time.monotonic() > ends:
                    return standing
            if late is not None and time.monotonic() > late:
                late = None
                print(f"  late: {unfinished}", file=sys.stderr, flush=True)
                for process in self.house.processes:
                    print(f"  {process.name}: {process.log[-LOG_TAIL:]}", file=sys.stderr, flush=True)
            await asyncio.sleep(LOOKS)


def report(blows: Sequence[Blow], standing: Standing, heard: Sequence[Heard]) -> Report:
    made = Report(f"{len(blows)} kills and freezes over two servers, two workers, Redis and the record store")
    by_kind: defaultdict[str, list[Blow]] = defaultdict(list)
    for blow in blows:
        by_kind[blow.kind].append(blow)
    for kind, some in by_kind.items():
        made.add(Figure(kind, "times", len(some)))
        for name in ("settled", "asked_on"):
            slowest = max(float(getattr(blow, name)) for blow in some)
            made.add(Figure(kind, f"{name}: slowest, seconds left of {GOES_ON:g}", GOES_ON - slowest, floor=0.0))
    for name in ("lost", "half", "doubled"):
        # A fault stays in the data, so it is found again after later strikes; each fault counts once.
        found = {each for blow in blows for each in getattr(blow.found, name)}
        made.add(Figure("all", f"{name} (negated)", -float(len(found)), floor=0.0))
    doubled = sum(each.doubled for each in heard)
    made.add(Figure("all", "words doubled in streams (negated)", -float(doubled), floor=0.0))
    lost = sum(each.lost for each in heard)
    made.add(Figure("all", "words lost in streams (negated)", -float(lost), floor=0.0))
    made.add(Figure("all", "jobs restarted", standing.begun_anew))
    made.add(Figure("all", "answers interrupted", standing.interrupted))
    made.add(Figure("all", "files", len(standing.documents)))
    made.add(Figure("all", "answers", len(standing.runs)))
    made.notes.append("MongoDB and Qdrant are stand-ins; a forwarder to the record store is cut or silent.")
    return made


async def run(kills: int, seed: int, what: Sequence[What] = WHATS) -> Report:
    """Runs the strikes on ``what``, all kinds in turn; reports each fault when it is found."""
    kinds = [kind for kind in KINDS if kind[0] in what]
    model = SlowAnswers(words=30, seconds=0.1)
    blows: list[Blow] = []
    async with model.server() as server, house({**accounts([GIVES, ASKS]), **model.settings(server)}) as several:
        records = Records(several.shared.mongodb, several.shared.qdrant.url, several.database)
        async with visiting([GIVES, ASKS], [each.url for each in several.servers]) as (giver, asker):
            life = Life(several, records, giver, asker, random.Random(seed))
            await life.begin()
            for number in range(kills):
                blow = await life.blow(kinds[number % len(kinds)])
                blows.append(blow)
                print(f"{number + 1} {blow.strike}: {blow.settled:.1f} s, {blow.asked_on:.1f} s", flush=True)
                if blow.found:
                    print(f"  {blow.found}", file=sys.stderr, flush=True)
            standing = await asyncio.to_thread(records.standing)
        records.close()
    return report(blows, standing, life.heard)
