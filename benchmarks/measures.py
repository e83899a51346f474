"""Measures questions about figures and ratios that are answered from financial statements: ``python -m
benchmarks.measures --data FOLDER [--half tuned]``.

``measures.yaml`` contains questions about public filings with values that were read from the pages. Each question is
asked with all tables of its files, as the agent does once it knows the documents. An answer is right if its value (with
scale and unit) or its verdict matches the label. It is sure if it states no doubt and is decided. For half of the
questions, no rule was tried on their files: those whose names' SHA-256 is odd in its first 32 bits.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from core.figures.measures.answers import answer_from_statements
from core.figures.records import Candidate, Origin, TableEvidence
from core.language.detection import detect
from core.library.description.description import describe
from core.library.extract import extract
from core.library.records import Metadata
from core.library.tables.records import Table
from core.question.analysed import AnalysedQuestion
from core.question.focus import focus_of
from core.records.answer import Answer
from core.settings import Settings

WHERE = "The PDFs are the open set of patronus-ai/financebench (CC BY-NC 4.0), named as in benchmarks/measures.yaml."
LABELS = Path(__file__).with_name("measures.yaml")
FLOORS = {"cell": 0.80, "wrong and sure": 0.05, "milliseconds": 100.0}
_SAME = 0.002


@dataclass(frozen=True)
class Labelled:
    """A question and its label: the ``value`` in units of one (percent for shares), or the word that the answer should
    contain (``says``)."""

    half: str
    kind: str
    files: tuple[str, ...]
    ask: str
    value: float | None
    unit: str
    says: str


@dataclass
class Score:
    """Counts for one half of the questions: right, wrong, wrong and sure, or not answered."""

    total: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    sure_wrong: list[str] = field(default_factory=list)
    other_company: int = 0
    high: int = 0
    high_right: int = 0
    rows: list[dict[str, Any]] = field(default_factory=list)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder with the PDFs")
    parser.add_argument("--half", choices=("tuned", "untouched"), help="only these questions")
    parser.add_argument("--tables", type=Path, help="folder that caches the extracted tables")
    parser.add_argument("--show", action="store_true", help="print every answer")
    parser.add_argument("--json", type=Path, help="write every answer to this file")
    options = parser.parse_args(arguments)
    labelled = [each for each in questions() if options.half in (None, each.half)]
    if not all((options.data / name).exists() for each in labelled for name in each.files):
        print(f"Skipped: the PDFs are not in {options.data}. {WHERE}")
        return 0
    documents = {name: read(options.data / name, options.tables) for each in labelled for name in each.files}
    scores: dict[str, Score] = {}
    slowest = 0.0
    for each in labelled:
        evidence, names = bound(each, documents)
        began = time.perf_counter()
        found = answer_from_statements(asked(each.ask, names), evidence)
        slowest = max(slowest, time.perf_counter() - began)
        count(scores.setdefault(each.half, Score()), each, found, names)
    for half, score in scores.items():
        report(half, score, options.show)
    print(f"slowest question {slowest * 1000:.0f} ms")
    if options.json:
        options.json.write_text(json.dumps({half: score.rows for half, score in scores.items()}, ensure_ascii=False))
    return 0 if all(map(reaches, scores.values())) else 1


def questions() -> list[Labelled]:
    groups: list[dict[str, Any]] = yaml.safe_load(LABELS.read_text(encoding="utf-8"))
    return [
        Labelled(
            half_of(group["files"]), row["kind"], tuple(group["files"]), row["ask"],
            worked_out(row["value"]) * float(row["scale"]) if "value" in row else None,
            row.get("unit", ""), row.get("says", ""),
        )
        for group in groups
        for row in group["questions"]
    ]  # fmt: skip


def worked_out(sum_of_figures: str) -> float:
    """Returns the labelled value; the label is a calculation with figures as printed."""
    return float(eval(sum_of_figures, {"__builtins__": {}}))


def half_of(names: Sequence[str]) -> str:
    odd = any(int(hashlib.sha256(name.encode()).hexdigest()[:8], 16) % 2 for name in names)
    return "untouched" if odd else "tuned"


def read(path: Path, kept: Path | None) -> tuple[list[Table], Metadata]:
    """Returns all tables of a file and its document identity, as an upload reads them."""
    known = kept / f"{path.name}.json" if kept else None
    if known and known.exists():
        content = json.loads(known.read_text(encoding="utf-8"))
        return [Table.model_validate(each) for each in content["tables"]], Metadata.model_validate(content["metadata"])
    extracted = extract(path, path.name, Settings(_env_file=None), lambda done, total: None)  # type: ignore[call-arg]
    metadata = describe(extracted, path.name)
    if known:
        known.parent.mkdir(parents=True, exist_ok=True)
        tables = [each.model_dump(mode="json") for each in extracted.tables]
        known.write_text(json.dumps({"tables": tables, "metadata": metadata.model_dump(mode="json")}), encoding="utf-8")
    return extracted.tables, metadata


def bound(each: Labelled, documents: dict[str, tuple[list[Table], Metadata]]) -> tuple[list[TableEvidence], list[str]]:
    """Returns all tables of the question's files, and the organisations of these files."""
    evidence: list[TableEvidence] = []
    names: list[str] = []
    for number, name in enumerate(each.files, start=1):
        tables, about = documents[name]
        names += [own for organisation in about.organisations[:1] for own in (organisation.name, *organisation.aliases)]
        origin = Origin(
            number, name, about.title, name, about.kind, tuple(dict.fromkeys(names)),
            tuple(dict.fromkeys(key for period in about.periods for key in (period.key, *period.names))),
        )  # fmt: skip
        evidence += [TableEvidence(origin, index, table) for index, table in enumerate(tables)]
    return evidence, list(dict.fromkeys(names))


