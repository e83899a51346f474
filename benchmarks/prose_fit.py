"""Fits the weights of the reader that finds answers in running text.

    python -m benchmarks.prose_fit --tatqa FILE --heq FOLDER [--only en|he] [--score] [--held-out] [--out FILE]
        [--cache FILE]

English weights are fitted on TAT-QA's contexts with an even number (those of their questions that running text
answers), Hebrew ones on every other paragraph of HeQ. The other halves are not used for fitting and are reported
separately. Three groups of weights are fitted in turn: which sentence (softmax over a question's sentences; those with
the answer are right), which span of the best sentences (softmax, by how close a span is to the answer), and how sure
(logistic).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import string
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.answers import auc
from benchmarks.shelf import KeptEmbeddings
from core.answering.prose.answer import EMBEDDED, LONGEST
from core.answering.prose.features import NAMES
from core.answering.prose.question import ProseQuestion, read_question
from core.answering.prose.ranking import (
    RankedSpan,
    SpanFeatures,
    compare,
    rank,
    score_sentences,
    sureness,
    witnesses_of,
)
from core.answering.prose.sentences import WITNESSES, Statement, statements
from core.answering.prose.spans import Span
from core.answering.prose.weights import REASONS, FittedWeights, Weights, all_fitted, written
from core.answering.prose.weights import weights as fitted_weights
from core.figures.records import Origin, TextEvidence
from core.language.matching import lexical_strengths
from core.language.normalisation import fold
from core.language.terms import index_terms, query_terms
from core.models.build import build_embeddings
from core.settings import Settings
from core.words import Language

Floats = NDArray[np.float64]
Json = dict[str, Any]
STEPS = 250
MOST_ROWS = 250
"""Maximum number of questions for fitting spans."""
FOLDS = 4
LANGUAGES: tuple[Language, ...] = ("en", "he")
SENTENCE_RIDGE, SPAN_RIDGE, SURE_RIDGE = 0.002, 0.003, 1.0


@dataclass
class Row:
    """A question. ``gold``: accepted answers, each a list of its parts; empty if the text does not answer it."""

    question: ProseQuestion
    passages: list[TextEvidence]
    gold: list[list[str]]
    tuned: bool
    group: int
    found: list[Statement] = field(default_factory=list)
    weights: Floats = field(default_factory=lambda: np.zeros(0))


def tatqa(path: Path) -> Iterator[Row]:
    """Returns questions that text answers, and unanswered ones: every third question that only tables answer, and every
    other text question again with the paragraphs of another context of the same half."""
    contexts = json.loads(path.read_text(encoding="utf-8"))
    for number, context in enumerate(contexts):
        other = contexts[number + 2 if number + 2 < len(contexts) else number % 2]
        for place, question in enumerate(context["questions"]):
            half = number % 2 == 0
            wanted = read_question(question["question"], "en")
            if question["answer_from"] == "text" and question["answer_type"] in ("span", "multi-span"):
                gold = [list(map(str, question["answer"]))]
                yield Row(wanted, _paragraphs(context, question["question"]), gold, half, number)
                if place % 2:
                    yield Row(wanted, _paragraphs(other, question["question"]), [], half, number)
            elif place % 3 == 0 and not _is_printed(question["answer"], context):
                yield Row(wanted, _paragraphs(context, question["question"]), [], half, number)


def _paragraphs(context: Json, question: str) -> list[TextEvidence]:
    paragraphs = context["paragraphs"]
    counted = [Counter(index_terms(paragraph["text"], "en")) for paragraph in paragraphs]
    strengths = lexical_strengths(query_terms(question, "en"), counted)
    passages = [
        TextEvidence(Origin(1, "d"), paragraph["uid"], paragraph["text"], score=strength)
        for paragraph, strength in zip(paragraphs, strengths, strict=True)
    ]
    return sorted(passages, key=lambda passage: -passage.score)


def _is_printed(answer: object, context: Json) -> bool:
    """Returns whether the text also states an answer that comes from a table."""
    said = " ".join(" ".join(normal(paragraph["text"])) for paragraph in context["paragraphs"])
    return isinstance(answer, list) and any(" ".join(normal(str(part))) in said for part in answer)


def heq(folder: Path, beside: int = 5) -> Iterator[Row]:
    """Returns each question with its own paragraph and the paragraphs that share most of the question's terms."""
    articles = json.loads((folder / "val_v1.1.json").read_text(encoding="utf-8"))["data"]
    paragraphs = [(article, paragraph) for article in articles for paragraph in article["paragraphs"]]
    counted = [Counter(index_terms(paragraph["context"], "he")) for _, paragraph in paragraphs]
    for number, (_, paragraph) in enumerate(paragraphs):
        for qa in paragraph["qas"]:
            strengths = lexical_strengths(query_terms(qa["question"], "he"), counted)
            ranked = sorted(range(len(paragraphs)), key=lambda each: -strengths[each])[: beside + 1]
            passages = [
                TextEvidence(Origin(1, "d", paragraphs[each][0].get("title", "")), str(each),
                             paragraphs[each][1]["context"], score=strengths[each])
                for each in ranked
            ]  # fmt: skip
            gold = [] if qa.get("is_impossible") else [[answer["text"]] for answer in qa["answers"]]
            yield Row(read_question(qa["question"], "he"), passages, gold, number % 2 == 0, number)


