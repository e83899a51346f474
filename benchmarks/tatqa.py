"""Measures TAT-QA, questions over a table and paragraphs, answered without a model, including scale.

``FILE`` is a list of contexts in the form of TAT-QA (NExTplusplus/TAT-QA; repository MIT, data for non-commercial use,
to measure with, never to ship): ``table.table`` rows of cells, ``paragraphs`` with ``order`` and ``text``,
``questions`` with ``question``, ``answer``, ``answer_type``, ``answer_from`` and ``scale``. Each context becomes one
HTML file: its paragraphs in their order, then its table as a plain ``<table>`` whose cells are the strings. It is
uploaded to the served workbench as a person would, each into a separate conversation, so that a question is about one
document. There is no model. The score follows the paper (``benchmarks.tatqa_metric``) and uses the answer's own value
and scale: one or several cells by their printed text, calculated or counted values by their number.

*High* is the confidence of the answer; *sure* is a line that claims to answer and states no doubt.

    python -m benchmarks.tatqa --data FILE [--contexts N] [--json FILE] [--answers FILE]
        [--part even|odd] [--in-process] [--fit FILE]

``--in-process`` leaves out server, search and the choice between table and text: tables and paragraphs of the file go
directly to the rules, which takes seconds. ``--part`` takes every other context: the rules were tried on the even ones.
"""

from __future__ import annotations

import argparse
import html
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.report import Figure, Report
from benchmarks.tatqa_metric import score

WHERE = "TAT-QA is at NExTplusplus/TAT-QA (data for non-commercial use: to measure with, not to ship)."
FLOORS = {"all": 0.50, "arithmetic": 0.50, "spans in tables": 0.60}
HIGH_RIGHT, WRONG_AND_SURE = 0.90, 0.08
_SCALES = {1e3: "thousand", 1e6: "million", 1e9: "billion"}
_IN_TABLE = ("table", "table-text")

Json = dict[str, Any]


@dataclass(frozen=True)
class Told:
    """An answer, as the data of ``Response.answer``, and the ``confidence`` of the response."""

    answer: Json | None = None
    confidence: str | None = None


@dataclass(frozen=True)
class Judged:
    """A question with its answer and its score."""

    context: int
    question: str
    answer_type: str
    answer_from: str
    gold: str
    said: list[str]
    said_scale: str
    line: str
    confidence: str | None
    sure: bool
    exact: float
    f1: float


Ask = Callable[[int, Json, Sequence[str]], Iterable[Told]]
"""Takes the context's number, the context and its questions; returns an answer to each."""


def page(context: Json) -> str:
    """Returns the context as an HTML file."""
    paragraphs = sorted(context["paragraphs"], key=lambda paragraph: paragraph["order"])
    text = "\n".join(f"<p>{html.escape(paragraph['text'])}</p>" for paragraph in paragraphs)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in context["table"]["table"]
    )
    head = '<!doctype html>\n<html><head><meta charset="utf-8"></head>'
    return f"{head}<body>\n{text}\n<table>\n{rows}\n</table>\n</body></html>\n"


def strings_of(answer: Json | None) -> tuple[list[str], str]:
    """Returns (strings, scale) given by an answer's own value, scale and unit."""
    if not answer or answer.get("value") is None or not answer.get("decided", True):
        return [], ""
    value, kind = answer["value"], answer["kind"]
    scale = "percent" if answer.get("unit") == "%" else _SCALES.get(answer.get("scale") or 1.0, "")
    if kind in ("figure", "calculation"):
        values = value if isinstance(value, list) else [value]
        cells = answer.get("cells") or []
        if kind == "figure" and [cell.get("value") for cell in cells] == values:
            return [cell["text"] for cell in cells], scale
        return [_shown(each) for each in values], scale
    values = value if isinstance(value, list) else [value]
    return [_shown(each) for each in values], ""


def _shown(value: object) -> str:
    if isinstance(value, float | int) and not isinstance(value, bool):
        return str(int(value)) if float(value).is_integer() else str(value)
    return str(value)


