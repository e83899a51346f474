"""Audits statements against whole annual reports: ``python -m benchmarks.report_audits --data FOLDER [--cache
FOLDER]``.

``report_audits.yaml`` contains this project's statements about annual reports by companies, labelled by the reports'
contents. A report of some hundred pages contains nearly every word, so a verdict must not be based on single words.
Verdicts of *complies* or *conflicts* must be right.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

import yaml
from pydantic import TypeAdapter

from benchmarks.report import Figure, Report
from benchmarks.summary_shapes import matter_from, reading_of
from core.prompts.templates import Prompts
from core.review.actions.audit import Auditor, ClauseFinding
from core.review.actions.audit_verdicts import Verdict
from core.review.actions.summary.document import SummaryDocument

LABELS = Path(__file__).with_name("report_audits.yaml")
RIGHT, FALSE_COMPLIES = 0.92, 0.02
Half = Literal["read", "unread", "figures"]


@dataclass(frozen=True)
class Judged:
    half: Half
    label: Verdict
    finding: ClauseFinding

    @property
    def is_decided(self) -> bool:
        return self.finding.verdict in ("complies", "conflicts")

    @property
    def is_right(self) -> bool:
        return self.finding.verdict == self.label


def labels() -> dict[str, dict[Half, dict[str, Verdict]]]:
    read = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    return TypeAdapter(dict[str, dict[Half, dict[str, Verdict]]]).validate_python(read)


async def judge(matter: SummaryDocument, statements: Sequence[str]) -> list[ClauseFinding]:
    """Audits by keywords and tables only, without embeddings, over whole documents, so that all errors come from the
    rules."""
    auditor, tables = Auditor(Prompts()), matter.about.tables if matter.about else ()
    audits = [await auditor.audit(each, [matter.source], "en", tables=tables) for each in statements]
    return [audit.findings[0] for audit in audits]


def say(half: Half, judged: Sequence[Judged], report: Report) -> None:
    decided = [each for each in judged if each.is_decided]
    told = [each for each in judged if each.label in ("complies", "conflicts")]
    falsely = [each for each in decided if each.finding.verdict == "complies" and not each.is_right]
    group = f"{half}, {len(judged)} statements"
    right = sum(each.is_right for each in decided) / max(1, len(decided))
    report.add(Figure(group, f"called complies or conflicts ({len(decided)}): right", right, floor=RIGHT, goal=RIGHT))
    kept_out = 1 - len(falsely) / len(judged)
    report.add(Figure(group, "not wrongly called complies, of all", kept_out, goal=1 - FALSE_COMPLIES))
    found = sum(each.is_right for each in told) / max(1, len(told))
    report.add(Figure(group, f"of {len(told)} that comply or conflict: found", found))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the reports")
    parser.add_argument("--cache", type=Path, help="folder that caches the extracted text")
    options = parser.parse_args(arguments)
    report, judged = Report("Audits of reports"), list[Judged]()
    for name, halves in labels().items():
        if not (options.data / name).exists():
            print(f"Skipped: {name} is not in {options.data}.")
            continue
        matter = matter_from(reading_of(options.data / name, options.cache), name)
        for half, statements in halves.items():
            began = time.monotonic()
            findings = asyncio.run(judge(matter, list(statements)))
            print(f"{name}, {half}: {time.monotonic() - began:.0f} s for {len(statements)}")
            judged += [Judged(half, *each) for each in zip(statements.values(), findings, strict=True)]
    for each in (each for each in judged if each.is_decided and not each.is_right):
        print(f"WRONG ({each.label}): {each.finding.clause.text} {each.finding.verdict}: {each.finding.quote[:200]}")
    for half in get_args(Half):
        if chosen := [each for each in judged if each.half == half]:
            say(half, chosen, report)
    report.print()
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
