"""Turns a tool's results into numbered sources, cited like documents."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from urllib.parse import urlsplit

from core.batches import batches
from core.events import Passage, Source
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.records.source_table import SourceTable
from core.tools.records import ToolOutcome
from core.tools.tool import FoundTable, FoundText
from core.tools.web.pages import is_public
from core.words import Words

LONGEST_PASSAGE = 2_000
"""Maximum characters of one passage."""
MOST_PASSAGES = 24
MOST_ROWS = 500
"""Maximum rows of one table that are stored with an answer."""
ROWS_A_PASSAGE = 25
CELL = " | "
"""Separator between the cells of a row, as in document passages."""


def sources_of(outcome: ToolOutcome, first: int, question: str) -> list[Source]:
    """Returns a result's texts, tables and passages as sources, numbered from ``first``.

    A result that is only text is its own source; memory results and lists are not cited.
    """
    result = outcome.result
    if result is None or not result.found:
        return []
    found = [
        *(each.model_copy(update={"tool": outcome.title}) for each in result.sources),
        *(_of_table(outcome, each) for each in result.tables),
        *(_of_text(outcome, each, place, question) for place, each in enumerate(result.texts)),
    ]
    if not found and not result.parts and result.text.strip():
        alone = FoundText(title=outcome.title.en, text=result.text)
        found = [_of_text(outcome, alone, 0, question)]
    return [each.model_copy(update={"number": number}) for number, each in enumerate(found, start=first)]


def source_text(source: Source) -> str:
    """Returns a source as text for a model, with its citation number."""
    return "\n".join([heading(source), *texts_of(source)])


def heading(source: Source) -> str:
    where = ", ".join(part for part in (source.url, source.passages[0].section or "") if part)
    return f"[{source.number}] {source.title}{f' ({where})' if where else ''}"


def texts_of(source: Source) -> list[str]:
    """Returns the source's passages, most relevant to the question first."""
    return [each.text for each in sorted(source.passages, key=lambda each: (-each.score, each.position))]


def identifier(text: str, kind: str) -> str:
    """Returns a stable id: the same text always has the same id."""
    return f"{kind}_{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _of_text(outcome: ToolOutcome, text: FoundText, place: int, question: str) -> Source:
    url = text.url if text.url and is_public(text.url) else ""
    kind = "web" if url else "tool"
    id = identifier(url or f"{outcome.tool}/{text.title}/{text.text}", kind)
    strength = _rank_score(place)
    pieces = _pieces(text.text)[:MOST_PASSAGES]
    shares = _shares(pieces, question)
    return Source(
        kind="web" if url else "tool",
        number=0,
        document_id=id,
        title=text.title,
        filename=(urlsplit(url).hostname or "") if url else outcome.tool,
        url=url,
        score=strength,
        tool=outcome.title,
        passages=[
            Passage(
                item_id=id if len(pieces) == 1 else identifier(f"{id}/{number}", kind),
                text=piece,
                section=text.date or text.section or None,
                position=number,
                score=strength * (0.5 + 0.5 * share),
            )
            for number, (piece, share) in enumerate(zip(pieces, shares, strict=True))
        ],
    )


def _of_table(outcome: ToolOutcome, table: FoundTable) -> Source:
    url = table.url if table.url and is_public(table.url) else ""
    rows = table.rows[:MOST_ROWS]
    id = identifier(f"{outcome.tool}/{table.title}/{table.columns}/{rows}", "tool")
    lines = [CELL.join("" if cell is None else str(cell) for cell in row) for row in rows]
    head = CELL.join(table.columns)
    groups = list(batches(lines, ROWS_A_PASSAGE))
    return Source(
        kind="tool",
        number=0,
        document_id=id,
        title=table.title,
        filename=outcome.tool,
        url=url,
        score=_rank_score(0),
        tool=outcome.title,
        table=SourceTable(
            columns=table.columns, rows=rows, total=table.total, changed=table.changed, roles=[*table.roles]
        ),
        passages=[
            Passage(
                item_id=identifier(f"{id}/{number}", "tool"),
                text="\n".join([head, *group]),
                section=table.changed or None,
                position=number,
                score=_rank_score(number),
            )
            for number, group in enumerate(groups[:MOST_PASSAGES])
        ],
    )


def _pieces(text: str) -> list[str]:
    """Splits text into passages: joins short paragraphs, and cuts longer ones between lines or words."""
    pieces: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        for part in _cut(paragraph.strip()):
            if pieces and len(pieces[-1]) + len(part) < LONGEST_PASSAGE:
                pieces[-1] = f"{pieces[-1]}\n\n{part}"
            elif part:
                pieces.append(part)
    return pieces or [text.strip()]


def _cut(paragraph: str) -> list[str]:
    parts = []
    while len(paragraph) > LONGEST_PASSAGE:
        end = max(paragraph.rfind(mark, 0, LONGEST_PASSAGE) for mark in ("\n", ". ", " "))
        end = end + 1 if end > LONGEST_PASSAGE // 2 else LONGEST_PASSAGE
        parts.append(paragraph[:end].strip())
        paragraph = paragraph[end:].strip()
    return [*parts, paragraph]


def _shares(pieces: Sequence[str], question: str) -> list[float]:
    """Returns for each piece the share of the question's terms that it contains."""
    terms = content_terms(question)
    if not terms or len(pieces) == 1:
        return [1.0] * len(pieces)
    return [sum(covers(term, folded) for term in terms) / len(terms) for folded in map(fold, pieces)]


def _rank_score(place: int) -> float:
    """Converts a rank into a score, since tools return ranked results without scores. The first result gets the score
    of a moderately good document passage."""
    return 0.6 / (1 + 0.1 * place)


def titles_of(sources: Sequence[Source]) -> list[Words]:
    """Returns the names of the tools that found the sources, in order, without duplicates."""
    return list({each.tool.en: each.tool for each in sources if each.tool is not None}.values())