def measure(contexts: Sequence[tuple[int, Json]], ask: Ask) -> list[Judged]:
    judged: list[Judged] = []
    for number, context in contexts:
        questions = context["questions"]
        for question, told in zip(
            questions, ask(number, context, [each["question"] for each in questions]), strict=True
        ):
            judged.append(judge(number, question, told))
    return judged


def judge(number: int, question: Json, told: Told) -> Judged:
    said, scale = strings_of(told.answer)
    exact, f1 = score(question["answer"], question["answer_type"], question["scale"], said, scale)
    answer = told.answer or {}
    sure = bool(said) and answer.get("doubt") is None and answer.get("decided", True)
    gold = f"{question['answer']} {question['scale']}".strip()
    return Judged(
        number, question["question"], question["answer_type"], question["answer_from"], gold, said, scale,
        answer.get("line", ""), told.confidence, sure, exact, f1,
    )  # fmt: skip


def report_of(judged: Sequence[Judged], title: str) -> Report:
    report = Report(title)

    def mean(rows: Sequence[Judged], name: str, group: str, floor: float | None = None) -> None:
        if rows:
            exact = sum(row.exact for row in rows) / len(rows)
            f1 = sum(row.f1 for row in rows) / len(rows)
            report.add(Figure(group, f"{name} ({len(rows)})", exact, f1, "F1", floor, floor))

    arithmetic = [row for row in judged if row.answer_type == "arithmetic"]
    spans = [row for row in judged if "span" in row.answer_type and row.answer_from in _IN_TABLE]
    mean(judged, "all", "exact match", FLOORS["all"])
    mean(arithmetic, "arithmetic", "exact match", FLOORS["arithmetic"])
    mean(spans, "spans in tables", "exact match", FLOORS["spans in tables"])
    kinds: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for row in judged:
        kinds[row.answer_type, row.answer_from].append(row)
    for (kind, source), rows in sorted(kinds.items()):
        mean(rows, f"{kind}, {source}", "by kind")
    high = [row for row in judged if row.confidence == "high"]
    right = [row for row in judged if row.exact]
    report.add(Figure("sureness", "high, of all", len(high) / len(judged)))
    if high:
        report.add(
            Figure(
                "sureness",
                "right among high",
                sum(row.exact for row in high) / len(high),
                floor=HIGH_RIGHT,
                goal=HIGH_RIGHT,
            )
        )
    if right:
        report.add(Figure("sureness", "high among right", sum(row.confidence == "high" for row in right) / len(right)))
    wrong = sum(row.sure and not row.exact for row in judged) / len(judged)
    report.add(Figure("sureness", "not wrong and sure", 1 - wrong, floor=1 - WRONG_AND_SURE, goal=1 - WRONG_AND_SURE))
    report.add(Figure("sureness", "answered", sum(bool(row.said) for row in judged) / len(judged)))
    report.notes.append("Exact match and F1 as the paper defines them; the even contexts were tuned on.")
    return report


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--contexts", type=int, help="only the first N")
    parser.add_argument("--part", choices=("even", "odd"), help="every other context, counted from 0")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--answers", type=Path, help="write every question with its answer to this file")
    parser.add_argument("--in-process", action="store_true", help="only the rules: no server, no search, tables only")
    options = parser.parse_args(arguments)
    if not options.data.exists():
        print(f"Skipped: {options.data} does not exist. {WHERE}")
        return 0
    every = list(enumerate(json.loads(options.data.read_text(encoding="utf-8"))))
    chosen = [each for each in every if options.part is None or each[0] % 2 == (options.part == "odd")]
    chosen = chosen[: options.contexts]
    if options.in_process:
        from benchmarks.tatqa_rules import ask_rules

        judged = measure(chosen, ask_rules)
    else:
        from benchmarks.tatqa_served import asking

        with asking() as ask:
            judged = measure(chosen, ask)
    if options.answers:
        lines = [json.dumps(asdict(row), ensure_ascii=False) for row in judged]
        options.answers.write_text("\n".join(lines) + "\n", encoding="utf-8")
    where = "only the rules, only tables" if options.in_process else "served, no model"
    return report_of(judged, f"{len(chosen)} contexts, {len(judged)} questions, {where}").finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
