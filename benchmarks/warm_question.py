"""Compares the cost of a repeated question over some thirty filings with an earlier commit.

    python -m benchmarks.warm_question --data FOLDER --before CHECKOUT [--more FOLDER] [--homes FOLDER] [--json FILE]

``FOLDER`` is that of ``benchmarks.filings``; ``--more`` are further PDFs. The earlier commit reads all of them once,
for keyword search only. Each of the two checkouts then gets a copy, and is started on it. Each of a dozen questions is
asked twice, without a model, by both in turn; the second round counts. Processor time is that of the whole process
until a question's background work (learning, the graph) is done. The exit code is 1 if the median is more than ``MOST``
times the earlier one.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from benchmarks.filings import Question, questions_of
from benchmarks.report import Figure, Report

ROOT = Path(__file__).parents[1]
ASKER = Path(__file__).with_name("warm_question_asker.py")
MOST = 0.55
QUESTIONS = 12


class Asker:
    """A workbench of one checkout in a separate process, to which questions are sent."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def order(self, **what: Any) -> float:
        """Raises ``RuntimeError`` if the process has died."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(json.dumps(what) + "\n")
        self._process.stdin.flush()
        if not (line := self._process.stdout.readline()):
            raise RuntimeError("the workbench has ended")
        return float(json.loads(line))

    def ask(self, question: Question) -> float:
        return self.order(question=question.text, document=question.document)


@contextmanager
def asker(root: Path, home: Path) -> Iterator[Asker]:
    given = {**os.environ, "PYTHONPATH": str(root)}
    command = [sys.executable, "-P", str(ASKER), str(home)]
    process = subprocess.Popen(command, cwd=root, env=given, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield Asker(process)
    finally:
        process.communicate()


def filled(root: Path, home: Path, files: Sequence[Path]) -> None:
    if not home.exists():
        home.mkdir(parents=True)
        with asker(root, home) as reader:
            reader.order(files=[str(file.resolve()) for file in files])


def measured(roots: dict[str, Path], home: Path, folder: Path, questions: Sequence[Question]) -> dict[str, list[float]]:
    """Returns seconds of the second round, by the names of ``roots``; the order alternates with the questions."""
    spent: dict[str, list[float]] = {name: [] for name in roots}
    with ExitStack() as stack:
        askers = {}
        for name, root in roots.items():
            shutil.copytree(home, folder / name)
            askers[name] = stack.enter_context(asker(root, folder / name))
        for question in questions:
            for each in askers.values():
                each.ask(question)
        for number, question in enumerate(questions):
            for name in list(askers) if number % 2 else reversed(list(askers)):
                spent[name].append(askers[name].ask(question))
    return spent


def report_of(spent: dict[str, list[float]], files: int) -> Report:
    made = Report(f"A warm question over {files} filings, keyword search only: processor seconds")
    now, before = statistics.median(spent["now"]), statistics.median(spent["before"])
    made.add(Figure("a question", "seconds, median", now, before, "before"))
    made.add(Figure("a question", "seconds, mean", statistics.mean(spent["now"]), statistics.mean(spent["before"])))
    made.add(Figure("a question", f"before by now (1 by {MOST})", before / now, floor=1 / MOST))
    made.notes.append(f"now by before: {now / before:.3f} (at most {MOST})")
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--before", type=Path, required=True, help="a checkout of an earlier commit")
    parser.add_argument("--more", type=Path, help="a folder with further PDFs")
    parser.add_argument("--homes", type=Path, help="keep the filled data directories in this folder")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    files = [*sorted(given.data.glob("*.pdf")), *(sorted(given.more.glob("*.pdf")) if given.more else ())]
    questions = questions_of(given.data)
    questions = questions[:: max(1, len(questions) // QUESTIONS)][:QUESTIONS]
    with tempfile.TemporaryDirectory(prefix="palimpsest-warm-", ignore_cleanup_errors=True) as folder:
        home = (given.homes or Path(folder)).resolve() / "filings"
        filled(given.before.resolve(), home, files)
        spent = measured({"before": given.before.resolve(), "now": ROOT}, home, Path(folder), questions)
    return report_of(spent, len(files)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
