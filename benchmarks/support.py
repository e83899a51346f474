"""Measures which sentences the support check accepts and rejects: ``python -m benchmarks.support [--data DATA]``.

*Mutated*: document sentences with one number, date, name or negation changed by script, cited to their own passage;
none may be called supported. In Hebrew the changed name may be any word. *Quoted*: the same sentences unchanged.
*Reworded*: sentences written by hand, supported by their passage or not; precision is the share of truly supported
sentences among those that the check calls supported. With ``--data``, HeQ paragraphs and the wikitexts of the chunking
set join the sample documents. The baseline calls a sentence supported if its passage contains four fifths of its words.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

import yaml
from pydantic import BaseModel

from benchmarks.mutations import MUTATORS
from benchmarks.report import Figure, Report
from benchmarks.summaries import as_source
from core.events import Passage, Source
from core.language.detection import detect
from core.library.extract import extract
from core.prompts.templates import Prompts
from core.review.actions.records import statements
from core.review.overlap import best_evidence
from core.review.support import SupportCheck
from core.settings import Settings
from core.words import Language

ROOT = Path(__file__).parents[1]
REWORDED = ROOT / "tests" / "core" / "review" / "data" / "paraphrases.yaml"
LANGUAGES: dict[Language, str] = {"en": "English", "he": "Hebrew"}
MOST_SENTENCES = 150
BY_WORDS = 0.8
PRECISION_FLOOR = 0.9
QUOTED_FLOOR = 0.95


class Reworded(BaseModel):
    language: Language
    passage: str
    supported: list[str]
    unsupported: list[str]


def reworded() -> list[Reworded]:
    return [Reworded.model_validate(each) for each in yaml.safe_load(REWORDED.read_text(encoding="utf-8"))]


def single(text: str) -> Source:
    passage = Passage(item_id="mem", text=text)
    return Source(number=1, document_id="doc", title="", filename="", score=1.0, passages=[passage])


def texts(data: Path | None) -> Iterator[Source]:
    """Returns the sources whose sentences are changed."""
    for path in sorted((ROOT / "sample_docs").glob("*.*")):
        if path.suffix in (".md", ".docx", ".html"):
            blocks = extract(path, path.name, Settings()).blocks
            yield as_source("\n\n".join(block.text for block in blocks))
    if data is None:
        return
    articles = json.loads((data / "heq" / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    yield from (single(paragraph["context"]) for article in articles for paragraph in article["paragraphs"])
    wiki = (data / "chunking" / "wikitexts.md").read_text(encoding="utf-8")
    yield from (single(part) for part in wiki.split("\n\n") if len(part) > 400)


def sentences(sources: Sequence[Source], language: Language) -> list[tuple[Source, str]]:
    """Returns whole sentences with their passages."""
    found = [
        (single(each.passage.text), each.text)
        for source in sources
        for each in statements(source)
        if detect(each.text) == language
        and len(each.text.split()) > 4
        and " | " not in each.text
        and "[" not in each.text
    ]
    return random.Random(1).sample(found, min(MOST_SENTENCES, len(found)))


async def supported(check: SupportCheck, source: Source, sentence: str) -> bool:
    found = await check.check(f"{sentence} [1]", [source])
    return bool(found.sentences) and all(each.verdict == "supported" for each in found.sentences)


def by_words(source: Source, sentence: str) -> bool:
    evidence = best_evidence(sentence, source.passages)
    return evidence is not None and evidence.coverage >= BY_WORDS


async def measure(sources: Sequence[Source], language: Language) -> list[Figure]:
    group, check, dice = LANGUAGES[language], SupportCheck(Prompts()), random.Random(2)
    told = sentences(sources, language)
    figures = []
    for kind, mutate in MUTATORS.items():
        changed = [(s, new) for s, text in told if (new := mutate(text, language, dice)) and new != text]
        if changed:
            kept_out = [not await supported(check, source, text) for source, text in changed]
            naive = mean(not by_words(source, text) for source, text in changed)
            figures.append(
                Figure(
                    group, f"{kind} changed, rejected ({len(changed)})", mean(kept_out), naive, "by words", floor=1.0
                )
            )
    quoted = [await supported(check, source, text) for source, text in told]
    figures.append(Figure(group, f"quoted, accepted ({len(told)})", mean(quoted), floor=QUOTED_FLOOR))
    return figures + await measure_reworded(check, language)


async def measure_reworded(check: SupportCheck, language: Language) -> list[Figure]:
    judged, naive = [], []
    for each in reworded():
        if each.language == language:
            source = single(each.passage)
            for text, truth in [*((t, True) for t in each.supported), *((t, False) for t in each.unsupported)]:
                judged.append((await supported(check, source, text), truth))
                naive.append((by_words(source, text), truth))
    group = LANGUAGES[language]
    return [
        Figure(group, "reworded, precision", _precision(judged), _precision(naive), "by words", floor=PRECISION_FLOOR),
        Figure(group, "reworded, recall", _recall(judged), _recall(naive), "by words"),
    ]


def _precision(judged: Sequence[tuple[bool, bool]]) -> float:
    called = [truth for said, truth in judged if said]
    return mean(called) if called else 1.0


def _recall(judged: Sequence[tuple[bool, bool]]) -> float:
    return mean(said for said, truth in judged if truth)


async def run(data: Path | None) -> Report:
    report = Report("Support check without a model")
    sources = list(texts(data))
    for language in LANGUAGES:
        for figure in await measure(sources, language):
            report.add(figure)
    return report


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder of the public sets")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    options = parser.parse_args()
    return asyncio.run(run(options.data)).finish(options.json)


if __name__ == "__main__":
    sys.exit(main())