def asked(text: str, names: Sequence[str]) -> AnalysedQuestion:
    language = "he" if detect(text) == "he" else "en"
    entities = tuple(name for name in names if name.lower() in text.lower())[:1]
    return AnalysedQuestion(text, language, focus_of(text).asked, entities)  # type: ignore[arg-type]


def count(score: Score, each: Labelled, found: Sequence[Candidate], names: Sequence[str]) -> None:
    best = found[0] if found else None
    score.total[each.kind] += 1
    right = best is None if each.kind == "none" else best is not None and is_right(each, best.answer)
    sure = best is not None and best.answer.decided and best.answer.doubt is None
    score.right[each.kind] += right
    if sure and not right:
        score.sure_wrong.append(each.ask)
    if best and best.answer.entity and names and best.answer.entity not in names:
        score.other_company += 1
    if best and best.sureness >= 0.85 and sure:
        score.high += 1
        score.high_right += right
    score.rows.append({
        "ask": each.ask, "kind": each.kind, "right": right, "sure": sure, "sureness": best.sureness if best else None,
        "line": best.answer.line if best else None, "calculation": best.answer.calculation if best else None,
        "doubt": best.answer.doubt.en if best and best.answer.doubt else None,
        "cells": [f"p{c.page} {c.label} | {c.header}: {c.text}" for c in best.answer.cells] if best else [],
    })  # fmt: skip


def is_right(each: Labelled, answer: Answer) -> bool:
    if each.says:
        return isinstance(answer.value, str) and answer.value.lower()[:6] == each.says.lower()[:6]
    if not isinstance(answer.value, int | float) or each.value is None:
        return False
    shares = {"%": 100.0, "x": 1.0}
    value = float(answer.value) * answer.scale
    wanted = each.value
    if answer.unit in shares and each.unit in shares:
        value, wanted = value / shares[answer.unit], wanted / shares[each.unit]
    elif (answer.unit or "$") not in (each.unit, "points") and not each.unit.startswith("$"):
        return False
    step = {"%": 0.0006, "x": 0.006, "days": 0.06}.get(answer.unit or "", 0.006 * max(answer.scale, 1.0))
    return abs(value - wanted) <= max(_SAME * abs(wanted) if answer.unit is None else 0.0, step)


def reaches(score: Score) -> bool:
    cells = score.right["cell"] >= FLOORS["cell"] * score.total["cell"]
    return cells and len(score.sure_wrong) <= FLOORS["wrong and sure"] * score.total.total() and not score.other_company


def report(half: str, score: Score, show: bool) -> None:
    all_right, total = score.right.total(), score.total.total()
    print(f"{half}: {all_right} of {total} right ({all_right / total:.3f})")
    for kind, number in score.total.items():
        print(f"  {kind}: {score.right[kind]} of {number}")
    print(
        f"  wrong and sure {len(score.sure_wrong)} ({len(score.sure_wrong) / total:.3f}), company {score.other_company}"
    )
    print(f"  high: {score.high_right} of {score.high} right")
    for row in score.rows if show else []:
        mark = "ok  " if row["right"] else "SURE" if row["sure"] else "no  "
        print(f"  {mark} {row['ask'][:110]}\n       {row['line']}\n       {row['calculation']} | {row['doubt']} | "
              f"{row['sureness'] and round(row['sureness'], 2)} | {'; '.join(row['cells'][:4])}")  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