_ARTICLES = re.compile(r"\b(?:a|an|the)\b")
_SIGNS = str.maketrans("", "", string.punctuation + "‘’´`“”")


@lru_cache(maxsize=100_000)
def normal(text: str) -> tuple[str, ...]:
    """Normalises words as the TAT-QA paper's script does: lower case, without articles and punctuation."""
    parts = (part.translate(_SIGNS) for part in re.split(r"[\s-]+", _ARTICLES.sub(" ", fold(text))))
    return tuple(part for part in parts if part)


def f1(said: Sequence[str], gold: Sequence[str]) -> float:
    one, other = set(said), set(gold)
    common = len(one & other)
    return 2 * common / (len(one) + len(other)) if common else 0.0


def exact(parts: Sequence[str], gold: Sequence[Sequence[str]]) -> bool:
    said = sorted(" ".join(normal(part)) for part in parts)
    return any(said == sorted(" ".join(normal(part)) for part in way) for way in gold)


def gain(parts: Sequence[str], gold: Sequence[Sequence[str]]) -> float:
    """Returns 1 for the exact answer, and less for an answer that has only most of its words."""
    if exact(parts, gold):
        return 1.0
    said = [word for part in parts for word in normal(part)]
    best = max(f1(said, [word for part in way for word in normal(part)]) for way in gold)
    return 0.35 * best**2


def parts_of(statement: Statement, span: Span) -> list[str]:
    return [statement.text[start:end] for start, end in span.parts or ((span.start, span.end),)]


def holds(statement: Statement, gold: Sequence[Sequence[str]]) -> bool:
    said = " ".join(normal(statement.text))
    return any(" ".join(normal(part)) in said for way in gold for part in way)


def fit(matrices: Sequence[Floats], gains: Sequence[Floats], ridge: float) -> Floats:
    """Fits weights under which the right rows are most likely: softmax over each matrix's rows (Adam, full batch)."""
    every = np.vstack(matrices).astype(np.float32)
    right = np.concatenate(list(gains)).astype(np.float32)
    lengths = np.array([len(matrix) for matrix in matrices])
    starts = np.concatenate(([0], np.cumsum(lengths)[:-1]))
    weights = np.zeros(every.shape[1])
    first, second = np.zeros_like(weights), np.zeros_like(weights)
    for step in range(1, STEPS + 1):
        scores = every @ weights.astype(np.float32)
        share = np.exp(scores - np.repeat(np.maximum.reduceat(scores, starts), lengths))
        share /= np.repeat(np.add.reduceat(share, starts), lengths)
        wanted = share * right
        wanted /= np.repeat(np.add.reduceat(wanted, starts), lengths)
        gradient = every.T @ (share - wanted) / len(matrices) + ridge * weights
        first, second = 0.9 * first + 0.1 * gradient, 0.999 * second + 0.001 * gradient**2
        rate = 0.08 if step < STEPS * 0.7 else 0.02
        weights -= rate * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8)
    return weights


def logistic(matrix: Floats, right: Floats, ridge: float) -> Floats:
    """Fits by Newton's method; the first column is the constant and is not penalised."""
    weights = np.zeros(matrix.shape[1])
    held = np.full(matrix.shape[1], ridge)
    held[0] = 1e-6
    for _ in range(30):
        share = 1 / (1 + np.exp(-matrix @ weights))
        hessian = matrix.T @ (matrix * (share * (1 - share))[:, None]) + np.diag(held)
        weights += np.linalg.solve(hessian, matrix.T @ (right - share) - held * weights)
    return weights


_VALUES = frozenset({"percent", "amount", "figure", "count", "duration", "frequency", "date"})
_LONG = 7


def is_noisy(row: Row) -> bool:
    """Returns whether a figure or date is asked for but the gold answer is a whole sentence."""
    return row.question.language == "en" and row.question.main in _VALUES and len(normal(row.gold[0][0])) > _LONG


@dataclass
class Spans:
    """The spans of a row's best sentences with their features and gains."""

    row: Row
    compared: SpanFeatures
    gains: Floats


