"""Summarizes without a model as the user asked: a number of points or sentences, or only one subject."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence

from core.events import Quote
from core.language.entities.facts import facts
from core.language.normalisation import fold
from core.models.embeddings import Embeddings
from core.review.actions.pages import not_found
from core.review.actions.records import Statement, plain
from core.review.actions.request import Request
from core.review.actions.subject import Subject
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.extractive import ExtractiveSummary, extractive_summary
from core.review.actions.summary.sections import extract
from core.review.actions.summary.sentences import stands_alone
from core.review.actions.summary.shapes import MOST_LINES, is_apart
from core.search.documents.context import without_markers
from core.words import Language

USUAL_POINTS = 8
"""Maximum number of points on a subject if the request states no number."""
_CELL = re.compile(r"\d[\d,.]{2,}\d")
"""A figure that is long enough to identify a table row."""
_SHARE = 0.5
"""Share of a document's characters from which the points may be chosen."""


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
        found = await asyncio.to_thread(_on_subject, matter, own or matter.statements(), request.subject)
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
    """Returns as many points as requested: figures first, then the sentences of the usual summary."""
    count = request.count or USUAL_POINTS
    usual = await extractive_summary(matter, language, "balanced", MOST_LINES, embeddings)
    blocks = [[line[2:] for line in block.split("\n") if line.startswith("- ")] for block in usual.blocks]
    if request.form == "sentences":
        texts = {each.text for each in own}
        blocks = [[line for line in block if any(text in line for text in texts)] for block in blocks]
    if sum(map(len, blocks)) < count:
        known = " ".join(line for block in blocks for line in block)
        more = await asyncio.to_thread(_important, matter, own, count)
        blocks.append([each.cited(language) for each in more if plain(each.text) not in known])
    kept = _from_each(blocks, count)
    quotes = [quote for quote in usual.quotes if any(_is_quoted(quote, line) for line in kept)]
    quotes += [each.as_quote() for each in own if any(plain(each.text) in line for line in kept)]
    return ExtractiveSummary([_laid_out(kept, request)], _distinct(quotes) or usual.quotes[:count])


def _from_each(blocks: Sequence[Sequence[str]], count: int) -> list[str]:
    """Returns ``count`` lines in their order: the first of each block, blocks with the most figures first, then the
    second of each, and so on. A line without a figure counts as one place later."""
    placed = [
        (rank + (not facts(line).numbers), -len(facts(block[0]).numbers), place, line)
        for place, block in enumerate(blocks)
        for rank, line in enumerate(block)
    ]
    chosen = sorted(placed)[:count]
    return [line for _, _, _, line in sorted(chosen, key=lambda each: (each[2], each[0]))]


def _is_quoted(quote: Quote, line: str) -> bool:
    """Returns whether a line is the quote, or gives a figure of the quoted table row."""
    return quote.text in line or any(cell in line for cell in _CELL.findall(quote.text))


def _important(matter: SummaryDocument, own: Sequence[Statement], count: int) -> list[Statement]:
    fitting = {each.order for each in own}
    found = extract(matter.source, _SHARE, None, False, lambda each: each.order in fitting, 3 * count)
    return [each for _, kept in found for each in kept]


def _on_subject(matter: SummaryDocument, own: Sequence[Statement], subject: str) -> list[tuple[float, Statement]]:
    """Returns the statements about the subject with their scores: those under a heading that names it score highest."""
    sought = Subject(subject)
    found = []
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
