"""Measures questions over workbooks without a language model: right, shown as Found, wrong and shown as Found.

    python -m benchmarks.workbooks --data FOLDER [--json FILE]

FOLDER has the workbooks and ``questions.jsonl``. Each file is the library of one user; a question with ``after`` is
asked in the conversation of that question. The exit code is 1 if a goal is missed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data_questions import GivenAnswer, ask
from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench, upload
from benchmarks.workbook_scores import Expected, rows_of

RIGHT, FOUND, WRONG_FOUND, ABSENT, AMBIGUOUS = 0.85, 0.70, 0.03, 11 / 12, 5 / 6
"""Goals: right answers; right ones shown as Found; wrong ones shown as Found; absences said; ambiguities asked."""


@dataclass(frozen=True)
class Asked:
    """A question of the set and what the product answered."""

    question: dict[str, object]
    given: GivenAnswer

    @property
    def kind(self) -> str:
        if self.question["unanswerable"]:
            return "absent"
        return "ambiguous" if self.question["kind"] == "ambiguous" else "plain"

    @property
    def is_right(self) -> bool:
        if self.kind == "ambiguous":
            return self._options_named() >= 2
        is_met = self._is_met()
        if self.kind == "absent":
            also: list[object] = self.question.get("also") or []  # type: ignore[assignment]
            return self.given.is_absent or (is_met and 0 in also)
        return is_met and not self.given.readings

    def _is_met(self) -> bool:
        if self.given.data is None:
            return False
        expected, rows = Expected(self.question), rows_of(self.given.data)
        return expected.is_met(rows) or expected.is_met_by_direction(rows)

    def _options_named(self) -> int:
        options: list[str] = self.question.get("options") or []  # type: ignore[assignment]
        names = [name.lower() for name in self.given.readings]
        return sum(any(option.lower() in name for name in names) for option in options)


async def ask_all(folder: Path) -> list[Asked]:
    """Asks all questions of the set, each conversation in order."""
    questions = [json.loads(line) for line in (folder / "questions.jsonl").read_text("utf-8").splitlines()]
    files = sorted({question["file"] for question in questions})
    results: list[Asked] = []
    conversations: dict[str, str] = {}
    with tempfile.TemporaryDirectory(prefix="palimpsest-workbooks-") as copies:
        async with open_workbench(dense=False) as workbench:
            for number, name in enumerate(files):
                await upload(workbench, f"user{number}", Path(shutil.copy(folder / name, copies)))
            for question in questions:
                user_id = f"user{files.index(question['file'])}"
                before = conversations.get(question.get("after") or "")
                given = await ask(workbench, user_id, question["question"], before)
                conversations[question["id"]] = given.conversation_id
                results.append(Asked(question, given))
    return results


def report_of(results: list[Asked]) -> Report:
    """Returns the measured shares with their goals, and a note for each question that was not right."""
    counts = Counter(asked.kind for asked in results)
    right = Counter(asked.kind for asked in results if asked.is_right)
    plain_right = [asked for asked in results if asked.is_right and asked.kind == "plain"]
    wrong_found = [asked for asked in results if not asked.is_right and asked.given.is_found]
    shown = sum(asked.given.is_found for asked in plain_right)
    group = f"{len(results)} questions"
    report = Report("Questions over workbooks, without a language model")
    report.add(Figure(group, "right", right.total() / max(len(results), 1), floor=RIGHT))
    report.add(Figure(group, "shown as Found, of those right", shown / max(len(plain_right), 1), floor=FOUND))
    report.add(Figure(group, "wrong and shown as Found", len(wrong_found) / max(len(results), 1), most=WRONG_FOUND))
    report.add(Figure(group, "absences said", right["absent"] / max(counts["absent"], 1), floor=ABSENT))
    report.add(Figure(group, "ambiguities asked", right["ambiguous"] / max(counts["ambiguous"], 1), floor=AMBIGUOUS))
    for asked in results:
        if not asked.is_right:
            query = asked.given.data.query if asked.given.data else ""
            mark = "Found" if asked.given.is_found else "not Found"
            report.notes.append(
                f"{mark} {asked.question['id']} {asked.question['question']} "
                f"| {str(asked.question['answer'])[:80]} | {asked.given.line[:120]} | {query[:300]}"
            )
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with the workbooks and questions.jsonl")
    parser.add_argument("--json", type=Path, help="file for the figures and the questions that were not right")
    arguments = parser.parse_args()
    if not (arguments.data / "questions.jsonl").exists():
        print(f"There is no questions.jsonl in {arguments.data}; the set is made for this project.")
        return 0
    return report_of(asyncio.run(ask_all(arguments.data))).finish(arguments.json)


if __name__ == "__main__":
    sys.exit(main())
