"""Does it get better with use? Tasks asked again and again through the public API, with and without feedback.

Each task is a question worded like a note that does not help, beside the note that does: 30 published scenarios
(roampal, Apache-2.0, read from ``--data``) and 30 of this project (``benchmarks/adversarial``, thirteen in Hebrew).
All notes are uploaded as documents to two workbenches of their own. In one, a person asks every task once a round and
looks at the first source of the answer: when it is the note that helps they say *worked*, otherwise *failed*, each
about that source. In the other nobody says anything. A last round asks in other words, which nobody has asked before.

    python -m benchmarks.loop --data FOLDER [--tasks 60] [--rounds 3]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gradio_client import Client, handle_file

from benchmarks.outcomes_adversarial import OWN, Scenario, load
from benchmarks.report import Figure, Report
from benchmarks.served import Answer, served, wait

READING = 900.0


@dataclass(frozen=True)
class Round:
    """Shares of the tasks; ``found`` is the share whose answer cites the helpful note at all."""

    name: str
    first: float
    found: float


def tasks(data: Path) -> list[Scenario]:
    """All sixty, groups mixed, so that a part of them has some of each."""
    rows = json.loads((OWN / "loop.json").read_text(encoding="utf-8"))["scenarios"]
    further = [
        Scenario(f"loop, {row['language']}", row["query"], row["good"], row["bad"], ("", ""), row["held_out"])
        for row in rows
    ]
    return [*load(data), *further]


def fill(client: Client, scenarios: list[Scenario], folder: Path) -> None:
    """Upload both notes of every task and wait until their vectors are there."""
    for number, scenario in enumerate(scenarios):
        for kind, text in (("a", scenario.good), ("b", scenario.bad)):
            path = folder / f"note-{number:02}-{kind}.txt"
            path.write_text(f"{text}.\n", encoding="utf-8")
            client.predict(handle_file(path), path.name, "ask", api_name="/upload_document")

    def read() -> bool:
        rows = client.predict("", api_name="/list_documents")
        return len(rows) == 2 * len(scenarios) and all(
            row["searchable"] and row["embedded"] >= row["chunks"] for row in rows
        )

    wait(read, READING)


def ask(client: Client, question: str) -> Answer:
    """The last that the run said."""
    last: Answer = {}
    for said in client.submit(question, "", "enhanced", "", "inquire", False, api_name="/ask"):
        last = said
    return last


def cited(answer: Answer) -> list[tuple[int, str]]:
    """Number and filename of every source in the order in which the answer quotes them."""
    names = {source["number"]: source["filename"] for source in answer["sources"]}
    return [(quote["number"], names[quote["number"]]) for quote in answer["quotes"]]


def play(client: Client, tasks: list[tuple[str, str]], name: str, *, speaks: bool) -> Round:
    """Ask every task, a question and the file that helps, once; say how the first source did if one ``speaks``."""
    first = found = 0
    for question, helpful in tasks:
        answer = ask(client, question)
        sources = cited(answer)
        good = bool(sources) and sources[0][1] == helpful
        first += good
        found += any(filename == helpful for _, filename in sources)
        if speaks and sources:
            word = "worked" if good else "failed"
            client.predict(answer["message_id"], word, [sources[0][0]], api_name="/record_feedback")
    print(f"{name}, {'with' if speaks else 'no'} feedback: {first}/{len(tasks)} first", file=sys.stderr, flush=True)
    return Round(name, first / len(tasks), found / len(tasks))


def replay(scenarios: list[Scenario], rounds: int, folder: Path, *, speaks: bool) -> list[Round]:
    """All rounds in one workbench, and one more in words that nobody has used."""
    helpful = [f"note-{number:02}-a.txt" for number in range(len(scenarios))]
    asked = [(each.query, name) for each, name in zip(scenarios, helpful, strict=True)]
    reworded = [(each.held_out, name) for each, name in zip(scenarios, helpful, strict=True)]
    with served(folder) as client:
        fill(client, scenarios, folder)
        played = [play(client, asked, f"round {number}", speaks=speaks) for number in range(1, rounds + 1)]
        return [*played, play(client, reworded, "in other words", speaks=False)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    scenarios = tasks(given.data)[:: -(-60 // given.tasks)]
    report = Report(f"{len(scenarios)} tasks, {given.rounds} rounds: share whose first source is the one that helps")
    with tempfile.TemporaryDirectory() as on, tempfile.TemporaryDirectory() as off:
        silent = replay(scenarios, given.rounds, Path(off), speaks=False)
        taught = replay(scenarios, given.rounds, Path(on), speaks=True)
    for heard, unheard in zip(taught, silent, strict=True):
        report.add(Figure("first source", heard.name, heard.first, unheard.first, "without feedback"))
        report.add(Figure("among the quoted", heard.name, heard.found, unheard.found, "without feedback"))
    report.figures.sort(key=lambda figure: figure.group, reverse=False)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