def spans_with_gains(row: Row, sentence: Floats) -> Spans:
    shares = score_sentences(row.found, sentence)
    compared = compare(row.question, row.found, row.weights, shares)
    gains = [gain(parts_of(row.found[place], span), row.gold) if row.gold else 0.0 for place, span in compared.places]
    return Spans(row, compared, np.array(gains))


def fit_spans(rows: Sequence[Spans]) -> Floats:
    useful = [each for each in rows if each.gains.max(initial=0.0) > 0.05 and not is_noisy(each.row)]
    useful = useful[:: max(1, len(useful) // MOST_ROWS)]
    return fit([each.compared.matrix for each in useful], [each.gains + 1e-6 for each in useful], SPAN_RIDGE)


def fit_sentences(rows: Sequence[Row]) -> Floats:
    matrices, rights = [], []
    for row in rows:
        right = np.array([float(holds(each, row.gold)) for each in row.found]) if row.gold else np.zeros(0)
        if right.any():
            matrices.append(witnesses_of(row.found))
            rights.append(right)
    return fit(matrices, rights, SENTENCE_RIDGE)


async def set_meanings(rows: Sequence[Row], sentence: Floats, cache: Path | None) -> None:
    """Computes embeddings of the sentences that keyword search ranks highest, as answering does."""
    with TemporaryDirectory() as home:
        settings = Settings(_env_file=None, home=Path(home))  # type: ignore[call-arg]
        embeddings = KeptEmbeddings(build_embeddings(settings), cache)
        strength = embeddings.identity.calibration.strength
        for row in rows:
            if not row.found:
                continue
            score_sentences(row.found, sentence)
            best = sorted(row.found, key=lambda each: -each.score)[:EMBEDDED]
            query = await embeddings.embed_query(row.question.text)
            vectors = await embeddings.embed_passages([each.text[:LONGEST] for each in best])
            for each, cosine in zip(best, (vectors @ query).tolist(), strict=True):
                each.witnesses["meaning"] = strength(cosine)
        embeddings.save()


CLOSE = 0.6
"""Minimum F1 of a text answer that counts as right, even with a few more or fewer words than the gold answer."""


def is_exact(row: Row, ranked: RankedSpan) -> bool:
    """Returns whether the words match exactly, as the paper counts; if the text does not answer, no answer is right."""
    return bool(row.gold) and exact(parts_of(ranked.statement, ranked.span), row.gold)


def is_right(row: Row, ranked: RankedSpan) -> bool:
    """English: figures and dates must match exactly, other words nearly. Hebrew: the sentence has the answer."""
    if not row.gold or is_exact(row, ranked):
        return bool(row.gold)
    if row.question.language == "he":
        return holds(ranked.statement, row.gold)
    said = [word for part in parts_of(ranked.statement, ranked.span) for word in normal(part)]
    close = max(f1(said, [word for part in way for word in normal(part)]) for way in row.gold)
    if ranked.span.value is not None:
        # If a figure is asked for but the gold answer is a whole sentence, the figure in that sentence is the answer.
        return is_noisy(row) and holds(ranked.statement, row.gold)
    return close >= CLOSE or (ranked.within < 0.5 and holds(ranked.statement, row.gold))


def fit_sureness(rows: Sequence[Row], sentence: Floats) -> tuple[Floats, Floats, Floats]:
    """Fits span, confidence and exactness weights; spans are chosen by other groups' weights, to avoid overfitting."""
    every = [spans_with_gains(row, sentence) for row in rows if row.found]
    groups = sorted({row.group for row in rows})
    fold_of = {group: place % FOLDS for place, group in enumerate(groups)}
    matrix, right, very = [], [], []
    for part in range(FOLDS):
        span = fit_spans([each for each in every if fold_of[each.row.group] != part])
        for each in every:
            if fold_of[each.row.group] == part and (ranked := each.compared.ranked(span)):
                matrix.append([1.0, *(ranked[0].reasons[name] for name in REASONS)])
                right.append(float(is_right(each.row, ranked[0])))
                very.append(float(is_exact(each.row, ranked[0])))
    sure = logistic(np.array(matrix), np.array(right), SURE_RIDGE)
    return fit_spans(every), sure, logistic(np.array(matrix), np.array(very), SURE_RIDGE)


def read_all(rows: Sequence[Row]) -> None:
    for row in rows:
        row.found, row.weights = statements(row.question, row.passages)


def fit_language(rows: Sequence[Row], cache: Path | None) -> tuple[Weights, FittedWeights]:
    tuned = [row for row in rows if row.tuned]
    read_all(rows)
    by_words = fit_sentences(tuned)
    _, sure, _ = fit_sureness(tuned, by_words)
    asyncio.run(set_meanings(rows, by_words, cache))
    by_meaning = fit_sentences(tuned)
    span, sure_by_meaning, very = fit_sureness(tuned, by_meaning)
    weights = Weights(by_words, by_meaning, span, sure, sure_by_meaning, very)
    reasons = ("", *REASONS)
    return weights, FittedWeights(
        sentence=_named(WITNESSES, by_words),
        sentence_by_meaning=_named(WITNESSES, by_meaning),
        span=_named(NAMES, span),
        sure=_named(reasons, sure),
        sure_by_meaning=_named(reasons, sure_by_meaning),
        exact=_named(reasons, very),
    )


def _named(names: Sequence[str], weights: Floats) -> dict[str, float]:
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True) if abs(weight) >= 0.0005}


