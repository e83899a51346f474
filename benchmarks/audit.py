"""Compares audits without a model with hand-made labels: ``python -m benchmarks.audit [--show]``.

Forty clauses, twenty of them in Hebrew, were labelled by hand as complies, conflicts or not covered, before any rule
was written. If the audit decides, its verdict must be right. A clause without enough evidence stays undecided and
counts as not found.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import mean

import yaml
from pydantic import BaseModel

from benchmarks.report import Figure, Report
from benchmarks.summaries import as_source
from core.prompts.templates import Prompts
from core.review.actions.audit import Auditor, ClauseFinding
from core.review.actions.audit_verdicts import Verdict
from core.words import Language

ROOT = Path(__file__).parents[1]
LABELLED = ROOT / "tests" / "core" / "review" / "actions" / "data" / "audit_clauses.yaml"
DECIDED_FLOOR, FOUND_FLOOR = 0.92, 0.6


class Group(BaseModel):
    """Clauses that are checked against one policy. ``policy``: its text, or the path of a file in the repository."""

    language: Language
    policy: str
    clauses: list[tuple[str, Verdict]]

    @property
    def text(self) -> str:
        return (ROOT / self.policy).read_text(encoding="utf-8") if self.policy.endswith(".md") else self.policy


@dataclass(frozen=True)
class Judged:
    language: Language
    label: Verdict
    finding: ClauseFinding

    @property
    def right(self) -> bool:
        return self.finding.verdict == self.label


def groups(path: Path = LABELLED) -> list[Group]:
    return [Group.model_validate(each) for each in yaml.safe_load(path.read_text(encoding="utf-8"))]


async def judge(group: Group) -> list[Judged]:
    """Judges the clauses, given as one text, against the policy."""
    text = "\n\n".join(clause for clause, _ in group.clauses)
    found = await Auditor(Prompts()).audit(text, [as_source(group.text)], group.language)
    if len(found.findings) != len(group.clauses):
        raise ValueError(f"{len(group.clauses)} clauses were read as {len(found.findings)}")
    return [
        Judged(group.language, label, finding)
        for (_, label), finding in zip(group.clauses, found.findings, strict=True)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", action="store_true", help="print the clauses that were judged wrongly")
    parser.add_argument("--clauses", type=Path, default=LABELLED, help="other labelled clauses")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    judged = [each for group in groups(options.clauses) for each in asyncio.run(judge(group))]
    if options.show:
        for each in judged:
            if not each.right:
                print(f"{each.label} judged {each.finding.verdict}: {each.finding.clause.text} | {each.finding.quote}")
    report = Report("Audit without a model")
    names = {"en": "English", "he": "Hebrew"}
    for language in (None, "en", "he"):
        part = [each for each in judged if language in (None, each.language)]
        decided = [each.right for each in part if each.finding.verdict in ("complies", "conflicts")]
        wanted = [each.right for each in part if each.label != "not_covered"]
        false = mean(each.finding.verdict == "complies" and not each.right for each in part)
        group = names[language] if language else "all"
        report.add(Figure(group, f"decided ({len(decided)}): right", mean(decided), floor=DECIDED_FLOOR))
        report.add(Figure(group, "not wrongly called complies", 1 - false, floor=1.0))
        report.add(Figure(group, f"of {len(wanted)} that comply or conflict: found", mean(wanted), floor=FOUND_FLOOR))
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
