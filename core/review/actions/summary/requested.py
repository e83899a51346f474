"""Summarizes without a model as the user asked: a number of points or sentences, or only one subject."""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Iterator, Sequence

from core.events import Quote
from core.language.normalisation import fold
from core.models.embeddings import Embeddings
from core.review.actions.pages import not_found
from core.review.actions.records import Statement, plain
from core.review.actions.request import Form, Request
from core.review.actions.subject import Subject
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.extractive import ExtractiveSummary, extractive_summary
from core.review.actions.summary.salience import Salience, has_verb, is_row, most_salient
from core.review.actions.summary.sentences import stands_alone
from core.review.actions.summary.shapes import MOST_LINES, is_apart, is_boilerplate, shape_of
from core.search.documents.context import without_markers
from core.words import Language

USUAL_POINTS = 8
"""Maximum number of points on a subject if the request states no number."""
_CELL = re.compile(r"\d[\d,.]{2,}\d")
"""A figure that is long enough to identify a table row."""
_FIGURES = 0.4
"""Share of the points that are figures of the financial statements."""


async def requested_summary(
    matter: SummaryDocument, request: Request, language: Language, embeddings: Embeddings | None
) -> ExtractiveSummary | None:
    """Returns the summary that ``request`` asks for, or ``None`` if it asks for nothing particular.

    A subject that the document does not mention is reported as not found if the request is strict about it; otherwise
    the word is not treated as a subject.
    """
    if request.is_plain:
        return None
    own = [each for each in matter.statements() if stands_alone(each) and not is_apart(matter.path(each))]
    if request.subject:
        found = await asyncio.to_thread(_on_subjects, matter, own or matter.statements(), request.subjects)
        if found:
            return _rendered(_best(found, request.count or USUAL_POINTS), request, language)
        if request.strict:
            return ExtractiveSummary([not_found(request.subject, [matter.source.title], language)])
        if request.count is None:
            return None
    return await _counted(matter, own, request, language, embeddings)


async def _counted(
    matter: SummaryDocument,
    own: Sequence[Statement],
    request: Request,
    language: Language,
    embeddings: Embeddings | None,
) -> ExtractiveSummary:
    """Returns as many points as requested: the first figures, and the sentences that say most about the document."""
    count = request.count or USUAL_POINTS
    usual = await extractive_summary(matter, language, "balanced", MOST_LINES, embeddings)
    blocks = [[line[2:] for line in block.split("\n") if line.startswith("- ")] for block in usual.blocks]
    chosen = await asyncio.to_thread(_chosen, matter, own, usual.quotes, blocks, request.form, count)
    kept = [each if isinstance(each, str) else each.cited(language) for each in chosen]
    lines = [each for each in chosen if isinstance(each, str)]
    quotes = [quote for quote in usual.quotes if any(_is_quoted(quote, line) for line in lines)]
    quotes += [each.as_quote() for each in chosen if isinstance(each, Statement)]
    return ExtractiveSummary([_laid_out(kept, request)], _distinct(quotes) or usual.quotes[:count])


def _chosen(
    matter: SummaryDocument,
    own: Sequence[Statement],
    quotes: Sequence[Quote],
    blocks: Sequence[Sequence[str]],
    form: Form,
    count: int,
) -> list[Statement | str]:
    """Returns lines with figures of the usual summary (``quotes``, ``blocks``), and statements; in reading order, but
    what the document or its organisation is comes first."""
    texts = [(each.order, plain(each.text)) for each in matter.statements()]
    placed = [(place, line) for place, block in enumerate(blocks) for line in block]
    parts = {order: place for place, line in placed for order, text in texts if line.startswith(text)}
    lines = [line for _, line in placed if not any(line.startswith(text) for _, text in texts)]
    figures = [line for line in lines if any(_is_quoted(quote, line) for quote in quotes)]
    figures = figures[: math.ceil(count * _FIGURES)] if form == "points" else []
    sentences: list[Statement] = []
    for pool in (own, *_looser(matter, own)):
        scores = Salience(matter, pool, parts if shape_of(matter.kind) else ())
        known = [*figures, *(each.text for each in sentences)]
        left = count - len(known)
        sentences += (
            most_salient(scores, pool, left, lambda each: parts.get(each.order, matter.path(each)[:1]), known)
            if left > 0
            else []
        )
    sentences.sort(key=lambda each: each.order)
    first = [each for each in sentences if figures and parts.get(each.order) == 0]
    return [*first, *figures, *(each for each in sentences if each not in first)]


def _looser(matter: SummaryDocument, own: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Yields other statements, for documents that have too few good ones: those with a verb first, then any."""
    known = {each.order for each in own}
    rest = [
        each
        for each in matter.statements()
        if each.order not in known and not is_apart(matter.path(each)) and not is_boilerplate(each.text)
    ]
    stated = [each for each in rest if has_verb(each.text) and not is_row(each)]
    yield stated
    yield [each for each in rest if each not in stated]


def _is_quoted(quote: Quote, line: str) -> bool:
    """Returns whether a line gives a figure of the quoted table row."""
    return any(cell in line for cell in _CELL.findall(quote.text))


def _on_subjects(
    matter: SummaryDocument, own: Sequence[Statement], subjects: Sequence[str]
) -> list[tuple[float, Statement]]:
    """Returns the statements about one of the subjects with their scores: those under a heading that names it score
    highest."""
    found = []
    for sought in map(Subject, subjects):
        for each in own:
            headed = any(sought.coverage(heading) == 1.0 for heading in matter.path(each))
            score = sought.coverage(without_markers(each.text)) + 0.5 * headed
            if headed or sought.is_in(each.text):
                found.append((score, each))
    return found


def _best(found: Sequence[tuple[float, Statement]], count: int) -> list[Statement]:
    """Returns the statements with the highest scores in reading order, without repetitions."""
    distinct: dict[str, tuple[float, Statement]] = {}
    for score, statement in found:
        distinct.setdefault(fold(statement.text), (score, statement))
    ranked = sorted(distinct.values(), key=lambda each: (-each[0], each[1].order))[:count]
    return sorted((statement for _, statement in ranked), key=lambda each: each.order)


def _rendered(found: Sequence[Statement], request: Request, language: Language) -> ExtractiveSummary:
    lines = [each.cited(language) for each in found]
    return ExtractiveSummary([_laid_out(lines, request)], [each.as_quote() for each in found])


def _laid_out(lines: Sequence[str], request: Request) -> str:
    if request.form == "sentences":
        return " ".join(lines)
    return "\n".join(f"- {line}" for line in lines)


def _distinct(quotes: Sequence[Quote]) -> list[Quote]:
    return list({(each.item_id, each.text): each for each in quotes}.values())
