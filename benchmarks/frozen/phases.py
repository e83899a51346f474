"""Runs disturbances while another user keeps asking plain questions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Event, Thread

import httpx

from benchmarks.frozen.person import Deed, Json, Person, RefusedError

PLAIN = "plain question"
QUIET = "quiet"
PLAIN_PAUSE = 0.5
"""Seconds between an answer and the next plain question."""
SETTLED = 0.3
"""Seconds within which ``/ready`` answers on an idle server."""
SETTLING = 40.0
"""Seconds allowed for the server to become idle again after a phase."""

Actor = Callable[[Event], None]
"""A simulated user: acts until finished, or until the event is set."""


@dataclass
class Phase:
    """A phase of the run. ``began`` and ``ended``: monotonic clock; ``clock``: epoch time of its beginning."""

    name: str
    began: float
    clock: float
    ended: float = 0.0
    lag: float = 0.0
    pauses: list[Json] = field(default_factory=list)
    stopped: list[Json] = field(default_factory=list)


@dataclass
class Run:
    """State of a run: the user who asks plain questions ("the eleventh person"), an administrator, and the results."""

    plain: Person
    questions: Sequence[str]
    administrator: Person
    log: list[Deed]
    phases: list[Phase] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @contextmanager
    def phase(self, name: str) -> Iterator[Phase]:
        """Runs a phase; at its end, reads the server's reports about times when it was blocked."""
        phase = Phase(name, time.monotonic(), time.time())
        self.phases.append(phase)
        print(f"{name} …", flush=True)
        try:
            yield phase
        finally:
            self._look_at_the_server(phase)
            phase.ended = time.monotonic()

    def disturbed(self, name: str, seconds: float, least: float, until: Sequence[Actor], *others: Actor) -> None:
        """Asks plain questions while the simulated users act, until all of ``until`` are done, but for at least
        ``least`` and at most ``seconds`` seconds."""
        stop = Event()
        with self.phase(name) as phase:
            threads = [Thread(target=actor, args=(stop,)) for actor in (*until, *others, self.asks_plain)]
            for thread in threads:
                thread.start()
            for thread in threads[: len(until)]:
                thread.join(max(0.0, phase.began + seconds - time.monotonic()))
            stop.wait(max(0.0, phase.began + (least if until else seconds) - time.monotonic()))
            stop.set()
            for thread in threads:
                thread.join()
        self.settle()

    def asks_plain(self, stop: Event) -> None:
        """Asks one plain question after another."""
        place = 0
        while not stop.is_set():
            question = self.questions[place % len(self.questions)]
            self.plain.does(PLAIN, question, lambda: self.plain.ask(question))  # noqa: B023 -- called at once
            place += 1
            stop.wait(PLAIN_PAUSE)

    def quiet(self, rounds: int) -> None:
        """Asks each plain question once to warm up, then the given number of times, while nothing else runs."""
        for name, times in (("warming up", 1), (QUIET, rounds)):
            with self.phase(name):
                for question in [*self.questions] * times:
                    self.plain.does(PLAIN, question, lambda: self.plain.ask(question))  # noqa: B023 -- called at once

    def settle(self) -> None:
        """Waits until nothing is being processed and ``/ready`` answers quickly."""
        with self.phase("settling"):
            ends = time.monotonic() + SETTLING
            while not self._is_settled():
                if time.monotonic() > ends:
                    self.notes.append(f"the server was still busy {SETTLING:.0f} s after: {self.phases[-2].name}")
                    return
                time.sleep(0.5)

    def _is_settled(self) -> bool:
        began = time.monotonic()
        try:
            self.administrator.http.get("/ready").raise_for_status()
            soon = time.monotonic() - began < SETTLED
            return soon and all(work["waits"] for work in self.administrator.call("get_system")["under_way"])
        except (httpx.HTTPError, RefusedError):
            return False

    def _look_at_the_server(self, phase: Phase) -> None:
        """Reads from the server the longest delay of its event loop, and the phase's blocked times and stopped
        calculations."""
        try:
            metrics = self.administrator.http.get("/metrics").text
            report = self.administrator.call("get_system")["responsiveness"]
        except (httpx.HTTPError, RefusedError) as error:
            self.notes.append(f"{phase.name}: the server does not report its pauses: {error}")
            return
        phase.lag = metric(metrics, "palimpsest_loop_lag_seconds")
        phase.pauses, phase.stopped = (
            [entry for entry in report[kind] if entry["at"] >= phase.clock] for kind in ("pauses", "stopped")
        )


def metric(text: str, name: str) -> float:
    """Returns a gauge from Prometheus' text format; 0 if it is missing."""
    values = (line.rpartition(" ") for line in text.splitlines() if line.startswith(f"{name} "))
    return next((float(value) for _, _, value in values), 0.0)
