"""Requests ``/ready`` every 50 ms from a separate process, so that the benchmark's own work does not delay the
requests.

    python -m benchmarks.frozen.ready_probe URL

It continues until its standard input ends, then prints its samples as JSON. If the machine is busy with other work, it
wakes this process late; that part of a late answer is not caused by the server.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from http.client import HTTPConnection, HTTPException
from urllib.parse import urlsplit

PAUSE = 0.05
PATIENCE = 120.0
"""Seconds after which an answer that did not arrive counts as missing."""


@dataclass(frozen=True)
class Sample:
    """An answer of ``/ready``: when it was requested, how many seconds it took, and why it was not "ready".

    ``began`` is by the monotonic clock, which all processes of one machine share. ``woken_late``: by how many seconds
    the machine woke the requesting process too late.
    """

    began: float
    seconds: float
    problem: str = ""
    woken_late: float = 0.0


@contextmanager
def probing(url: str) -> Iterator[list[Sample]]:
    """Collects samples during this block; the list is filled when it ends."""
    samples: list[Sample] = []
    order = [sys.executable, "-m", "benchmarks.frozen.ready_probe", url]
    process = subprocess.Popen(order, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield samples
    finally:
        try:
            printed, _ = process.communicate(timeout=PATIENCE + 10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        samples += [Sample(**row) for row in json.loads(printed)]


def _ask(connection: HTTPConnection) -> str:
    """Returns why the answer was not "ready"; empty if it was."""
    try:
        connection.request("GET", "/ready")
        reply = connection.getresponse()
        reply.read()
    except (OSError, HTTPException) as error:
        connection.close()
        return type(error).__name__
    return "" if reply.status == 200 else f"status {reply.status}"


def main() -> int:
    parts = urlsplit(sys.argv[1])
    connection = HTTPConnection(str(parts.hostname), parts.port, timeout=PATIENCE)
    samples, slept = [], time.monotonic()
    while not select.select([sys.stdin], [], [], PAUSE)[0]:
        began = time.monotonic()
        problem = _ask(connection)
        samples.append(Sample(began, time.monotonic() - began, problem, max(0.0, began - slept - PAUSE)))
        slept = time.monotonic()
    json.dump([asdict(sample) for sample in samples], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
