"""Measures how much a summary without a model keeps: ``python -m benchmarks.summaries [--documents 20] [--data DATA]``.

Each generated document has ten sections of varied filler (an eighth of it contains a number or a name too), and one
fact at a random place in each section. A fact is kept if the summary contains its deciding words. The length is the
rendered Markdown's relative to the document's. With ``--data``, facts are planted in real text too: the wikitexts of
the chunking set and the articles of HeQ, where nearly every sentence is a fact itself. Baselines of the same length:
the first sentences of every section, and random sentences of every section.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.planted import Planted, plant, plant_in
from benchmarks.report import Figure, Report
from core.events import Passage, Source
from core.library.chunking.chunks import chunk_structure
from core.library.extracted import Block
from core.library.structure.sections import structure_of
from core.prompts.templates import Prompts
from core.review.actions.records import Statement
from core.review.actions.summarize import Summarizer
from core.review.actions.summary.sections import sections
from core.setting_groups import Chunking
from core.words import Language

KEPT_FLOOR = 0.9
LONGEST = 0.25


def as_source(text: str, number: int = 1, title: str = "report") -> Source:
    """Returns a Markdown text as a source, as the library would cite it."""
    passages = [
        Passage(
            item_id=f"mem_{number}_{place}", text=piece.text, section=piece.section, page=piece.page, position=place
        )
        for place, piece in enumerate(chunk_structure(structure_of([Block(text=text)]), Chunking()))
    ]
    return Source(
        number=number, document_id=f"doc_{number}", title=title, filename=f"{title}.md", score=1.0, passages=passages
    )


async def summarize(document: Planted) -> str:
    result = await Summarizer(Prompts()).summarize([as_source(document.text)], document.language)
    return result.text


def kept(document: Planted, summary: str) -> float:
    """Returns the share of planted facts that ``summary`` contains."""
    flat = " ".join(summary.split())
    return mean(deciding in flat for _, deciding in document.facts)


def baseline(document: Planted, room: int, order: Callable[[Sequence[Statement]], Sequence[Statement]]) -> str:
    """Returns sentences of each section in ``order`` until the section's share of ``room`` characters is used up."""
    parts = sections(as_source(document.text))
    lines = []
    for part in parts:
        left = room / len(parts)
        for each in order(part.statements):
            if len(each.text) <= left:
                lines.append(each.text)
                left -= len(each.text)
    return "\n".join(lines)


def real_paragraphs(data: Path) -> dict[Language, list[str]]:
    articles = json.loads((data / "heq" / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    hebrew = [paragraph["context"] for article in articles for paragraph in article["paragraphs"]]
    wiki = (data / "chunking" / "wikitexts.md").read_text(encoding="utf-8")
    pieces = [" ".join(piece.split()) for piece in re.split(r"\n+", wiki)]
    return {"en": [piece for piece in pieces if len(piece) > 300 and not piece.startswith("=")], "he": hebrew}


async def measure(name: str, made: Sequence[Planted], floor: float | None) -> list[Figure]:
    dice = random.Random(0)
    summaries = [await summarize(document) for document in made]
    lengths = [len(summary) / len(document.text) for document, summary in zip(made, summaries, strict=True)]
    first = [kept(d, baseline(d, len(s), lambda each: each)) for d, s in zip(made, summaries, strict=True)]
    chance = [
        kept(d, baseline(d, len(s), lambda each: dice.sample(list(each), len(each))))
        for d, s in zip(made, summaries, strict=True)
    ]
    share = mean(kept(document, summary) for document, summary in zip(made, summaries, strict=True))
    return [
        Figure(name, "planted facts kept", share, mean(first), "first sentences", floor=floor, goal=KEPT_FLOOR),
        Figure(name, "planted facts kept", share, mean(chance), "random sentences"),
        Figure(name, "length left below a quarter", LONGEST - max(lengths), floor=0.0 if floor else None),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=20, help="documents in each language")
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    report = Report("Summaries without a model")
    names: dict[Language, str] = {"en": "English", "he": "Hebrew"}
    real = real_paragraphs(options.data) if options.data else {}
    for language, name in names.items():
        made = [plant(language, seed) for seed in range(options.documents)]
        report.figures += asyncio.run(measure(name, made, KEPT_FLOOR))
        if language in real:
            made = [plant_in(language, seed, real[language]) for seed in range(options.documents)]
            report.figures += asyncio.run(measure(f"{name}, in real text", made, None))
    return report.finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
