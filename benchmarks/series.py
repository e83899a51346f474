"""Measures series over several reports without a model: right values at the right dates, none invented, gaps named.

    python -m benchmarks.series --data FOLDER --json FILE

``FOLDER`` holds ``series.yaml`` and the PDFs that it names. Each row of an answer's table counts as a point. A point of
the gold is right if a row has its last day and value. Quarters that follow from year-to-date figures may take the place
of these; a row that is neither in the gold nor follows from it is fabricated.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.forty_questions import NEAR, PERCENT_NEAR, SCALES
from benchmarks.report import Figure, Report
from benchmarks.report_pairs import ReportPair, report_pairs
from benchmarks.temporary_workbench import open_workbench, upload
from core.events import Response, Source
from core.figures.contradictions.records import Contradiction
from core.language.entities.dates import DAYS, DateReading, dates_in
from core.language.entities.periods import extent, periods_in
from core.parsed_yaml import parse_yaml
from core.workbench import Workbench

USER = "ada"
RIGHT_GOAL, FABRICATED_GOAL = 0.90, 0.01
PAGE_GOAL, GAPS_GOAL = 0.95, 0.90
FOUND_GOAL, FALSE_GOAL = 0.90, 0.02
NEAR_DAYS = 7
_DATED = DateReading(DAYS, needs_year=True)
_VALUE = re.compile(
    r"(?P<minus>[-−–])?\s?[$€£₪]?\s?(?P<figure>\d[\d,]*(?:\.\d+)?)\s?(?P<scale>thousand|million|billion|%)?"
)
_PLACE = re.compile(r"\[(\d+)\] p\. (\d+)")
_CALCULATED = re.compile(r"\bderived\b")


@dataclass(frozen=True)
class Row:
    """A row of an answer's table: last day, value in full (a percentage as printed), and cited (file, page) pairs."""

    end: date
    value: float
    derived: bool
    pages: frozenset[tuple[str, int]]


@dataclass
class Answered:
    """What was answered to one question."""

    rows: list[Row] = field(default_factory=list)
    text: str = ""


async def ask(workbench: Workbench, question: str) -> Answered:
    """Asks a question in a new conversation and takes the likeliest choice when asked back."""
    asked = await workbench.ask(USER, question)
    response: Response | None = None
    sources: list[Source] = []
    async for entry in workbench.ledger.tail(USER, asked.run_id):
        event = entry.event
        if event.type == "sources":
            sources = list(event.sources)
        elif event.type == "response":
            response = event
        elif event.type == "interrupt":
            await workbench.reply(USER, asked.run_id, event.interrupt_id, [each.id for each in event.choices[:1]], "")
    if response is None or response.answer is None:
        return Answered(text=response.text if response else "")
    table = response.answer.table or ""
    files = {source.number: source.filename for source in sources}
    return Answered(list(rows_of(table, files)), f"{response.answer.line}\n{table}")


def rows_of(table: str, files: dict[int, str]) -> Iterable[Row]:
    """Yields the rows of a Markdown table with a period and a value.

    >>> next(iter(rows_of("| Period | Value |\\n| --- | --- |\\n| June 30, 2031 | $5 million |", {}))).value
    5000000.0
    """
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    for cells in lines[2:]:
        named = dict(zip(lines[0], cells, strict=False))
        end, value = _end(named.get("Period", "")), _value(named.get("Value", ""))
        if end is not None and value is not None:
            pages = {(files.get(int(n), ""), int(page)) for n, page in _PLACE.findall(named.get("Source", ""))}
            yield Row(end, value, bool(_CALCULATED.search(named.get("Calculation", ""))), frozenset(pages))


def _end(period: str) -> date | None:
    days = [found.day for found in dates_in(period, _DATED)]
    full = [date(day.year, day.month, day.day) for day in days if day.year and day.month and day.day]
    keys = [each.key for each in periods_in(period)]
    return full[-1] if full else extent(keys[-1])[1] if keys else None


def _value(text: str) -> float | None:
    found = _VALUE.search(text)
    if found is None:
        return None
    value = float(found["figure"].replace(",", "")) * SCALES.get(found["scale"] or "", 1.0)
    return -value if found["minus"] else value


@dataclass
class Judged:
    """The counts of one question."""

    id: str
    points: int = 0
    right: int = 0
    rows: int = 0
    fabricated: list[Row] = field(default_factory=list)
    pages: int = 0
    paged: int = 0
    gaps: int = 0
    gaps_named: int = 0


