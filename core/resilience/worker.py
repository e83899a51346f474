"""Runs long calculations in a worker process: ``python -m core.resilience.worker``. It reads orders from its input, one
at a time.

An order and its outcome are pickles, each preceded by its length. Both ends are this program, so no foreign data is
unpickled.
"""

from __future__ import annotations

import contextlib
import logging
import math
import os
import pickle
import struct
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, BinaryIO

from core.errors import PalimpsestError, Problem
from core.resilience.priority import stand_back
from core.resilience.watchdog import die_with_parent, leave, limit_memory

LENGTH = struct.Struct(">Q")
MEMORY_BYTES = 4 * 1024**3
NICE = 10
"""The worker's ``nice`` value: a lower priority, so that questions that need no worker are answered first."""

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Order:
    """A function of a module, with its arguments and its limit of processor time (seconds)."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """An order's result, or the reason why there is none: ``problem`` is for users, ``failed`` is for the log."""

    result: Any = None
    problem: Problem | None = None
    failed: str = ""


def packed(record: Order | Outcome) -> bytes:
    """The pickle of ``record`` after its length in bytes."""
    data = pickle.dumps(record, protocol=pickle.HIGHEST_PROTOCOL)
    return LENGTH.pack(len(data)) + data


def main() -> None:
    """Process orders until the input ends."""
    die_with_parent()
    limit_memory(MEMORY_BYTES)
    stand_back(NICE)
    orders = sys.stdin.buffer
    outcomes = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # A calculation's printed output must not mix with outcomes.
    while (data := _read(orders)) is not None:
        try:
            outcomes.write(packed(_obeyed(data)))
            outcomes.flush()
        except BrokenPipeError:
            leave()


def _read(orders: BinaryIO) -> bytes | None:
    """The next order; ``None`` when the server has ended or no longer needs this process."""
    head = orders.read(LENGTH.size)
    return orders.read(LENGTH.unpack(head)[0]) if len(head) == LENGTH.size else None


def _obeyed(data: bytes) -> Outcome:
    try:
        order: Order = pickle.loads(data)
        _limit_processor(order.seconds)
        return Outcome(result=order.function(*order.arguments))
    except PalimpsestError as error:
        return Outcome(problem=error.problem)
    except Exception as error:
        log.exception("a calculation failed")
        return Outcome(failed=f"{type(error).__name__}: {error}")


def _limit_processor(seconds: float) -> None:
    """Let the operating system end this process after that many more seconds of processor time, even inside an endless
    regular expression."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        limit = math.ceil(time.process_time() + seconds)
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))


if __name__ == "__main__":
    from core.resilience import (
        worker,
    )  # Records are pickled with their module's name, so this module must not run as __main__.

    worker.main()
