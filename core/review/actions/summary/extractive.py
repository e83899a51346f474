"""Summarizes without a model: takes a document and a length; returns an opening line and parts in Markdown.

The document's kind decides the layout (which parts there are). If the kind has no layout, or the document contains
nothing for it, each section is summarized by its own sentences (``extracts``).
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from core.events import Quote
from core.language.normalisation import fold
from core.models.embeddings import Embeddings
from core.personality.rules import Length
from core.review.actions.records import Statement, plain
from core.review.actions.summary.centrality import Floats
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.figures import cited_line, figure_lines, rows_quoted
from core.review.actions.summary.opening import opening
from core.review.actions.summary.sections import SHARE, extract
from core.review.actions.summary.sentence_selection import ScoredSentence, SelectedPart, choose, shortlists
from core.review.actions.summary.sentences import is_run_together, stands_alone
from core.review.actions.summary.shapes import MOST_LINES, Part, Shape, is_apart, pattern, shape_of
from core.words import Language

SHARES: dict[Length, float] = {"concise": 0.08, "balanced": SHARE, "detailed": 0.35}
"""Share of the characters to keep, by length, for a document without a layout."""
EMBEDDED_AT_MOST = 80
"""Maximum number of statements compared by embeddings; more would take too long for the benefit."""
_CONCISE_LINES = 13
_LINES_OF_ALL = 40
_LEAST = 2
"""Minimum number of sentences or figures that a layout must yield; with fewer, the summary says too little."""


@dataclass(frozen=True)
class ExtractiveSummary:
    """A summary; ``blocks`` are Markdown paragraphs and lists; ``quotes`` are the document's texts behind them, in
    order."""

    blocks: list[str]
    quotes: list[Quote] = field(default_factory=list)


def lines_for(length: Length, documents: int) -> int:
    """Returns the maximum number of lines for each summary if several documents are summarized."""
    alone = _CONCISE_LINES if length == "concise" else MOST_LINES
    return max(_CONCISE_LINES, min(alone, _LINES_OF_ALL // max(1, documents)))


async def extractive_summary(
    matter: SummaryDocument, language: Language, length: Length, lines: int, embeddings: Embeddings | None
) -> ExtractiveSummary:
    """Summarizes a document; no blocks if it has no usable sentences."""
    shape = shape_of(matter.kind)
    summary = await _by_shape(matter, shape, language, length, lines, embeddings) if shape else None
    if summary is None:
        summary = await _by_sections(matter, language, length, lines, embeddings)
    first = opening(matter, language)
    return ExtractiveSummary([first, *summary.blocks] if first and summary.blocks else summary.blocks, summary.quotes)


async def _by_shape(
    matter: SummaryDocument, shape: Shape, language: Language, length: Length, lines: int, embeddings: Embeddings | None
) -> ExtractiveSummary | None:
    most = _shares(shape, lines)
    listed = await asyncio.to_thread(shortlists, matter, shape)
    embedded = await _part_likeness(listed, embeddings)
    limits = [limit for part, limit in zip(shape.parts, most, strict=True) if not part.figures]
    found = choose(listed, limits, embedded)
    if length == "concise":
        found = _at_most(found, len(matter.statements()) // 2)
    chosen = {each.part.label.en: each for each in found}
    blocks: list[str] = []
    quotes: list[Quote] = []
    evident = 0
    for part, limit in zip(shape.parts, most, strict=True):
        figures = await asyncio.to_thread(figure_lines, matter, part.figures, limit, language)
        lines_of_figures = [cited_line(each, matter.source, language) for each in figures]
        quotes += [quote for each in figures for quote in rows_quoted(each, matter.source)]
        evident += len(lines_of_figures)
        own: SelectedPart | None = chosen.get(part.label.en)
        if own:
            lines_of_figures = [each.cited(language) for each in own.statements]
            quotes += [each.as_quote() for each in own.statements]
            evident += len(lines_of_figures)
        if part.headings and (named := _form_headings(matter, part)):
            lines_of_figures = [named, *lines_of_figures[: max(0, limit - 1)]]
            evident += _LEAST
        if lines_of_figures:
            blocks.append(f"**{part.label.to(language)}**\n\n" + "\n".join(f"- {each}" for each in lines_of_figures))
    return ExtractiveSummary(blocks, quotes) if evident >= _LEAST else None


def _at_most(found: Sequence[SelectedPart], sentences: int) -> list[SelectedPart]:
    """Returns the first parts with at most ``sentences`` sentences in total, so that a concise summary of a short
    document is shorter."""
    kept: list[SelectedPart] = []
    for each in found:
        left = max(1, sentences) - sum(len(other.statements) for other in kept)
        if left > 0:
            kept.append(SelectedPart(each.part, each.statements[:left]))
    return kept


def _form_headings(matter: SummaryDocument, part: Part) -> str:
    """Returns the document's own headings that match the part, as one line."""
    paths = [matter.path(each) for each in matter.statements()]
    named = dict.fromkeys(
        plain(heading) for path in paths for heading in path if pattern(part.headings).match(fold(heading))
    )
    return f"{' · '.join(named)} [{matter.source.number}]" if named else ""