def judge(gold: Any, answered: Answered) -> Judged:
    """Compares the rows of an answer with the gold of a question."""
    percent = gold["unit"] == "%"
    printed = [*gold["points"], *gold["comparative_points"]]
    derived = gold.get("derived_quarters") or []
    rows = _signed_like(answered.rows, printed)
    found = Judged(gold["id"], points=len(gold["points"]), rows=len(rows), gaps=len(gold["gaps"]))
    for point in gold["points"]:
        instead = [each for each in derived if each["end"] == point["end"]]
        own = [row for row in rows if any(_fits(row, each, percent=percent) for each in (point, *instead))]
        found.right += bool(own)
        if own and not own[0].derived:
            found.pages += 1
            found.paged += bool(own[0].pages & _pages(point))
    known = [*printed, *derived]
    found.fabricated = [
        row
        for row in rows
        if not any(_fits(row, each, percent=percent) for each in known) and not _follows(row, printed)
    ]
    found.gaps_named = min(found.gaps, _gaps_named(gold, answered))
    return found


def _signed_like(rows: Sequence[Row], printed: Sequence[Any]) -> list[Row]:
    """Returns the rows without their sign if all are payments printed in brackets, which the gold gives as positive."""
    payments = all(row.value < 0 for row in rows) and all(float(each["value"]) > 0 for each in printed)
    return [replace(row, value=abs(row.value)) for row in rows] if payments else [*rows]


def _fits(row: Row, point: Any, *, percent: bool) -> bool:
    """Returns whether a row has the last day and the value of a point."""
    if abs((row.end - date.fromisoformat(str(point["end"]))).days) > NEAR_DAYS:
        return False
    wanted = float(point["value"]) * (1.0 if percent else 1e6)
    return abs(row.value - wanted) <= (PERCENT_NEAR if percent else NEAR * abs(wanted)) + 1e-9


def _follows(row: Row, printed: Sequence[Any]) -> bool:
    """Returns whether a derived row is the difference of two printed values, of which the longer ends on its day."""
    near = [each for each in printed if abs((row.end - date.fromisoformat(str(each["end"]))).days) <= NEAR_DAYS]
    return row.derived and any(
        abs(row.value - (float(one["value"]) - float(other["value"])) * 1e6) <= NEAR * abs(row.value)
        for one in near
        for other in printed
    )


def _pages(point: Any) -> set[tuple[str, int]]:
    parts = point.get("computed_from") or [point]
    return {(part.get("document", point["document"]), part["page"]) for part in parts if "page" in part}


def _gaps_named(gold: Any, answered: Answered) -> int:
    """Returns how many gaps of the gold lie within a time that the answer says no document covers."""
    said = [line for line in answered.text.splitlines() if "no value for the time between" in line]
    spans = [[date.fromisoformat(day) for day in re.findall(r"\d{4}-\d\d-\d\d", line)] for line in said]
    ends = [found.day for gap in gold["gaps"] for found in list(dates_in(str(gap), _DATED))[:1]]
    days = [date(day.year, day.month, day.day) for day in ends if day.year and day.month and day.day]
    return sum(any(len(span) == 2 and span[0] < day < span[1] for span in spans) for day in days)


def same_quarter_twice(gold: Any, answered: Answered) -> tuple[bool, bool]:
    """Returns whether the gold has a restated value, and whether the answer says that documents differ."""
    restated = any(each["verdict"] == "restated" for each in gold.get("same_quarter_twice") or [])
    return restated, "print different values" in answered.text


def report_of(questions: Sequence[Any], answers: Sequence[Answered]) -> Report:
    """Makes the report."""
    judged = [judge(gold, answered) for gold, answered in zip(questions, answers, strict=True)]
    report = Report("Series over several reports without a model")
    group = f"{len(questions)} questions"
    points, rows = sum(each.points for each in judged), sum(each.rows for each in judged)
    report.add(
        Figure(
            group,
            "points right",
            sum(each.right for each in judged) / max(1, points),
            floor=RIGHT_GOAL,
            goal=RIGHT_GOAL,
        )
    )
    whole = sum(each.right == each.points for each in judged)
    report.add(Figure(group, "questions with all points right", whole / max(1, len(judged))))
    invented = sum(len(each.fabricated) for each in judged)
    report.add(Figure(group, f"fabricated, of {rows} rows", invented / max(1, rows), most=FABRICATED_GOAL))
    pages = sum(each.pages for each in judged)
    report.add(
        Figure(
            group,
            "right page cited",
            sum(each.paged for each in judged) / max(1, pages),
            floor=PAGE_GOAL,
            goal=PAGE_GOAL,
        )
    )
    gaps = sum(each.gaps for each in judged)
    report.add(
        Figure(
            group, "gaps named", sum(each.gaps_named for each in judged) / max(1, gaps), floor=GAPS_GOAL, goal=GAPS_GOAL
        )
    )
    pairs = [same_quarter_twice(gold, answered) for gold, answered in zip(questions, answers, strict=True)]
    restated = [said for is_restated, said in pairs if is_restated]
    equal = [said for is_restated, said in pairs if not is_restated]
    report.add(
        Figure("printed in two reports", f"restated found, of {len(restated)}", _share(restated), floor=1.0, goal=1.0)
    )
    report.add(Figure("printed in two reports", f"equal called different, of {len(equal)}", _share(equal), most=0.0))
    for each in judged:
        if each.right < each.points or each.fabricated:
            report.notes.append(f"{each.id}: {each.right} of {each.points} right; fabricated: {each.fabricated}")
    report.notes.append("Questions and gold: another author. The panels were built with these questions in sight.")
    return report


