"""Audits statements against made-up documents: ``python -m benchmarks.judged_statements [--half read|kept] [--show]``.

``judged_statements.yaml`` was written before any rule or weight was based on it. The 1st, 3rd, 5th ... document
("read") may be read and used for fitting. For the others ("kept") only the figures may be looked at, so ``--show``
prints none of their rows.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path

import yaml
from pydantic import BaseModel

from benchmarks.report import Report
from benchmarks.strangers_audit import Document, Item, Judged, Label, judged, say
from benchmarks.strangers_utterances import embeddings
from core.words import Language

STATEMENTS = Path(__file__).parent / "judged_statements.yaml"
HALVES = {"read": 0, "kept": 1}


class Written(BaseModel):
    """A document with its statements. Each has a label, its text, and whether it uses the document's words."""

    id: str
    language: Language
    text: str
    items: list[tuple[Label, str, str]]

    def document(self) -> Document:
        items = [Item(statement=said, label=label, words=words) for label, words, said in self.items]
        return Document(id=self.id, language=self.language, text=self.text, items=items)


def documents(half: str) -> list[Document]:
    """Returns the documents of ``half``: read or kept."""
    rows = yaml.safe_load(STATEMENTS.read_text(encoding="utf-8"))["documents"]
    return [Written.model_validate(row).document() for row in rows[HALVES[half] :: 2]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, action="append", help="only this one")
    parser.add_argument("--show", action="store_true", help="print wrongly judged rows of the first half")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    report = Report("Audit of our own statements")
    vectors = embeddings()
    for half in options.half or HALVES:
        found = asyncio.run(judged(documents(half), vectors))
        say(f"audit, {half} half", found, report, goals=True)
        for language in ("en", "he"):
            own = [each for each in found if each.document.language == language]
            say(f"audit, {half} half, {language}", own, report)
        if options.show and half == "read":
            report.notes += [_row(each) for each in found if not each.right]
    return report.finish(options.json)


def _row(each: Judged) -> str:
    return f"{each.document.id}: {each.item.label} called {each.said}: {each.item.statement} | {each.finding.quote}"


if __name__ == "__main__":
    sys.exit(main())
