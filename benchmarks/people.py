"""Many people at once: ``python -m benchmarks.people [--people 20] [--documents 300] [--minutes 5] [--json FILE]``.

A served workbench without a model, on a home of its own; documents of made-up business prose go in through the API.
Then each person, in a conversation of their own, asks, waits for the whole answer, thinks for thirty seconds and asks
the next; who is asked back begins another conversation. Told are how long the first words and the whole answer took,
the processor seconds of the server a question (which hold on a busy machine too), and by how much its memory grows in
an hour (least squares over the second half, when the caches are full). The yardstick is one person alone, over the same
documents, before the others come.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import httpx
import numpy as np
import psutil

from benchmarks.graphs_speed import texts
from benchmarks.report import Figure, Report
from benchmarks.served import served, wait

PARTS = 12
"""Sections of a document."""
ALONE = 5
"""Questions of the one who is alone."""
THINKING = 30.0
LOOKS = 5.0
"""Seconds between two looks at the server's memory."""
READING = 3_600.0
ANSWERING = 120.0
GOALS = {"p50": 2.0, "p95": 5.0}
LINES = {"Accept": "application/x-ndjson"}
SAID = re.compile(r"^(?P<who>\w+ \w+) sent the (?P<what>[\w ]+?) to .* because the (?P<cause>[\w ]+) costs")


@dataclass
class Asked:
    """What one question took, in seconds."""

    first: float
    whole: float