def _share(said: Sequence[bool]) -> float:
    return sum(said) / max(1, len(said))


def stored_of(report: Report, questions: Sequence[Any], pairs: Sequence[Contradiction]) -> None:
    """Adds whether the restated values of the gold, and only these, are stored as contradictions."""
    said: dict[str, list[bool]] = {"restated": [], "equal": []}
    for gold in questions:
        for each in gold.get("same_quarter_twice") or []:
            pages = {(str(part["document"]), int(part["page"])) for part in each["printed"]}
            values = {round(abs(float(part["value"]))) for part in each["printed"]}
            said[each["verdict"]].append(any(_is_of(pair, pages, values) for pair in pairs))
    group = "stored for two reports"
    found, wrong = said["restated"], said["equal"]
    report.add(Figure(group, f"restated found, of {len(found)}", _share(found), floor=1.0, goal=1.0))
    report.add(Figure(group, f"equal called different, of {len(wrong)}", _share(wrong), most=0.0))


def _is_of(pair: Contradiction, pages: set[tuple[str, int]], values: set[int]) -> bool:
    """Returns whether both cells of a contradiction print the values of the gold on its pages."""
    cells = (pair.first, pair.second)
    printed = {round(abs(cell.value)) for cell in cells}
    return values <= printed and {cell.page for cell in cells} <= {page for _, page in pages}


def pairs_of(report: Report, found: Sequence[tuple[ReportPair, Sequence[str]]]) -> None:
    """Adds how many restated figures of the pairs of reports were found, and how many other pairs were accused."""
    rows = [(row, labels) for pair, labels in found for row in pair.rows]
    others = [pair.kind for pair, labels in found if set(labels) - set(pair.rows)]
    group = f"{len(found)} pairs of reports"
    report.add(
        Figure(
            group,
            f"restated rows found, of {len(rows)}",
            _share([row in labels for row, labels in rows]),
            floor=FOUND_GOAL,
            goal=FOUND_GOAL,
        )
    )
    report.add(Figure(group, "pairs with a false one", len(others) / max(1, len(found)), most=FALSE_GOAL))
    report.notes.append("The pairs of reports were written by the author of the comparison.")


async def compare_pairs() -> list[tuple[ReportPair, list[str]]]:
    """Reads the pairs of reports into a new library; returns the labels of the contradictions of each pair."""
    made = report_pairs()
    async with open_workbench(dense=False) as workbench:
        companies: dict[str, str] = {}
        with TemporaryDirectory() as folder:
            for pair in made:
                for name, html in pair.reports:
                    path = Path(folder) / name
                    path.write_text(html, encoding="utf-8")
                    companies[await upload(workbench, USER, path)] = pair.company
        found = await workbench.contradictions.of_user(USER)
    return [
        (pair, [each.first.label for each in found if companies[each.first.document_id] == pair.company])
        for pair in made
    ]


async def run(folder: Path, gold: Any, *, dense: bool) -> tuple[list[Answered], list[Contradiction]]:
    """Reads the documents into a new library, asks all questions, and lists the stored contradictions."""
    async with open_workbench(dense=dense) as workbench:
        with TemporaryDirectory() as copies:
            for document in gold["documents"]:
                copy = shutil.copy(folder / document["path"], Path(copies) / document["file"])
                await upload(workbench, USER, Path(copy))
        answers = [await ask(workbench, question["question"]) for question in gold["questions"]]
        return answers, await workbench.contradictions.of_user(USER)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--words-only", action="store_true", help="without embeddings, which series do not need")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    path = options.data / "series.yaml"
    if not path.is_file():
        print(f"{path} is missing: see docs/benchmarks.md for where to get the set")
        return 0
    gold: Any = parse_yaml(path.read_text(encoding="utf-8"))
    answers, pairs = asyncio.run(run(options.data, gold, dense=not options.words_only))
    report = report_of(gold["questions"], answers)
    stored_of(report, gold["questions"], pairs)
    pairs_of(report, asyncio.run(compare_pairs()))
    return report.finish(options.json)


if __name__ == "__main__":
    raise SystemExit(main())
