"""Measures questions over workbooks without a language model: right, shown as Found, wrong and shown as Found.

Needs a folder with the workbooks and ``questions.jsonl`` (``--data``). A file is read once; its questions are read as
queries and run. Exits with 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from benchmarks.workbook_scores import Expected, rows_of
from core.datasets.query.model import DataQuery
from core.datasets.query.run import QueryRunner
from core.datasets.reading.reading import read_datasets
from core.datasets.records import Dataset
from core.datasets.words.question import query_of
from core.datasets.words.stored_values import StoredValues
from core.datasets.words.understanding import Absent, Ambiguity, Understanding, Understood
from core.errors import PalimpsestError
from core.question.analysed import analysed
from core.settings import Settings

RIGHT, FOUND, WRONG_FOUND, ABSENT, AMBIGUOUS = 0.85, 0.70, 0.03, 11 / 12, 5 / 6
"""Goals: right answers; right ones shown as Found; wrong ones shown as Found; absences said; ambiguities asked."""


@dataclass
class Asked:
    """A question of the set and what came of it."""

    question: dict[str, object]
    understanding: Understanding = None
    is_right: bool = False
    detail: str = ""

    @property
    def is_found(self) -> bool:
        return isinstance(self.understanding, Understood) and self.understanding.is_sure

    @property
    def kind(self) -> str:
        if self.question["unanswerable"]:
            return "absent"
        return "ambiguous" if self.question["kind"] == "ambiguous" else "plain"


@dataclass
class Workbooks:
    """The files of the set, read when they are first asked about."""

    folder: Path
    store: Path
    settings: Settings
    known: dict[str, list[Dataset]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.runner = QueryRunner(self.store)
        self.values = StoredValues(self.runner)

    def datasets(self, name: str) -> list[Dataset]:
        if name not in self.known:
            document = f"document_{uuid5(NAMESPACE_URL, name).hex}"
            self.known[name] = read_datasets(self.folder / name, name, document, self.store, self.settings)
        return self.known[name]

    def ask(self, question: dict[str, object], previous: list[DataQuery]) -> Asked:
        """Asks one question after those before it in its conversation."""
        datasets = self.datasets(str(question["file"]))
        found = query_of(analysed(str(question["question"])), datasets, previous, self.values)
        asked = Asked(question, found)
        expected = Expected(question)
        if isinstance(found, Understood):
            by_id = {dataset.id: dataset for dataset in datasets}
            try:
                rows = rows_of(self.runner.run(found.query, by_id))
            except PalimpsestError as error:
                asked.detail = str(error)
                return asked
            if found.form == "repeated":
                rows = [[float(by_id[found.query.dataset].repeated)]]
            asked.is_right = expected.is_met(rows) or (found.form == "direction" and expected.is_met_by_direction(rows))
            asked.detail = f"{found.query.model_dump_json(exclude_defaults=True)} -> {rows[:3]}"
        if asked.kind == "absent":
            asked.is_right = isinstance(found, Absent) or (asked.is_right and 0 in (question.get("also") or []))  # type: ignore[operator]
        elif asked.kind == "ambiguous":
            asked.is_right = isinstance(found, Ambiguity) and _named(question, found) >= 2
        return asked


def _named(question: dict[str, object], found: Ambiguity) -> int:
    options: list[str] = question.get("options") or []  # type: ignore[assignment]
    names = [option.name.lower() for option in found.options]
    return sum(any(option.lower() in name for name in names) for option in options)


def ask_all(folder: Path) -> list[Asked]:
    """Asks all questions of the set, each conversation in order."""
    lines = (folder / "questions.jsonl").read_text("utf-8").splitlines()
    with tempfile.TemporaryDirectory() as store:
        workbooks = Workbooks(folder, Path(store), Settings(home=Path(store)))
        results: list[Asked] = []
        conversations: dict[str, list[DataQuery]] = {}
        for question in map(json.loads, lines):
            previous = conversations.get(question.get("after") or "", [])
            asked = workbooks.ask(question, previous)
            if isinstance(asked.understanding, Understood):
                conversations[question["id"]] = [*previous, asked.understanding.query]
            results.append(asked)
        workbooks.runner.close()
    return results


def shares(results: list[Asked]) -> dict[str, float]:
    """Returns the measured shares."""
    counts = Counter(asked.kind for asked in results)
    right = Counter(asked.kind for asked in results if asked.is_right)
    plain_right = [asked for asked in results if asked.is_right and asked.kind == "plain"]
    wrong_found = [asked for asked in results if not asked.is_right and asked.is_found]
    return {
        "questions": len(results),
        "right": right.total() / max(len(results), 1),
        "right shown as found": sum(asked.is_found for asked in plain_right) / max(len(plain_right), 1),
        "wrong shown as found": len(wrong_found) / max(len(results), 1),
        "absent said": right["absent"] / max(counts["absent"], 1),
        "ambiguous asked": right["ambiguous"] / max(counts["ambiguous"], 1),
    }


def _has_passed(figures: dict[str, float]) -> bool:
    return (
        figures["right"] >= RIGHT
        and figures["right shown as found"] >= FOUND
        and figures["wrong shown as found"] <= WRONG_FOUND
        and figures["absent said"] >= ABSENT - 1e-9
        and figures["ambiguous asked"] >= AMBIGUOUS - 1e-9
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with the workbooks and questions.jsonl")
    parser.add_argument("--json", type=Path, help="file for the figures and the questions that were not right")
    arguments = parser.parse_args()
    if not (arguments.data / "questions.jsonl").exists():
        print(f"There is no questions.jsonl in {arguments.data}; the set is made for this project.")
        return 0
    results = ask_all(arguments.data)
    figures = shares(results)
    for name, value in figures.items():
        print(f"{name}: {value:.3f}" if name != "questions" else f"{name}: {value:.0f}")
    missed = [asked for asked in results if not asked.is_right]
    for asked in missed:
        print(
            asked.question["id"],
            asked.question["question"],
            "=>",
            str(asked.question["answer"])[:80],
            asked.detail[:300],
        )
    if arguments.json:
        failures = [{"id": asked.question["id"], "found": asked.is_found, "detail": asked.detail} for asked in missed]
        arguments.json.write_text(json.dumps({**figures, "not right": failures}, ensure_ascii=False, indent=1), "utf-8")
    return 0 if _has_passed(figures) else 1


if __name__ == "__main__":
    sys.exit(main())
