"""Measures answers with a language model on forty questions with gold: right, cited, supported, and at what cost.

    python -m benchmarks.one_answer --data FOLDER --home HOME [--shard 1/4] [--calls FILE] [--json FILE] [--kept FILE]
    python -m benchmarks.one_answer --data FOLDER --kept FILE [FILE …] [--json FILE]

``FOLDER`` holds ``grids.yaml`` and ``series.yaml``; ``HOME`` is a copy of a data directory whose user ``ada`` has all
their documents and the filings. The model is the configured one (``PALIMPSEST_MODEL``). ``--shard`` asks every nth
question; ``--kept`` writes what was answered, and without ``--home`` reads it again and reports. ``--calls`` is the
log of a model server, a JSON line per call with ``characters``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import time
from pathlib import Path

from pydantic import BaseModel

from benchmarks.forty_questions import GoldQuestion, draw, is_right
from benchmarks.report import Figure, Report
from core.events import Response, Source
from core.settings import Settings
from core.workbench import Workbench

USER = "ada"
RIGHT_GOAL, RED_GOAL, FIRST_GOAL, PAGE_GOAL = 0.95, 0.03, 0.90, 0.95
SMALL_RIGHT_GOAL = 0.80
FIGURE_CALLS, FIGURE_CALLS_P90, FIGURE_TOKENS = 2, 4, 12_000
SEVERAL_CALLS, SEVERAL_TOKENS = 6, 40_000
CHARACTERS_A_TOKEN = 4


class Given(BaseModel):
    """What was answered to one question; ``pages`` are (file, page, text) of the cited passages and cells."""

    id: str
    answers: list[str] = []
    verdicts: list[str] = []
    pages: list[tuple[str, int | None, str]] = []
    calls: list[int] = []
    """Characters of each model call until the answer was complete."""
    seconds: float = 0.0
    kind: str = ""
    error: str = ""
    asked_back: list[str] = []


def _calls_so_far(log: Path | None) -> list[int]:
    if log is None or not log.exists():
        return []
    return [json.loads(line)["characters"] for line in log.read_text(encoding="utf-8").splitlines() if line.strip()]


async def ask(workbench: Workbench, question: GoldQuestion, log: Path | None) -> Given:
    """Asks all turns of a question in one conversation and takes the likeliest choice when asked back."""
    given, conversation = Given(id=question.id), None
    before, began = len(_calls_so_far(log)), time.monotonic()
    for turn in question.turns:
        asked = await workbench.ask(USER, turn, conversation_id=conversation)
        conversation = asked.conversation.id
        response: Response | None = None
        sources: list[Source] = []
        async for entry in workbench.ledger.tail(USER, asked.run_id):
            event = entry.event
            if event.type == "sources":
                sources = list(event.sources)
            elif event.type == "response":
                response = event
                given.calls = _calls_so_far(log)[before:]
            elif event.type == "interrupt":
                given.asked_back.append(event.question)
                await workbench.reply(
                    USER, asked.run_id, event.interrupt_id, [each.id for each in event.choices[:1]], ""
                )
            elif event.type == "error":
                given.error = event.model_dump_json()[:400]
        if response is None:
            break
        given.kind = response.kind
        given.answers.append(response.text)
        given.verdicts = [mark.verdict for mark in response.support]
        given.pages = _pages(response, sources)
    given.seconds = time.monotonic() - began
    return given


def _pages(response: Response, sources: list[Source]) -> list[tuple[str, int | None, str]]:
    names = {source.document_id: source.filename for source in sources}
    cited = [source for source in sources if f"[{source.number}]" in response.text]
    pages = [(source.filename, passage.page, passage.text) for source in cited for passage in source.passages]
    cells = response.answer.cells if response.answer else []
    return [*pages, *((names.get(cell.document_id, ""), cell.page, cell.text) for cell in cells)]


def page_is_right(question: GoldQuestion, given: Given) -> bool:
    """Returns whether each document of the gold is cited on a page that prints it, or with a passage of its text; the
    net income of a quarter is printed in several statements of a report."""
    wanted: dict[str, set[int]] = {}
    for name, page in question.pages:
        wanted.setdefault(name, set()).add(page)
    return all(
        any(
            name == file and (page in pages or any(value in text for value in _values(question, name)))
            for file, page, text in given.pages
        )
        for name, pages in wanted.items()
    )


def _values(question: GoldQuestion, document: str) -> list[str]:
    """The values that the gold gives for a document, as reports print them. Short ones may be part of any text."""
    points = [point for point in question.gold.get("points", []) if point["document"] == document]
    printed = [f"{abs(point['value']):,}" for point in points if isinstance(point["value"], int)]
    return [value for value in [f"{question.gold.get('value', '')}", *printed] if len(value) > 3]


def report_of(questions: list[GoldQuestion], given: dict[str, Given], *, small: bool = False) -> Report:
    report = Report("Answers with a language model: forty questions with gold")
    asked = [question for question in questions if question.id in given]
    right = [question for question in asked if given[question.id].answers and _right(question, given[question.id])]
    group = f"{len(asked)} questions"
    report.add(Figure(group, "right", len(right) / max(1, len(asked)), floor=SMALL_RIGHT_GOAL if small else RIGHT_GOAL))
    for kind in ("series", "cell", "task"):
        own = [question for question in asked if question.kind == kind]
        report.add(Figure(group, f"  right, {kind} ({len(own)})", sum(q in right for q in own) / max(1, len(own))))
    marks = [mark for question in right for mark in given[question.id].verdicts]
    report.add(
        Figure(
            group, "red, of sentences of right answers", marks.count("contradicted") / max(1, len(marks)), most=RED_GOAL
        )
    )
    # "The report does not state this" is no claim, so the first claim of such an answer is not its first sentence.
    stated = [question for question in right if question.gold.get("value") != "not stated"]
    first = [given[question.id].verdicts[0] == "supported" for question in stated if given[question.id].verdicts]
    report.add(Figure(group, "first sentence supported", sum(first) / max(1, len(first)), floor=FIRST_GOAL))
    paged = [page_is_right(question, given[question.id]) for question in right if question.pages]
    report.add(Figure(group, "right page cited", sum(paged) / max(1, len(paged)), floor=PAGE_GOAL))
    _add_costs(report, asked, given)
    wrong = [question for question in asked if question not in right]
    report.notes += [
        f"not right: {each.id}: {(given[each.id].answers or [given[each.id].error])[-1][:300]!r}" for each in wrong
    ]
    report.notes.append("The questions and gold are another hand's; nothing in the product was tuned on these answers.")
    return report


def _right(question: GoldQuestion, given: Given) -> bool:
    return len(given.answers) == len(question.turns) and is_right(question, given.answers)


def _add_costs(report: Report, asked: list[GoldQuestion], given: dict[str, Given]) -> None:
    for name, kinds, most_calls, most_tokens in (
        ("one document", {"cell"}, FIGURE_CALLS, FIGURE_TOKENS),
        ("several documents", {"series", "task"}, SEVERAL_CALLS, SEVERAL_TOKENS),
    ):
        own = [given[question.id].calls for question in asked if question.kind in kinds and given[question.id].calls]
        if not own:
            continue
        counts = sorted(len(calls) for calls in own)
        tokens = [sum(calls) / CHARACTERS_A_TOKEN for calls in own]
        report.add(Figure(f"cost, {name}", "calls, median", statistics.median(counts), most=most_calls))
        if kinds == {"cell"}:
            report.add(
                Figure(f"cost, {name}", "calls, p90", counts[int(0.9 * (len(counts) - 1))], most=FIGURE_CALLS_P90)
            )
        report.add(Figure(f"cost, {name}", "tokens in, median", statistics.median(tokens), most=most_tokens))


async def run(home: Path, questions: list[GoldQuestion], log: Path | None, kept: Path | None) -> dict[str, Given]:
    workbench = Workbench(Settings(home=home))
    await workbench.start()
    given = {}
    try:
        for question in questions:
            given[question.id] = await ask(workbench, question, log)
            print(f"{question.id}: {_right(question, given[question.id])}", flush=True)
            if kept:
                lines = [each.model_dump_json() for each in given.values()]
                await asyncio.to_thread(kept.write_text, "\n".join(lines) + "\n", encoding="utf-8")
    finally:
        await workbench.stop()
    return given


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--home", type=Path)
    parser.add_argument("--shard", default="1/1")
    parser.add_argument("--only", nargs="*", default=[], help="ids of the questions to ask")
    parser.add_argument("--small", action="store_true", help="the model has a small window and no tools")
    parser.add_argument("--calls", type=Path)
    parser.add_argument("--kept", type=Path, nargs="*", default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if not (options.data / "grids.yaml").is_file():
        print(f"{options.data} has no grids.yaml: see docs/benchmarks.md for where to get the set")
        return 0
    questions = draw(options.data)
    part, parts = map(int, options.shard.split("/"))
    own = [
        q
        for place, q in enumerate(questions)
        if place % parts == part - 1 and (not options.only or q.id in options.only)
    ]
    if options.home:
        given = asyncio.run(run(options.home, own, options.calls, next(iter(options.kept), None)))
    else:
        lines = [line for path in options.kept for line in path.read_text(encoding="utf-8").splitlines() if line]
        given = {each.id: each for each in map(Given.model_validate_json, lines)}
    return report_of(questions, given, small=options.small).finish(options.json)


if __name__ == "__main__":
    raise SystemExit(main())
