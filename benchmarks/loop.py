"""Does it get better with use? Tasks asked again and again through the public API, with and without feedback.

Each task is a question worded like a note that does not help, beside the note that does: 30 published scenarios
(roampal, Apache-2.0, read from ``--data``) and 30 of this project (``benchmarks/adversarial``, thirteen in Hebrew).
All notes are uploaded as documents to three workbenches of their own, in which every task is asked once a round; a last
round asks in other words, which nobody has asked before. In the first nobody says anything. In the second a person
looks at the *first* source of the answer: when it is the note that helps they say *worked*, otherwise *failed*, each
about that source. In the third they *read* all that is quoted: when the note that helps is among it they say that it
worked, otherwise that the first failed.

Who looks at the first source alone teaches nothing of the note that helps before it is first: each round takes one note
away. So what a round can reach is where the search has the helpful note before anything is said: *among the first two
sources* for the second round, and so on.

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
    """Shares of the tasks; ``found``: the answer quotes the helpful note at all; ``asked_back``: there is no answer.
    ``places``: of the helpful note among the sources of each answer, from 1; 0 where it is none."""

    name: str
    first: float
    found: float
    asked_back: float
    places: list[int]

    def among(self, first: int) -> float:
        return sum(0 < place <= first for place in self.places) / len(self.places)


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


def play(client: Client, tasks: list[tuple[str, str]], name: str, person: Person) -> Round:
    """Ask every task, a question and the file that helps, once; say how its sources did as ``person`` does."""
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
    """All rounds in one workbench, and one more in words that nobody has used."""
    helpful = [f"note-{number:02}-a.txt" for number in range(len(scenarios))]
    asked = [(each.query, name) for each, name in zip(scenarios, helpful, strict=True)]
    reworded = [(each.held_out, name) for each, name in zip(scenarios, helpful, strict=True)]
    with served(folder) as client:
        fill(client, scenarios, folder)
        played = [play(client, asked, f"round {number}", person) for number in range(1, rounds + 1)]
        return [*played, play(client, reworded, "in other words", "nobody")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--persons", default=",".join(PERSONS), help="which of them, separated by commas")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    scenarios = tasks(given.data)[:: -(-60 // given.tasks)]
    report = Report(f"{len(scenarios)} tasks, {given.rounds} rounds: share whose first source is the one that helps")
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
