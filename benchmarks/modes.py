"""Measures the effect of the research modes: ``python -m benchmarks.modes [--words] [--json F]``.

The same questions, narrow and broad, English and Hebrew, are asked about the sample documents in each mode, through the
whole workbench and without a model. It counts sources, passages, near passages (similar, but not similar enough to be
quoted), quotations, documents quoted, remarks on agreements, differences and gaps, length of the answer, and time.
Floors require each wider mode to quote more. The prompt that a model would have been given for the same sources is
measured too: all its tokens, those of the passages, and the passages that did not fit. ``--words`` leaves the packaged
embedding model out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import get_args

from benchmarks.report import Figure, Report
from core.events import Entry, Interrupted, Response, Source, Sources
from core.graph.answering.budget import complexity_of, shares
from core.graph.answering.prompt import AnswerPrompt, PromptInputs, build_prompt
from core.graph.records import IntentRequest
from core.graph.understanding.intent.classifier import IntentClassifier
from core.language.detection import detect
from core.library.samples import load_samples
from core.models.capabilities import UNKNOWN_WINDOW
from core.prompts.templates import Prompts
from core.search.documents.acceptance import firmly_accepted, near
from core.setting_groups import ModeName
from core.settings import Settings
from core.workbench import Workbench

USER = "ada"
MODES: tuple[ModeName, ...] = get_args(ModeName)
QUOTED_MORE = 1.25
"""Minimum quotations of a wider mode, as a multiple of the mode before it."""
WIDER = ("passages", "quotes", "characters quoted", "prompt tokens", "tokens of passages", "tokens for depth")
"""Counts that must grow from mode to mode."""
BROAD = (
    "What do the documents say about meters that were stored in the sun?",
    "What did Pelagit supply, at what price, and what went wrong?",
    "Explain why the households in the Hadar zone were left without water",
    "How did the travel policy change between 2024 and 2025?",
    "What are all the costs that are mentioned for replacing meters?",
    "Which obligations does the metering contract put on Pelagit?",
    "מה כתוב במסמכים על אחסון המונים?",
    "אילו הוצאות נסיעה מוחזרות לעובדים?",
    "מה קרה באירוע באזור הדר ומה היו הסיבות?",
    "מה ידוע על האצוות שסיפקה פלגית?",
)


@dataclass(frozen=True)
class Outcome:
    """The result of one question in one mode; ``milliseconds`` from the question to the complete answer."""

    sources: int
    passages: int
    near: int
    quotes: int
    documents: int
    remarks: int
    characters: int
    milliseconds: float
    prompt: AnswerPrompt


async def ask(workbench: Workbench, question: str, mode: ModeName, user: str = USER) -> Outcome:
    """Asks the question as a user does, and builds the prompt that a model would get for the results."""
    began = time.monotonic()
    run = await workbench.ask(user, question, mode=mode)
    entries: list[Entry] = []
    async for entry in workbench.ledger.tail(user, run.run_id):
        entries.append(entry)
        if isinstance(entry.event, Interrupted):
            raise RuntimeError(f"{question} is asked back")
    milliseconds = (time.monotonic() - began) * 1000
    sources, response = _told(entries)
    prompt = await asyncio.to_thread(
        _prompt, workbench.settings, await _material(question, mode, firmly_accepted(sources)), question, mode
    )
    return Outcome(
        sources=len(sources),
        passages=sum(len(source.passages) for source in firmly_accepted(sources)),
        near=sum(len(source.passages) for source in near(sources)),
        quotes=len(response.quotes),
        documents=len({quote.number for quote in response.quotes}),
        remarks=len(response.remarks),
        characters=sum(len(quote.text) for quote in response.quotes),
        milliseconds=milliseconds,
        prompt=prompt,
    )


def _told(entries: Sequence[Entry]) -> tuple[list[Source], Response]:
    events = [entry.event for entry in entries]
    sources = [event.sources for event in events if isinstance(event, Sources)]
    return sources[-1] if sources else [], next(event for event in events if isinstance(event, Response))


async def _material(question: str, mode: ModeName, sources: Sequence[Source]) -> PromptInputs:
    intent = (await IntentClassifier(Prompts(), time.time).classify(IntentRequest(text=question))).intent
    return PromptInputs(
        question=question,
        language=detect(question),
        mode=mode,
        voice="You are Palimpsest.",
        today="Saturday, 2026-11-21",
        sources=sources,
        intent=intent,
    )


def _prompt(settings: Settings, material: PromptInputs, question: str, mode: ModeName) -> AnswerPrompt:
    complexity = complexity_of(question, mode, material.intent)
    return build_prompt(Prompts(), material, shares(settings.budget, UNKNOWN_WINDOW, complexity))


async def measure(questions: Sequence[str], *, meaning: bool) -> dict[ModeName, list[Outcome]]:
    """Asks every question in every mode, over the sample documents in a separate data directory."""
    with TemporaryDirectory() as home:
        settings = Settings(_env_file=None, home=Path(home), dense_enabled=meaning, model=None)  # type: ignore[call-arg]
        workbench = Workbench(settings)
        await workbench.start()
        try:
            for submission in await workbench.load_samples(USER):
                async for _ in workbench.ledger.tail(USER, submission.document.run_id or ""):
                    pass
            return {mode: [await ask(workbench, question, mode) for question in questions] for mode in MODES}
        finally:
            await workbench.stop()


def report(found: dict[ModeName, list[Outcome]]) -> Report:
    """Returns means over the questions, each mode compared with the one before it."""
    made = Report(
        f"Research modes, means over {len(found['quick'])} questions on the sample documents, without a model"
    )
    before: ModeName | None = None
    for mode, outcomes in found.items():
        for name, value in figures(outcomes).items():
            baseline = figures(found[before])[name] if before else None
            made.add(Figure(mode, name, value, baseline=baseline, against=before or ""))
        if before:
            more = figures(outcomes)["quotes"] / max(1e-9, figures(found[before])["quotes"])
            made.add(Figure(mode, f"quotes, times those of {before}", more, floor=QUOTED_MORE))
        before = mode
    return made


def figures(outcomes: Sequence[Outcome]) -> dict[str, float]:
    """Returns the means of a mode, by name."""
    return {
        "sources": mean(each.sources for each in outcomes),
        "passages": mean(each.passages for each in outcomes),
        "near passages": mean(each.near for each in outcomes),
        "quotes": mean(each.quotes for each in outcomes),
        "documents quoted": mean(each.documents for each in outcomes),
        "remarks": mean(each.remarks for each in outcomes),
        "characters quoted": mean(each.characters for each in outcomes),
        "seconds": mean(each.milliseconds for each in outcomes) / 1000,
        "prompt tokens": mean(each.prompt.tokens for each in outcomes),
        "tokens of passages": mean(each.prompt.layers["sources"] for each in outcomes),
        "tokens for depth": mean(each.prompt.layers["mode"] for each in outcomes),
        "passages that did not fit": mean(each.prompt.passages for each in outcomes),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--words", action="store_true", help="keyword search only")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    questions = [*(question.text for question in load_samples().questions), *BROAD]
    found = asyncio.run(measure(questions, meaning=not options.words))
    return report(found).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
