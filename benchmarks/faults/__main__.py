"""Tests small files that each contain one fault of a kind that users have met in other products, without a model.

A folder contains ``cases.jsonl`` and the files it names. A case is a list of steps (upload, remember, ask, read, notes)
with what the result must and must not contain; nothing else in a case is used. Each case runs on one served workbench
as a separate user, through the public calls.

    python -m benchmarks.faults --data FOLDER [--topic reading|datasets|messages] [--only ID …] [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import httpx

from benchmarks.faults.cases import Case, cases_of
from benchmarks.faults.trial import Trial
from benchmarks.frozen.person import Person, RefusedError
from benchmarks.report import Figure, Report
from benchmarks.served import serving
from core.store.data_directory import find_holder

MOST_WRONG = {"reading": 2}
"""Maximum number of a topic's cases that may be wrong."""
LONGEST = 400
"""Maximum characters that are printed of a wrong answer."""


def trials(cases: Sequence[Case], folder: Path) -> dict[str, list[str]]:
    """Runs the cases; returns the differences from the expected results by case id."""
    users = json.dumps({case.id.lower(): "a-long-password-1" for case in cases})
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory(prefix="palimpsest-benchmark-", ignore_cleanup_errors=True) as name:
        home, made = Path(name, "home"), Path(name, "made")
        for each in (home, made):
            each.mkdir()
        with serving(home, {"PALIMPSEST_USERS": users, "PALIMPSEST_MODEL": ""}) as (url, _):
            holder = find_holder(home)
            assert holder, "no server uses the data directory"
            for case in cases:
                trial = Trial(Person(case.id.lower(), holder, []), url, folder, made)
                try:
                    found[case.id] = trial.run(case)
                except (httpx.HTTPError, RefusedError) as error:
                    found[case.id] = [f"{type(error).__name__}: {error}"]
                show(case, found[case.id], trial.shown)
    return found


def show(case: Case, differences: Sequence[str], shown: str) -> None:
    print(f"{case.id} {case.file or 'no file'}: {'; '.join(differences) or 'right'}", flush=True)
    if differences:
        print(f"   expected: {case.expected}\n   result: {shown[:LONGEST]!r}", flush=True)


def report_of(cases: Sequence[Case], found: dict[str, list[str]]) -> Report:
    report = Report("Small files with a fault, without a model")
    counted, right = Counter(case.topic for case in cases), Counter[str]()
    for case in cases:
        right[case.topic] += not found[case.id]
    for topic, count in counted.items():
        wrong = count - right[topic]
        report.add(Figure(topic, "right", right[topic], count, "of"))
        report.add(Figure(topic, "wrong", wrong, most=MOST_WRONG.get(topic, 0)))
    report.notes += [f"{name}: {'; '.join(differences)}" for name, differences in found.items() if differences]
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--topic")
    parser.add_argument("--only", nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    cases = cases_of(given.data, given.topic, given.only)
    if not cases:
        print(f"There are no such cases in {given.data}.", file=sys.stderr)
        return 2
    return report_of(cases, trials(cases, given.data)).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