@dataclass
class Watched:
    """The server: processor seconds, and memory in MiB by time."""

    process: psutil.Process
    looks: list[tuple[float, float]] = field(default_factory=list)

    def processor(self) -> float:
        """Of the server and of what it started and ended."""
        spent = self.process.cpu_times()
        return float(spent.user + spent.system + spent.children_user + spent.children_system)

    async def watch(self) -> None:
        while True:
            self.looks.append((time.monotonic(), self.process.memory_info().rss / 2**20))
            await asyncio.sleep(LOOKS)

    def growth(self) -> float:
        """MiB an hour; of fewer than three looks nothing can be said."""
        late = self.looks[len(self.looks) // 2 :]
        if len(late) < 3:
            return float("nan")
        at, held = np.array(late).T
        return float(np.polyfit((at - at[0]) / 3600, held, 1)[0])


def documents(count: int) -> list[str]:
    said = texts(count * PARTS, seed=18)
    return [
        "\n\n".join(f"# Note {place + part}\n\n{said[place + part]}" for part in range(PARTS))
        for place in range(0, len(said), PARTS)
    ]


def questions(written: list[str], seed: int) -> Iterator[str]:
    """Of what stands in them, without an end; half are asked of what others ask about too."""
    chance = random.Random(seed)
    known = [found for text in written for line in text.splitlines() if (found := SAID.match(line))]
    common = known[: len(known) // 20]
    while True:
        asked = chance.choice(common if chance.random() < 0.5 else known)
        yield f"What does the {asked['cause']} cost, because of which {asked['who']} sent the {asked['what']}?"


async def put(http: httpx.AsyncClient, number: int, text: str) -> None:
    place = (await http.put("/api/uploads", content=text.encode())).json()["path"]
    reply = await http.post("/api/upload_document", json={"file": place, "name": f"notes-{number}.md"})
    reply.raise_for_status()


async def ask(http: httpx.AsyncClient, question: str, conversation: str | None) -> tuple[Asked, str | None]:
    """What it took, and the conversation in which to ask on: another one where the run waits for an answer."""
    began = time.monotonic()
    first, reply = 0.0, {}
    fields = {"question": question, "conversation_id": conversation}
    async with http.stream("POST", "/api/ask", json=fields, headers=LINES) as replies:
        async for line in replies.aiter_lines():
            reply = json.loads(line)
            if reply.get("text") and not first:
                first = time.monotonic() - began
    whole = time.monotonic() - began
    if "conversation_id" not in reply:
        raise RuntimeError(f"no answer: {reply}")
    return Asked(first or whole, whole), None if reply["interrupt"] else str(reply["conversation_id"])


async def person(http: httpx.AsyncClient, asked: Iterator[str], ends: float, late: float) -> list[Asked]:
    """Ask and think until the end; people do not all begin at once."""
    await asyncio.sleep(late)
    done, conversation = [], None
    while time.monotonic() < ends:
        took, conversation = await ask(http, next(asked), conversation)
        done.append(took)
        await asyncio.sleep(THINKING)
    return done


async def crowd(http: httpx.AsyncClient, written: list[str], given: argparse.Namespace, report: Report) -> None:
    server = next(each for each in psutil.Process().children() if "app.py" in " ".join(each.cmdline()))
    watched = Watched(server)
    alone, conversation = [], None
    quiet = questions(written, 0)
    for _ in range(ALONE):
        took, conversation = await ask(http, next(quiet), conversation)
        alone.append(took.whole)
    before = watched.processor()
    looking = asyncio.create_task(watched.watch())
    ends = time.monotonic() + given.minutes * 60
    late = [THINKING * each / given.people for each in range(given.people)]
    each = [person(http, questions(written, number + 1), ends, late[number]) for number in range(given.people)]
    done = [took for one in await asyncio.gather(*each) for took in one]
    looking.cancel()
    whole = sorted(each.whole for each in done)
    for name, share in (("p50", 0.5), ("p95", 0.95)):
        value = whole[min(len(whole) - 1, int(share * len(whole)))]
        told = "reached" if value <= GOALS[name] else "NOT reached"
        label = f"whole answer {name}, s (at most {GOALS[name]:g}: {told})"
        against = f"{value / median(alone):.2f} times one alone"
        report.add(Figure(against, label, value, median(alone), "one alone"))
    report.add(Figure("", "first words p50, s", median(each.first for each in done)))
    report.add(Figure("", "processor seconds a question", (watched.processor() - before) / len(done)))
    report.add(Figure("", "memory, MiB an hour", watched.growth()))
    report.notes.append(f"{len(done)} questions of {given.people} people over {len(written)} documents.")
    report.notes.append(f"Memory at the end: {watched.looks[-1][1]:.0f} MiB.")


async def measure(url: str, given: argparse.Namespace, report: Report) -> None:
    written = documents(given.documents)
    limits = httpx.Limits(max_connections=2 * given.people + 4)
    async with httpx.AsyncClient(base_url=url, timeout=ANSWERING, limits=limits, trust_env=False) as http:
        began = time.monotonic()
        for number, text in enumerate(written):
            await put(http, number, text)
        await asyncio.to_thread(wait, lambda: is_ready(url, len(written), words_only=given.words), READING)
        report.notes.append(f"All documents were read after {time.monotonic() - began:.0f} s.")
        await crowd(http, written, given, report)


def is_ready(url: str, count: int, *, words_only: bool) -> bool:
    """Whether every document is read, and has its vectors where there are any."""
    told = httpx.post(f"{url}/api/list_documents", json={}, timeout=ANSWERING, trust_env=False).json()["documents"]
    done = [each for each in told if each["state"] == "completed"]
    return len(done) == count and (words_only or all(each["embedded"] >= each["chunks"] for each in done))


def main(arguments: list[str] | None = None) -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.people", description=__doc__.splitlines()[0])
    parser.add_argument("--people", type=int, default=20)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--minutes", type=float, default=5.0, help="60 for how the memory grows")
    parser.add_argument("--words", action="store_true", help="without vectors: by words alone")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    report = Report("Many people at once")
    settings = {"PALIMPSEST_DENSE_ENABLED": "false"} if given.words else {}
    with (
        tempfile.TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as folder,
        served(Path(folder), settings) as client,
    ):
        asyncio.run(measure(str(client.src).rstrip("/"), given, report))
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
