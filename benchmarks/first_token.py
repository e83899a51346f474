"""Measures the time from sending a question to the first word of its answer, with a served workbench, Chromium and a
local model.

The model is a server on this machine that answers immediately, or after ``--thinks`` seconds. It reports when it was
asked for the answer and when it sent its first word. So the total time is split into two parts: the time until the
model is asked for the answer (including the search of memory and documents, taken from the run's steps), and the
model's own time. *Beyond* is the total without the search and the model. With ``--small``, the small model of the tests
answers, and is stopped after its first word. That measures only the total time that a user waits.

    python -m benchmarks.first_token [--filings FOLDER [--files 10]] [--words-only] [--small] [--thinks S] [--rest S]
        [--json FILE]

Without ``--filings`` the questions are about the sample documents. With it, they are about the first PDFs of a folder,
from its ``questions.jsonl`` (see benchmarks/filings.py); questions about other documents are left out.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.filings import questions_of, upload
from benchmarks.report import Figure, Report
from benchmarks.served import served
from core.events import StepStatus
from core.library.samples import load_samples
from core.settings import Settings
from core.workbench import Workbench
from tests.equipment import find_browser
from tests.servers.local import LocalServer, Reply, Request, asks_for_json, chat_stream, judgement
from tests.servers.small_model import NAME, small_model

if TYPE_CHECKING:
    from playwright.sync_api import Page

USER = "local"
BEYOND = 0.150
"""Maximum seconds (p95) that the workbench may add to the search and the model."""
END_TO_END = 15.0
"""Maximum seconds until the first word with the small model."""
QUESTIONS = 20
PATIENCE = 300_000.0
SEARCHES = ("remembering", "searching", "singling", "gating")
_WATCH = """() => {
  window.firstWord = null;
  new MutationObserver(() => {
    const body = [...document.querySelectorAll(".answer.live .body")].pop();
    if (!window.firstWord && body && body.textContent.trim()) window.firstWord = Date.now();
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


@dataclass
class Model:
    """The simulated model. ``asked`` and ``said``: epoch seconds at which each answer was requested, and at which its
    first word was sent."""

    thinks: float
    asked: list[float] = field(default_factory=list)
    said: list[float] = field(default_factory=list)

    def respond(self, request: Request) -> Reply:
        if asks_for_json(request):
            return judgement()
        self.asked.append(time.time())

        async def answer(writer: asyncio.StreamWriter) -> None:
            await asyncio.sleep(self.thinks)
            self.said.append(time.time())
            await chat_stream("The documents ", "say so [1].")(writer)

        return answer


@dataclass(frozen=True)
class Wait:
    """The seconds of one question, split into parts."""

    whole: float
    before: float = 0.0
    model: float = 0.0
    search: float = 0.0

    @property
    def beyond(self) -> float:
        return self.whole - self.model - self.search


def asked_on_the_page(url: str, questions: Sequence[str], model: Model | None, rest: float) -> Iterator[Wait]:
    """Asks each question in a new conversation, ``rest`` seconds after its page has loaded. The first question is left
    out, because it loads data that the later ones find loaded."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        for place, question in enumerate([questions[0], *questions]):
            page.goto(url)
            page.wait_for_selector(".composer textarea")
            page.evaluate(_WATCH)
            page.wait_for_timeout(rest * 1000)
            wait = _wait(page, question, model)
            if place:
                yield wait
        browser.close()


def _wait(page: Page, question: str, model: Model | None) -> Wait:
    known = len(model.said) if model else 0
    page.locator(".composer textarea").fill(question)
    sent = time.time()
    page.keyboard.press("Enter")
    page.wait_for_function("window.firstWord !== null", timeout=PATIENCE)
    first = float(page.evaluate("window.firstWord")) / 1000
    if model is None:
        page.locator(".composer.running .send").click()
    page.wait_for_selector(".answer:not(.live)", timeout=PATIENCE)
    if model is None or len(model.said) == known:
        return Wait(first - sent)
    return Wait(first - sent, model.asked[known] - sent, model.said[known] - model.asked[known])


async def searches(home: Path) -> list[float]:
    """Returns the search seconds of each question, in the order in which they were asked."""
    workbench = Workbench(Settings(_env_file=None, home=home))  # type: ignore[call-arg]
    await workbench.start()
    found = []
    hits = await workbench.conversations.search(USER, "", limit=1_000)
    for conversation in sorted((each.conversation for each in hits), key=lambda each: each.created_at):
        messages = await workbench.conversations.messages(USER, conversation.id)
        entries = await workbench.ledger.entries(USER, next(each.run_id for each in messages if each.run_id))
        steps = [each.event for each in entries if isinstance(each.event, StepStatus)]
        found.append(sum(each.milliseconds or 0.0 for each in steps if each.step_id.endswith(SEARCHES)) / 1000)
    await workbench.stop()
    return found


@contextmanager
def answering(given: argparse.Namespace) -> Iterator[tuple[Model | None, Mapping[str, str]]]:
    """Yields a model, and the environment variables with which it is used."""
    if given.small:
        with small_model(reading_threads=os.cpu_count() or 1) as url:
            yield None, {"PALIMPSEST_MODEL": f"openai:{NAME}", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}
        return
    model = Model(given.thinks)
    with LocalServer(responder=model.respond) as server:
        url = f"{server.url}/v1"
        yield model, {"PALIMPSEST_MODEL": "openai:scripted", "OPENAI_BASE_URL": url, "OPENAI_API_KEY": "none"}


def material(given: argparse.Namespace) -> tuple[list[Path], list[str]]:
    """Returns the files, and the questions about them."""
    if given.filings is None:
        samples = load_samples()
        return samples.paths, [each.text for each in samples.questions][: given.questions]
    files = sorted(given.filings.glob("*.pdf"))[: given.files]
    names = {path.name for path in files}
    return files, [each.text for each in questions_of(given.filings) if each.document in names][: given.questions]


def measured(given: argparse.Namespace) -> list[Wait]:
    files, questions = material(given)
    settings = {"PALIMPSEST_DENSE_ENABLED": "false"} if given.words_only else {}
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, answering(given) as (model, environment):
        home = Path(folder)
        with served(home, settings) as client:
            upload(client, files, words_only=given.words_only)
        with served(home, {**settings, **environment}) as client:
            waits = list(asked_on_the_page(str(client.src), questions, model, given.rest))
        if model is None:
            return waits
        spent = asyncio.run(searches(home))[-len(waits) :]
    return [Wait(each.whole, each.before, each.model, search) for each, search in zip(waits, spent, strict=True)]


def report_of(waits: Sequence[Wait], given: argparse.Namespace) -> Report:
    of = f"{given.files} filings" if given.filings else "the samples"
    report = Report(f"{len(waits)} questions over {of}, from Enter to the first word on the page, in seconds")
    parts = {"whole": [each.whole for each in waits]}
    if not given.small:
        parts |= {
            "until the model is called": [each.before for each in waits],
            "search": [each.search for each in waits],
            "the model": [each.model for each in waits],
            "without search and model": [each.beyond for each in waits],
        }
    for name, seconds in parts.items():
        ordered = sorted(seconds)
        report.add(Figure("first word", f"{name}, p50", ordered[len(ordered) // 2]))
        report.add(Figure("first word", f"{name}, p95", ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))]))
    if given.small:
        told = "reached" if max(parts["whole"]) <= END_TO_END else "NOT reached"
        report.notes.append(f"slowest {max(parts['whole']):.1f} s; at most {END_TO_END:g}: {told}")
    else:
        worst = report.figures[-1].value
        told = "reached" if worst <= BEYOND else "NOT reached"
        report.notes.append(f"without search and model, p95 {worst * 1000:.0f} ms; at most {BEYOND * 1000:.0f}: {told}")
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filings", type=Path)
    parser.add_argument("--files", type=int, default=10)
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="only the first N")
    parser.add_argument("--words-only", action="store_true")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--thinks", type=float, default=0.0, help="seconds before the model's first word")
    parser.add_argument("--rest", type=float, default=0.0, help="seconds between loading the page and the question")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    return report_of(measured(given), given).finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
