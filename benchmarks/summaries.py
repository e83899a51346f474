"""How much a summary without a model keeps: ``python -m benchmarks.summaries [--documents 20]``.

Each generated document has ten sections of varied filler, an eighth of which holds a number or a name too, and one fact
at a random place of each section. A fact is kept when the summary holds its deciding words; the length is that of the
rendered Markdown beside the document's. Baselines of the same length: the first sentences of every section, and random
sentences of every section.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.planted import Planted, plant
from benchmarks.report import Figure, Report
from core.events import Passage, Source
from core.graph.actions.extracts import sections
from core.graph.actions.records import Statement
from core.graph.actions.summarize import Summarizer
from core.library.chunking import chunk
from core.library.extracted import Block
from core.prompts.templates import Prompts
from core.settings import Chunking
from core.words import Language

KEPT_FLOOR = 0.9
LONGEST = 0.25


def as_source(text: str, number: int = 1, title: str = "report") -> Source:
    """A Markdown text as the library would cite it, whole."""
    passages = [
        Passage(
            item_id=f"mem_{number}_{place}", text=piece.text, section=piece.section, page=piece.page, position=place
        )
        for place, piece in enumerate(chunk([Block(text=text)], Chunking()))
    ]
    return Source(
        number=number, document_id=f"doc_{number}", title=title, filename=f"{title}.md", score=1.0, passages=passages
    )


async def summarize(document: Planted) -> str:
    result = await Summarizer(Prompts()).summarize([as_source(document.text)], document.language)
    return result.text


def kept(document: Planted, summary: str) -> float:
    """The share of planted facts that ``summary`` holds."""
    flat = " ".join(summary.split())
    return mean(deciding in flat for _, deciding in document.facts)


def baseline(document: Planted, room: int, order: Callable[[Sequence[Statement]], Sequence[Statement]]) -> str:
    """Sentences of each section in ``order`` while its share of ``room`` characters lasts."""
    parts = sections(as_source(document.text))
    lines = []
    for part in parts:
        left = room / len(parts)
        for each in order(part.statements):
            if len(each.text) <= left:
                lines.append(each.text)
                left -= len(each.text)
    return "\n".join(lines)


async def measure(language: Language, documents: int) -> list[Figure]:
    dice = random.Random(0)
    made = [plant(language, seed) for seed in range(documents)]
    summaries = [await summarize(document) for document in made]
    lengths = [len(summary) / len(document.text) for document, summary in zip(made, summaries, strict=True)]
    first = [kept(d, baseline(d, len(s), lambda each: each)) for d, s in zip(made, summaries, strict=True)]
    chance = [
        kept(d, baseline(d, len(s), lambda each: dice.sample(list(each), len(each))))
        for d, s in zip(made, summaries, strict=True)
    ]
    share = mean(kept(document, summary) for document, summary in zip(made, summaries, strict=True))
    name = {"en": "English", "he": "Hebrew"}[language]
    return [
        Figure(name, "planted facts kept", share, mean(first), "first sentences", floor=KEPT_FLOOR, goal=0.9),
        Figure(name, "planted facts kept", share, mean(chance), "random sentences"),
        Figure(name, "room left under a quarter of the length", LONGEST - max(lengths), floor=0.0),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20, help="documents in each language")
    parser.add_argument("--json", type=Path, help="write the figures here")
    options = parser.parse_args()
    report = Report("Summaries without a model")
    for language in ("en", "he"):
        for figure in asyncio.run(measure(language, options.documents)):  # type: ignore[arg-type]
            report.add(figure)
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
