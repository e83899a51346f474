"""Measures questions over single tables of the web (WikiTableQuestions) without a language model.

    python -m benchmarks.wikitables --data FOLDER [--questions 400 | --all] [--seed 11] [--json FILE]

FOLDER has ``questions.tsv`` (id, utterance, context, targetValue) and the tables. Each table is the library of one
user, and each question is asked in a conversation of its own. An answer is *exact* if its set of values is that of the
gold: numbers and dates by value, texts without case, accents and notes in brackets. The exit code is 1 if a goal is
missed.
The questions are of other people (CC BY-SA 4.0); mechanisms of the product were looked at on some of them, see
``docs/benchmarks.md``.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import datetime
import random
import re
import shutil
import sys
import tempfile
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.data_questions import GivenAnswer, ask
from benchmarks.report import Figure, Report
from benchmarks.temporary_workbench import open_workbench, upload
from core.workbench import Workbench

EXACT_GOAL, FOUND_RIGHT_GOAL, SHOWN_GOAL = 0.35, 0.90, 0.60
QUESTIONS = 400
_NOTE = re.compile(r"\s*[\[(][^\])]*[\])]\s*$")
_NUMBER = re.compile(r"[-+−]?[\d,]*\.?\d+")
_DASHES = str.maketrans({"–": "-", "—": "-", "−": "-", "“": '"', "”": '"', "’": "'", "‘": "'"})


@dataclass(frozen=True)
class WikiQuestion:
    id: str
    text: str
    table: str
    gold: tuple[str, ...]


def read_questions(folder: Path) -> list[WikiQuestion]:
    with (folder / "questions.tsv").open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        return [
            WikiQuestion(row["id"], row["utterance"], row["context"], tuple(row["targetValue"].split("|")))
            for row in rows
        ]


def normalised(value: str) -> object:
    """A number, a date, or the text without case, accents, notes and surrounding quotes."""
    text = unicodedata.normalize("NFKD", value.translate(_DASHES))
    text = "".join(letter for letter in text if not unicodedata.combining(letter)).strip().lower()
    while (shorter := _NOTE.sub("", text)) != text and shorter:
        text = shorter
    text = " ".join(text.strip("\"' .").split())
    if _NUMBER.fullmatch(text.rstrip("%").strip()):
        return float(text.rstrip("%").strip().replace(",", ""))
    for form in ("%Y-%m-%d", "%B %d, %Y", "%d %B %Y", "%b %d, %Y", "%d %b %Y"):
        try:
            return datetime.datetime.strptime(text, form).date()
        except ValueError:
            continue
    return text


def is_exact(given: Sequence[str], gold: Sequence[str]) -> bool:
    """Returns whether both sets of values are the same."""
    wanted, found = [normalised(each) for each in gold], [normalised(each) for each in given]
    return len(wanted) == len(found) and all(any(_same(one, other) for other in found) for one in wanted)


def _same(one: object, other: object) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= 1e-6 * max(1.0, abs(one))
    return one == other


async def ask_all(workbench: Workbench, data: Path, questions: Sequence[WikiQuestion]) -> dict[str, GivenAnswer]:
    by_table: dict[str, list[WikiQuestion]] = defaultdict(list)
    for question in questions:
        by_table[question.table].append(question)
    given: dict[str, GivenAnswer] = {}
    with tempfile.TemporaryDirectory(prefix="palimpsest-wikitables-") as folder:
        for number, (table, asked) in enumerate(sorted(by_table.items())):
            user_id = f"table{number}"
            await upload(workbench, user_id, Path(shutil.copy(data / table, folder)))
            for question in asked:
                given[question.id] = await ask(workbench, user_id, question.text)
    return given


def report_of(questions: Sequence[WikiQuestion], given: dict[str, GivenAnswer]) -> Report:
    report = Report("Questions over tables of the web, without a language model")
    right = {each.id for each in questions if is_exact(given[each.id].values, each.gold)}
    found = {each.id for each in questions if given[each.id].is_found}
    group = f"{len(questions)} questions"
    report.add(
        Figure(group, "exact", len(right) / len(questions), floor=EXACT_GOAL, baseline=0.37, against="the paper")
    )
    report.add(
        Figure(group, "right, of those shown as Found", len(right & found) / max(1, len(found)), floor=FOUND_RIGHT_GOAL)
    )
    report.add(
        Figure(group, "shown as Found, of those right", len(right & found) / max(1, len(right)), floor=SHOWN_GOAL)
    )
    for each in questions:
        verdict = "right" if each.id in right else "WRONG"
        mark = "found" if each.id in found else "closest"
        one = given[each.id]
        report.notes.append(
            f"{verdict} {mark} {each.id} {each.table}: {each.text} | {each.gold} | {one.values} | {one.line[:160]}"
        )
    return report


async def measured(data: Path, count: int | None, seed: int) -> Report:
    """Asks ``count`` questions, or all; those of one table follow one another, so that it is uploaded once."""
    questions = read_questions(data)
    drawn = random.Random(seed).sample(questions, min(count or len(questions), len(questions)))
    async with open_workbench(dense=False) as workbench:
        return report_of(drawn, await ask_all(workbench, data, drawn))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--questions", type=int, default=QUESTIONS)
    parser.add_argument("--all", action="store_true", help="ask all questions, not a sample")
    parser.add_argument("--seed", type=int, default=11, help="seed of the sample")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    report = asyncio.run(measured(given.data, None if given.all else given.questions, given.seed))
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
