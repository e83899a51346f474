"""Compares whole documents: answers the user's focus, then lists differences, agreements and points found in only one.

Without a model, it reports only differences and agreements that the text supports. A model also writes themes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import ParamSpec, TypeVar

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from core.errors import PalimpsestError, fail
from core.events import Quote, Source
from core.figures.records import TableEvidence
from core.language.tokens import count_tokens
from core.messages import message
from core.models.by_rule import MALFORMED, failed
from core.models.embeddings import Embeddings
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.resilience.worker_processes import WorkerProcesses
from core.review.actions.adjudication import Adjudication, WholeDocuments, adjudicate
from core.review.actions.alignment import align
from core.review.actions.comparable_statements import comparable_statements
from core.review.actions.comparison import Cell, Comparison, Finding, Row, render
from core.review.actions.figure_comparison import statement_lines
from core.review.actions.records import Progress, no_progress
from core.review.actions.ruled_comparison import RuledComparison, by_rule, distinct
from core.review.actions.statement_similarity import SimilarityMatrix, Vectors
from core.review.actions.summary.sections import extract
from core.review.actions.themes import MOST_THEMES
from core.search.documents.context import without_markers
from core.words import Language

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

CONTEXT_TOKENS = 8_000
LONG = 100_000
"""Total characters of the documents from which they are compared in a worker process."""
MOST: dict[Length, int] = {"concise": 6, "balanced": 12, "detailed": 12}
"""Maximum number of rows on the screen if no model writes the comparison; the rest is in the downloadable table."""


class _Cell(BaseModel):
    document: int
    text: str = ""


class _Theme(BaseModel):
    theme: str = Field(min_length=1)
    cells: list[_Cell]


class _Says(BaseModel):
    document: int
    text: str = Field(min_length=1)


class _Compared(BaseModel):
    themes: list[_Theme] = Field(min_length=1)
    agreements: list[list[_Says]] = []
    differences: list[list[_Says]] = []


@dataclass
class Comparer:
    """Compares documents; ``model`` may be missing."""

    prompts: Prompts
    model: TextModel | None = None
    length: Length = "balanced"
    embeddings: Embeddings | None = None
    workers: WorkerProcesses | None = None
    """Worker processes for long documents; without them, a thread is used."""

    def __post_init__(self) -> None:
        self._most = MOST[self.length]
        self._meant: dict[str, NDArray[np.float32]] = {}

    async def compare(
        self,
        sources: Sequence[Source],
        language: Language,
        focus: str = "",
        progress: Progress = no_progress,
        tables: Sequence[TableEvidence] = (),
    ) -> Comparison:
        """Compares ``sources`` (whole documents) with all their ``tables``; ``focus`` is the topic that the user asked
        about, if any.

        Raises:
            PalimpsestError: there are fewer than two documents.
        """
        if len(sources) < 2:
            raise fail("validation", "graph.compare.too_few")
        progress(0, 3, _FINDING)
        is_long = sum(len(passage.text) for source in sources for passage in source.passages) >= LONG
        run = self._in_worker if self.workers and is_long else asyncio.to_thread
        matrices = await run(similarity_of_pairs, sources)
        progress(1, 3, _COMPARING)
        meanings = [await self._meanings(each.texts()) for each in matrices]
        ruled, quotes = await run(ruled_comparison, sources, matrices, meanings, tables, focus, language, self._most)
        progress(2, 3, _WRITING)
        result = await self._model_themes(self.model, sources, focus, ruled, quotes) if self.model else ruled
        progress(3, 3, _WRITING)
        return result

    async def _in_worker(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        assert self.workers is not None
        return await self.workers.run(_NAME, function, *args, **kwargs)

    async def _meanings(self, texts: Sequence[str]) -> Vectors | None:
        """Returns embeddings, or ``None`` if they are not available; then only words measure similarity."""
        if self.embeddings is None or not texts:
            return None
        try:
            missing = [text for text in texts if text not in self._meant]
            self._meant.update(zip(missing, await self.embeddings.embed_passages(missing), strict=True))
        except Exception as error:
            log.info("meanings were not compared: %s", type(error).__name__)
            return None
        return {text: self._meant[text] for text in texts}

    async def _model_themes(
        self, model: TextModel, sources: Sequence[Source], focus: str, ruled: Comparison, figures: Sequence[Quote]
    ) -> Comparison:
        """Returns the model's themes, and those of its "same" and "different" findings that the documents and the rules
        support."""
        language = ruled.language
        system = self.prompts.render("compare", language=language, focus=focus, most=MOST_THEMES)
        try:
            answer, usage = await ask_json(model, Prompt(system, self._context(sources, ruled)), _Compared)
        except PalimpsestError as error:
            ruled.notices.append(failed(error))
            return ruled
        if answer is None:
            ruled.notices.append(MALFORMED)
            ruled.usage = usage
            return ruled
        known = [source.number for source in sources]
        documents = WholeDocuments(sources)
        result = Comparison("", language, list(sources), generated=True, usage=usage)
        result.rows = await asyncio.to_thread(_theme_rows, answer, documents, known)
        result.figures, result.changed = ruled.figures, ruled.changed
        findings = _findings(answer.agreements, known), _findings(answer.differences, known)
        found = await asyncio.to_thread(adjudicate, *findings, documents, ruled)
        self._add_findings(result, found)
        result.quotes = distinct([*figures, *found.quotes])
        result.text = render(result)
        return result

    def _add_findings(self, result: Comparison, found: Adjudication) -> None:
        """Adds the model's checked findings. Only as many as fit on one screen are shown; the rest is in the
        downloadable table."""
        result.differences, result.agreements, result.undecided = found.differences, found.agreements, found.undecided
        differing = min(len(found.differences), max(self._most // 2, self._most - len(found.agreements)))
        result.shown = (differing, min(len(found.agreements), self._most - differing), 0)
        if found.left_out:
            result.notices.append(_LEFT_OUT)

    def _context(self, sources: Sequence[Source], ruled: Comparison) -> str:
        """Returns the whole documents for the prompt, or their most important sentences if they do not fit."""
        whole = [(source, "\n\n".join(without_markers(p.text) for p in source.passages)) for source in sources]
        if sum(count_tokens(text) for _, text in whole) > CONTEXT_TOKENS:
            share = CONTEXT_TOKENS / len(sources)
            whole = [(source, _shortened(source, share, ruled)) for source in sources]
        return "\n\n".join(
            f"BEGIN DOCUMENT {source.number} ({source.title})\n{text}\nEND DOCUMENT {source.number}"
            for source, text in whole
        )


def similarity_of_pairs(sources: Sequence[Source]) -> list[SimilarityMatrix]:
    """Returns the word similarity of the statements of every two ``sources``."""
    statements = [comparable_statements(source) for source in sources]
    return [SimilarityMatrix(one, other) for one, other in combinations(statements, 2)]


def ruled_comparison(
    sources: Sequence[Source],
    matrices: Sequence[SimilarityMatrix],
    meanings: Sequence[Vectors | None],
    tables: Sequence[TableEvidence],
    focus: str,
    language: Language,
    most: int,
) -> tuple[Comparison, Sequence[Quote]]:
    """Returns the rule-based comparison and the quotes for its figures; ``matrices`` and ``meanings`` hold one entry
    for each pair of ``sources``."""
    found = [
        RuledComparison(one.number, other.number, align(matrix, meant))
        for (one, other), matrix, meant in zip(combinations(sources, 2), matrices, meanings, strict=True)
    ]
    figures = statement_lines(sources, tables, focus, language)
    return by_rule(sources, found, figures, language, focus, most), figures.quotes


def _shortened(source: Source, most_tokens: float, ruled: Comparison) -> str:
    tokens = sum(count_tokens(passage.text) for passage in source.passages)
    kept = [each.text for _, group in extract(source, min(1.0, 0.8 * most_tokens / max(1, tokens))) for each in group]
    texts = [
        text for f in (*ruled.differences, *ruled.agreements) for number, text in f.says if number == source.number
    ]
    lines: list[str] = []
    used = 0
    for line in dict.fromkeys([*texts, *kept]):
        used += count_tokens(line)
        if used > most_tokens:
            break
        lines.append(without_markers(line))
    return "\n".join(lines)


def _theme_rows(answer: _Compared, documents: WholeDocuments, known: Sequence[int]) -> list[Row]:
    """Returns the model's themes; a cell that its document contradicts is replaced by the contradicting sentence."""
    rows = []
    for each in answer.themes[:MOST_THEMES]:
        cells = {cell.document: cell.text for cell in reversed(each.cells)}
        rows.append(Row(each.theme, [Cell(n, documents.borne_or_quoted(n, cells.get(n, ""))) for n in known]))
    return [row for row in rows if any(cell.text.strip() for cell in row.cells)]


def _findings(findings: Sequence[Sequence[_Says]], known: Sequence[int]) -> list[Finding]:
    found = [[(each.document, each.text) for each in says if each.document in known] for says in findings]
    return [Finding(says) for says in found if says]


_NAME = message("graph.compare.name")
_LEFT_OUT = message("graph.compare.left_out")
_FINDING = message("graph.compare.finding")
_COMPARING = message("graph.compare.comparing")
_WRITING = message("graph.compare.writing")
