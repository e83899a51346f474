"""Measures whether answers improve with use: the same tasks are repeated through the public API, with and without
feedback.

Each task has a question that is worded like an unhelpful note, and a helpful note: 30 published scenarios (roampal,
Apache-2.0, read from ``--data``) and 30 of this project (``benchmarks/adversarial``, thirteen in Hebrew). All notes are
uploaded as documents to three separate workbenches. Every task is asked once per round; the last round uses new
wordings. In the first workbench there is no feedback. In the second, the user looks at the answer's *first* source and
reports *worked* if it is the helpful note, otherwise *failed*. In the third, the user *reads* all quotations: they
report that the helpful note worked if it is quoted, otherwise that the first source failed.

A user who looks only at the first source teaches nothing about the helpful note until it is first: each round only
moves the unhelpful first note down. So the result of a round is limited by the search without feedback: in the second
round, by the share of helpful notes *among the first two sources*, and so on.

    python -m benchmarks.loop --data FOLDER [--tasks 60] [--rounds 3] [--persons nobody,first,reads]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gradio_client import Client, handle_file

from benchmarks.outcomes_adversarial import OWN, Scenario, load
from benchmarks.report import Figure, Report
from benchmarks.served import Answer, served, wait

READING = 900.0

Person = Literal["nobody", "first", "reads"]
PERSONS: tuple[Person, ...] = ("nobody", "first", "reads")


@dataclass(frozen=True)
class Round:
    """The result of one round, as shares of the tasks. ``found``: the answer quotes the helpful note. ``asked_back``:
    the workbench asked the user, so there is no answer. ``places``: rank of the helpful note among each answer's
    sources, from 1; 0 if it is not among them."""

    name: str
    first: float
    found: float
    asked_back: float
    places: list[int]

    def among(self, first: int) -> float:
        return sum(0 < place <= first for place in self.places) / len(self.places)


def tasks(data: Path) -> list[Scenario]:
    """Returns all sixty tasks in a mixed order, so that any part of the list contains tasks of each group."""
    rows = json.loads((OWN / "loop.json").read_text(encoding="utf-8"))["scenarios"]
    further = [
        Scenario(f"loop, {row['language']}", row["query"], row["good"], row["bad"], ("", ""), row["held_out"])
        for row in rows
    ]
    return [*load(data), *further]


def fill(client: Client, scenarios: list[Scenario], folder: Path) -> None:
    """Uploads both notes of every task and waits until their vectors are computed."""
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
    """Returns the last output of the run."""
    last: Answer = {}
    for said in client.submit(question, "", "enhanced", "", "inquire", False, api_name="/ask"):
        last = said
    return last


def cited(answer: Answer) -> list[tuple[int, str]]:
    """Returns the number and filename of every source in the order in which the answer quotes them."""
    names = {source["number"]: source["filename"] for source in answer["sources"]}
    return [(quote["number"], names[quote["number"]]) for quote in answer["quotes"]]


def play(client: Client, tasks: list[tuple[str, str]], name: str, person: Person) -> Round:
    """Asks every task (a question and the helpful file) once, and gives the feedback on its sources that ``person``
    would give."""
    first = found = back = 0
    places: list[int] = []
    for question, helpful in tasks:
        answer = ask(client, question)
        sources = cited(answer)
        helped = [number for number, filename in sources if filename == helpful]
        first += bool(sources) and sources[0][1] == helpful
        found += bool(helped)
        back += not answer["outcome"]
        listed = [source["filename"] for source in answer["sources"]]
        places.append(listed.index(helpful) + 1 if helpful in listed else 0)
        if sources and person != "nobody":
            seen = helped if person == "reads" else [number for number in helped if number == sources[0][0]]
            word, number = ("worked", seen[0]) if seen else ("failed", sources[0][0])
            client.predict(answer["message_id"], word, [number], api_name="/record_feedback")
    print(f"{name}, {person}: {first}/{len(tasks)} first, {found} quoted", file=sys.stderr, flush=True)
    return Round(name, first / len(tasks), found / len(tasks), back / len(tasks), places)


def replay(scenarios: list[Scenario], rounds: int, folder: Path, person: Person) -> list[Round]:
    """Plays all rounds in one workbench, and one more in new wordings."""
    helpful = [f"note-{number:02}-a.txt" for number in range(len(scenarios))]
    asked = [(each.query, name) for each, name in zip(scenarios, helpful, strict=True)]
    reworded = [(each.held_out, name) for each, name in zip(scenarios, helpful, strict=True)]
    with served(folder) as client:
        fill(client, scenarios, folder)
        played = [play(client, asked, f"round {number}", person) for number in range(1, rounds + 1)]
        return [*played, play(client, reworded, "in new wordings", "nobody")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--persons", default=",".join(PERSONS), help="which persons, separated by commas")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    scenarios = tasks(given.data)[:: -(-60 // given.tasks)]
    report = Report(f"{len(scenarios)} tasks, {given.rounds} rounds: share whose first source is the helpful note")
    for person in given.persons.split(","):
        with tempfile.TemporaryDirectory() as home:
            for each in replay(scenarios, given.rounds, Path(home), person):
                report.add(Figure(f"{person}: first source", each.name, each.first))
                report.add(Figure(f"{person}: among the quoted", each.name, each.found))
                report.add(Figure(f"{person}: asked back", each.name, each.asked_back))
                for first in range(1, given.rounds + 1):
                    report.add(Figure(f"{person}: among the first {first} sources", each.name, each.among(first)))
    report.figures.sort(key=lambda figure: figure.group)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
