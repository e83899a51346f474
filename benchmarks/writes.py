"""Tests many simultaneous writers on the embedded record store: writes a second, and failed writes (must be none).

``python -m benchmarks.writes [--seconds 25] [--writers 32] [--json FILE]``; exits with 1 if one write failed.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from core.store.sqlite.truth import SqliteTruth
from core.store.truth import Change, Collection, Upsert

SECONDS = 25.0
WRITERS = 32


@dataclass
class Tally:
    """Number of confirmed writes, and the errors of the failed ones."""

    written: int = 0
    errors: Counter[str] = field(default_factory=Counter)


async def write_for(path: Path, seconds: float, writers: int) -> Tally:
    """Inserts, changes and replaces from ``writers`` parallel tasks for ``seconds``, while as many read."""
    truth = SqliteTruth(path)
    await truth.start()
    events = truth.collection("events")
    await events.ensure()
    tally, ends = Tally(), time.monotonic() + seconds
    await asyncio.gather(*(_writer(events, number, ends, tally) for number in range(writers)))
    await truth.stop()
    return tally


async def _writer(events: Collection, number: int, ends: float, tally: Tally) -> None:
    for turn in itertools.count():
        if time.monotonic() > ends:
            return
        name = f"{number}.{turn}"
        for write in (
            events.insert_many([{"_id": name, "text": "a line of an answer"}]),
            events.update(name, Change(set={"read": True})),
            events.bulk([Upsert({"_id": f"{name}.b", "text": "another"})]),
            events.get(name),
        ):
            try:
                await write
            except Exception as error:
                tally.errors[str(error)] += 1
            else:
                tally.written += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--writers", type=int, default=WRITERS)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="palimpsest-writes-") as folder:
        tally = asyncio.run(write_for(Path(folder) / "truth.sqlite", given.seconds, given.writers))
    failed = tally.errors.total()
    print(f"{tally.written:,} calls in {given.seconds:g} s, {failed} errors {dict(tally.errors) or ''}")
    if given.json:
        given.json.write_text(json.dumps({"written": tally.written, "errors": failed}), encoding="utf-8")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