def _shares(shape: Shape, lines: int) -> list[int]:
    """Divides the number of ``lines`` among the parts; if there are too few, first shortens the longest parts, then the
    last ones."""
    most = [part.most for part in shape.parts]
    while 1 + sum(each + 1 for each in most if each) > lines:
        longest = max(most)
        place = len(most) - 1 - most[::-1].index(longest)
        if longest == 1:
            place = max(number for number, each in enumerate(most) if each)
        most[place] -= 1
    return most


async def _by_sections(
    matter: SummaryDocument, language: Language, length: Length, lines: int, embeddings: Embeddings | None
) -> ExtractiveSummary:
    all_statements = matter.statements()
    fit = partial(_can_be_told, matter) if any(_can_be_told(matter, each) for each in all_statements) else _is_clean
    if not any(map(fit, all_statements)):
        return ExtractiveSummary([])
    vectors = await _vectors([each.text for each in all_statements], embeddings)
    found = await asyncio.to_thread(
        extract, matter.source, SHARES[length], vectors, length != "concise", fit, lines - 1
    )
    blocks = [
        (f"**{plain(section.title).lstrip('# ')}**\n\n" if section.title else "")
        + "\n".join(f"- {each.cited(language)}" for each in kept)
        for section, kept in found
    ]
    return ExtractiveSummary(blocks, [each.as_quote() for _, kept in found for each in kept])


def _can_be_told(matter: SummaryDocument, statement: Statement) -> bool:
    return stands_alone(statement) and not is_apart(matter.path(statement))


def _is_clean(statement: Statement) -> bool:
    """Returns whether a statement may be used if the document has no self-contained sentence: it is neither a table row
    nor a list on one line."""
    return not is_run_together(statement.text)


async def _vectors(texts: Sequence[str], embeddings: Embeddings | None) -> Floats | None:
    """Returns the statements' embeddings, unless there are too many; without embeddings, word similarity is nearly as
    good."""
    if embeddings is None or not 2 < len(texts) <= EMBEDDED_AT_MOST:
        return None
    try:
        return np.asarray(await embeddings.embed_passages(texts), dtype=np.float64)
    except Exception:
        return None


async def _part_likeness(
    listed: Sequence[tuple[Part, Sequence[ScoredSentence]]], embeddings: Embeddings | None
) -> dict[int, Floats] | None:
    """Returns each part's sentence similarities (0..1) by embeddings; none if embeddings are not available."""
    texts = list(dict.fromkeys(each.statement.text for _, scored in listed for each in scored))
    vectors = await _vectors(texts, embeddings)
    if vectors is None or embeddings is None:
        return None
    place = {text: number for number, text in enumerate(texts)}
    strength = embeddings.identity.calibration.strength
    found = {}
    try:
        for number, (part, scored) in enumerate(listed):
            if part.meaning and scored:
                query = np.asarray(await embeddings.embed_query(part.meaning), dtype=np.float64)
                rows = vectors[[place[each.statement.text] for each in scored]]
                found[number] = np.array([strength(cosine) for cosine in (rows @ query).tolist()])
    except Exception:
        return None
    return found