def report(part: str, rows: Sequence[Row], weights: Weights, by_meaning: bool) -> None:
    em, words, held, sure, exactly, rights, unanswered = [], [], [], [], [], [], []
    for row in rows:
        if not by_meaning:
            for each in row.found:
                each.witnesses["meaning"] = 0.0
        ranked = rank(row.question, row.found, row.weights, weights, by_meaning)
        chance = sureness(ranked[0].reasons, weights.sure_by_meaning if by_meaning else weights.sure) if ranked else 0.0
        if not row.gold:
            unanswered.append(chance)
            continue
        sure.append(chance)
        exactly.append(sureness(ranked[0].reasons, weights.exact) if ranked else 0.0)
        parts = parts_of(ranked[0].statement, ranked[0].span) if ranked else []
        said = [word for each in parts for word in normal(each)]
        em.append(bool(ranked) and exact(parts, row.gold))
        words.append(max(f1(said, [word for each in way for word in normal(each)]) for way in row.gold))
        held.append(bool(ranked) and holds(ranked[0].statement, row.gold))
        rights.append(bool(ranked) and is_right(row, ranked[0]))
    shown = [(right, chance, very) for right, chance, very in zip(rights, sure, exactly, strict=True)]
    high = [right for right, chance, very in shown if chance >= 0.9 and very >= 0.6]
    doubtless = [is_it for is_it, (_, chance, very) in zip(em, shown, strict=True) if min(chance, very) >= 0.6]
    said_first = [right for right, chance, _ in shown if chance >= 0.3]
    print(
        f"{part} ({len(em)}): exact {np.mean(em):.3f}, F1 {np.mean(words):.3f}, sentence holds it "
        f"{np.mean(held):.3f}, right {np.mean(rights):.3f}; high {len(high)} right {np.mean(high or [0]):.2f}; "
        f"without doubt {len(doubtless)} exact {np.mean(doubtless or [0]):.2f}; "
        f"from .3 on {len(said_first)} right {np.mean(said_first or [0]):.2f}; "
        f"AUC over {len(unanswered)} unanswered {auc(sure, unanswered):.3f}"
    )


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tatqa", type=Path, required=True, help="dev.json of TAT-QA")
    parser.add_argument("--heq", type=Path, required=True, help="folder with val_v1.1.json")
    parser.add_argument("--out", type=Path, help="write the weights to this file")
    parser.add_argument("--cache", type=Path, help="keep embeddings in this .npz file between runs")
    parser.add_argument("--only", choices=("en", "he"), help="only this language; the other stays in the file")
    parser.add_argument("--every", type=int, default=1, help="use only every Nth question, for a faster run")
    parser.add_argument("--score", action="store_true", help="fit nothing: report the figures of the present weights")
    parser.add_argument("--held-out", action="store_true", help="report the halves that were not tuned on")
    options = parser.parse_args(arguments)
    for language in LANGUAGES if options.only is None else (options.only,):
        read = tatqa(options.tatqa) if language == "en" else heq(options.heq)
        rows = [row for row in islice(read, 0, None, options.every) if row.tuned or options.held_out]
        if options.score:
            weights = fitted_weights(language)
            read_all(rows)
            asyncio.run(set_meanings(rows, weights.sentence, options.cache))
        else:
            weights, fitted = fit_language(rows, options.cache)
        if options.out and not options.score:
            known = all_fitted(options.out.read_text("utf-8")) if options.out.exists() else {}
            options.out.write_text(written({**known, language: fitted}), encoding="utf-8")
        for part, tuned in (("tuned on", True), ("held out", False)):
            if tuned or options.held_out:
                for by_meaning in (True, False):
                    name = f"{language} {part}{', with embeddings' if by_meaning else ', keywords only'}"
                    report(name, [row for row in rows if row.tuned == tuned], weights, by_meaning)
    return 0


if __name__ == "__main__":
    sys.exit(main())
