"""Measures how often quoted sentences answer the question: ``python -m benchmarks.answers --data ../shared/data/heq``.

Every question of the HeQ set is asked over a library of all its articles: the pages' document search finds passages,
and the quoting answerer selects sentences. An answer counts as right if one of the first 1, 2 or 3 sentences comes from
the question's own paragraph and contains a gold answer, in any of its variants and spellings. Questions that their
paragraph does not answer measure the confidence: the share of pairs in which the answerable question has the higher one
(AUC). Every third question is also asked again while its article is withheld, so that nothing in the library answers it
("absent").

The weights of ``core.models.extractive`` were chosen on every other paragraph ("chosen on"). The other paragraphs
("held out") were not used for that. Baselines of the same run: the first sentences of the best paragraph, and the
sentences that share most words with the question.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.sets import TestSet, heq
from benchmarks.shelf import Shelf, open_shelf
from core.graph.answering.extractive import passages_of
from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import content_terms, covers
from core.models.extractive import AnswerPassage, ExtractiveAnswer, ExtractiveAnswerer
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery

WHERE = "The set is HeQ v1.1 (NNLP-IL/HeQ, CC BY 4.0): val_v1.1.json of its data folder."
SENTENCES = 3
FLOORS = (0.72, 0.83, 0.88)
AUC_FLOOR = 0.63
ABSENT_FLOOR = 0.65
"""Minimum share of questions that get no answer while their article is withheld."""
ABSENT_EVERY = 3
PATIENCE = 600.0
"""Time limit of a question in seconds, long enough that a busy machine does not change the figures."""

METHODS = ("quoted", "first sentences", "word overlap")


@dataclass(frozen=True)
class Question:
    """A question of the set. ``answers`` is empty if the paragraph does not answer it."""

    text: str
    paragraph: int
    answers: list[str]


@dataclass
class Outcome:
    """A question's result. ``hits``: by method, whether the first 1, 2, 3 sentences contain the answer. ``absent``:
    confidence and abstention while the article is withheld, if the question was asked that way."""

    question: Question
    confidence: float
    abstained: bool
    found: bool
    hits: dict[str, list[bool]] = field(default_factory=dict)
    absent: tuple[float, bool] | None = None


@dataclass(frozen=True)
class Figures:
    """The figures of one part. ``shares``: by method, over the answerable questions. ``auc``: AUC of their confidence
    against that of unanswerable questions; ``auc_absent``: against that of questions whose article was withheld."""

    part: str
    answerable: int
    unanswerable: int
    shares: dict[str, list[float]]
    found: float
    auc: float
    abstained: float
    abstained_unanswerable: float
    absent: int
    auc_absent: float
    abstained_absent: float


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder with val_v1.1.json")
    parser.add_argument("--json", type=Path, help="write the figures to this file")
    parser.add_argument("--limit", type=int, help="only so many questions, spread over the set; floors are not checked")
    parser.add_argument("--cache", type=Path, help="keep embeddings in this .npz file between runs")
    options = parser.parse_args(arguments)
    if not (options.data / "val_v1.1.json").is_file():
        print(f"Skipped: {options.data / 'val_v1.1.json'} does not exist. {WHERE}")
        return 0
    outcomes = asyncio.run(measure(options.data, options.limit, options.cache))
    parts = {
        "all": outcomes,
        "chosen on": [each for each in outcomes if each.question.paragraph % 2 == 0],
        "held out": [each for each in outcomes if each.question.paragraph % 2],
    }
    figures = [summarise(part, of_part) for part, of_part in parts.items()]
    report(figures)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in figures], indent=1), encoding="utf-8")
    return 0 if options.limit or passes(figures[0]) else 1


def questions_of(folder: Path) -> list[Question]:
    """Returns the questions in the order of the set; paragraphs are numbered across all articles."""
    articles = json.loads((folder / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [paragraph for article in articles for paragraph in article["paragraphs"]]
    return [
        Question(qa["question"], place, [] if qa.get("is_impossible") else [each["text"] for each in qa["answers"]])
        for place, paragraph in enumerate(paragraphs)
        for qa in paragraph["qas"]
    ]


async def measure(folder: Path, limit: int | None, cache: Path | None) -> list[Outcome]:
    """Fills a library with the set and asks its questions."""
    questions = questions_of(folder)
    if limit:
        questions = questions[:: max(1, len(questions) // limit)][:limit]
    async with open_shelf(cache) as shelf:
        test_set = heq(folder)
        await shelf.store(test_set)
        answerer = ExtractiveAnswerer(shelf.embeddings, shelf.settings, PATIENCE)
        outcomes = [await _ask(shelf, answerer, test_set, question) for question in questions]
        for outcome in outcomes[::ABSENT_EVERY]:
            outcome.absent = await _ask_without_article(shelf, answerer, test_set, outcome.question)
        return outcomes


async def _answer(
    shelf: Shelf, answerer: ExtractiveAnswerer, test_set: TestSet, question: Question
) -> tuple[list[AnswerPassage], ExtractiveAnswer]:
    query = DocumentQuery(test_set.name, question.text, "enhanced")
    passages = passages_of((await shelf.search().find(query, Deadline(PATIENCE))).sources)
    return passages, await answerer.answer(question.text, "he", passages, SENTENCES, Deadline(PATIENCE))


async def _ask_without_article(
    shelf: Shelf, answerer: ExtractiveAnswerer, test_set: TestSet, question: Question
) -> tuple[float, bool]:
    shelf.hidden = {shelf.titled[test_set.name, test_set.documents[question.paragraph]]}
    try:
        _, answer = await _answer(shelf, answerer, test_set, question)
    finally:
        shelf.hidden = set()
    return answer.confidence, answer.abstained


async def _ask(shelf: Shelf, answerer: ExtractiveAnswerer, test_set: TestSet, question: Question) -> Outcome:
    passages, answer = await _answer(shelf, answerer, test_set, question)
    places = {each.item_id: shelf.places[each.item_id] for each in passages}
    methods = {
        "quoted": [(places[each.item_id], each.text) for each in answer.sentences],
        "first sentences": [(places[each.item_id], text) for each in passages[:1] for text in _sentences(each)],
        "word overlap": [(places[each.item_id], text) for each, text in by_overlap(question.text, passages)],
    }
    return Outcome(
        question=question,
        confidence=answer.confidence,
        abstained=answer.abstained,
        found=question.paragraph in places.values(),
        hits={name: hits(question, sentences) for name, sentences in methods.items()},
    )


def hits(question: Question, sentences: Iterable[tuple[int, str]]) -> list[bool]:
    """Returns whether the first 1, 2, 3 (paragraph, sentence) pairs contain an answer."""
    answers = [fold(answer) for answer in question.answers]
    held = [
        place == question.paragraph and any(answer in fold(text) for answer in answers) for place, text in sentences
    ]
    return [any(held[:most]) for most in range(1, SENTENCES + 1)]


def by_overlap(question: str, passages: Sequence[AnswerPassage]) -> list[tuple[AnswerPassage, str]]:
    """Baseline: the sentences that share most words with the question; ties keep the order of their passages."""
    terms = content_terms(question)
    sentences = [(each, text) for each in passages[:12] for text in _sentences(each)]
    return sorted(sentences, key=lambda pair: -sum(covers(term, fold(pair[1])) for term in terms))[:SENTENCES]


def _sentences(passage: AnswerPassage) -> list[str]:
    """Returns the sentences without the marker that begins the section."""
    return [text for sentence in split_sentences(passage.text) if any(map(str.isalnum, text := sentence.text))]


def summarise(part: str, outcomes: Sequence[Outcome]) -> Figures:
    answerable = [each for each in outcomes if each.question.answers]
    rest = [each for each in outcomes if not each.question.answers]
    absent = [each.absent for each in outcomes if each.absent]
    sure = [each.confidence for each in answerable]
    return Figures(
        part=part,
        answerable=len(answerable),
        unanswerable=len(rest),
        shares={
            name: [_share(each.hits[name][most] for each in answerable) for most in range(SENTENCES)]
            for name in METHODS
        },
        found=_share(each.found for each in answerable),
        auc=auc(sure, [each.confidence for each in rest]),
        abstained=_share(each.abstained for each in answerable),
        abstained_unanswerable=_share(each.abstained for each in rest),
        absent=len(absent),
        auc_absent=auc(sure, [confidence for confidence, _ in absent]),
        abstained_absent=_share(abstained for _, abstained in absent),
    )


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """Returns the share of pairs in which the first value is higher; ties count half."""
    if not higher or not lower:
        return 0.5
    first, second = np.array(higher)[:, None], np.array(lower)[None, :]
    return float(np.mean((first > second) + 0.5 * (first == second)))


def _share(values: Iterable[bool]) -> float:
    listed = list(values)
    return sum(listed) / max(1, len(listed))


def passes(figures: Figures) -> bool:
    reached = zip(figures.shares["quoted"], FLOORS, strict=True)
    abstains = figures.auc >= AUC_FLOOR and figures.abstained_absent >= ABSENT_FLOOR
    return abstains and all(share >= floor for share, floor in reached)


def report(parts: Sequence[Figures]) -> None:
    print(f"{'questions':22} {'method':16} {'1':>6} {'2':>6} {'3 sentences':>12}")
    for part in parts:
        for name in METHODS:
            one, two, three = part.shares[name]
            print(f"{f'{part.part} ({part.answerable})':22} {name:16} {one:6.3f} {two:6.3f} {three:12.3f}")
    for part in parts:
        print(
            f"{part.part}: paragraph found {part.found:.3f}; abstained {part.abstained:.3f} of answerable ones\n"
            f"  {part.unanswerable} unanswerable: AUC {part.auc:.3f}, abstained {part.abstained_unanswerable:.3f}\n"
            f"  {part.absent} absent: AUC {part.auc_absent:.3f}, abstained {part.abstained_absent:.3f}"
        )
    reached = "reached" if passes(parts[0]) else "NOT reached"
    shares = " / ".join(map(str, FLOORS))
    print(f"Floors {reached}: {shares} of the answerable, AUC {AUC_FLOOR}, {ABSENT_FLOOR} of the absent abstained.")


if __name__ == "__main__":
    sys.exit(main())
