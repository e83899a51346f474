"""Compares whole documents: answers the user's focus, then lists differences, agreements and points found in only one.

Without a model, it reports only differences and agreements that the text supports. A model also writes themes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
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
from core.models.capabilities import UNKNOWN_WINDOW
from core.models.embeddings import Embeddings
from core.models.structured import Prompt, TextModel, ask_json
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.resilience.worker_processes import WorkerProcesses
from core.review.actions.adjudication import Adjudication, WholeDocuments, adjudicate
from core.review.actions.alignment import align
from core.review.actions.comparable_statements import comparable_statements
from core.review.actions.comparison import Cell, Comparison, Finding, Row, render
from core.review.actions.figure_comparison import StatementLines, statement_lines
from core.review.actions.pages import PAGE, on_cited_pages, page_mark, with_checked_pages
from core.review.actions.parts import fenced, room_in, whole_text
from core.review.actions.records import Progress, no_progress
from core.review.actions.request import request_of
from core.review.actions.ruled_comparison import RuledComparison, Topic, by_rule, distinct
from core.review.actions.statement_similarity import SimilarityMatrix, Vectors
from core.review.actions.subject import Subject
from core.review.actions.subject_figures import MOST_ROWS, FigureSearch, subject_rows
from core.review.actions.summary.sections import extract
from core.review.actions.themes import MOST_THEMES
from core.search.documents.context import without_markers
from core.words import Language, Words

log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

DocumentSearch = Callable[[str, str, int], Awaitable[Sequence[str]]]
"""Takes a document's id, a text and a number of passages; returns the ids of the passages nearest to the text, best
first."""

MOST_PASSAGES = 40
"""Maximum number of passages on what was asked, for each document that does not fit the model's window."""
_ASKED = 0.7
"""Maximum share of a document's room for these passages; the rest is for its most important sentences."""
LONG = 100_000
"""Total characters of the documents from which they are compared in a worker process."""
MOST: dict[Length, int] = {"concise": 6, "balanced": 12, "detailed": 12}
"""Maximum number of rows on the screen if no model writes the comparison; the rest is in the downloadable table."""


class _Cell(BaseModel):
    document: int
    text: str = ""
    page: int | None = None


class _Theme(BaseModel):
    theme: str = Field(min_length=1)
    cells: list[_Cell]


class _Says(BaseModel):
    document: int
    text: str = Field(min_length=1)
    page: int | None = None


class _Compared(BaseModel):
    answer: str = ""
    themes: list[_Theme] = Field(min_length=1)
    agreements: list[list[_Says]] = []
    differences: list[list[_Says]] = []


@dataclass(frozen=True)
class ComparisonScope:
    """What to compare: ``focus`` is the request, ``subjects`` are its topics (none for everything), ``figures`` are the
    rows on each topic, ``most`` is the maximum number of rows on the screen."""

    focus: str
    subjects: tuple[str, ...]
    figures: Sequence[StatementLines]
    most: int


@dataclass(frozen=True)
class Material:
    """The text that a model compares; ``left_out`` says what it does not contain."""

    text: str
    left_out: Words | None = None


@dataclass
class Comparer:
    """Compares documents; ``model`` may be missing."""

    prompts: Prompts
    model: TextModel | None = None
    length: Length = "balanced"
    embeddings: Embeddings | None = None
    workers: WorkerProcesses | None = None
    """Worker processes for long documents; without them, a thread is used."""
    window: int = UNKNOWN_WINDOW
    """The model's context window in tokens."""
    look_up: FigureSearch | None = None
    nearest: DocumentSearch | None = None

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
        asked = await asyncio.to_thread(lambda: request_of(focus, sources).subjects)
        subjects = [Subject(each) for each in asked]
        lines = [await self._subject_figures(sources, tables, each, language) for each in subjects]
        is_long = sum(len(passage.text) for source in sources for passage in source.passages) >= LONG
        run = self._in_worker if self.workers and is_long else asyncio.to_thread
        matrices = await run(similarity_of_pairs, sources, subjects)
        progress(1, 3, _COMPARING)
        meanings = [await self._meanings(each.texts()) for each in matrices]
        scope = ComparisonScope(focus, asked, lines, self._most)
        ruled, quotes = await run(ruled_comparison, sources, matrices, meanings, tables, scope, language)
        progress(2, 3, _WRITING)
        result = await self._model_themes(self.model, sources, focus, ruled, quotes) if self.model else ruled
        progress(3, 3, _WRITING)
        return result

    async def _subject_figures(
        self, sources: Sequence[Source], tables: Sequence[TableEvidence], subject: Subject, language: Language
    ) -> StatementLines:
        """Returns the rows of the stored figures on the subject; none if there is no lookup."""
        if self.look_up is None:
            return StatementLines()
        found = {source.number: await self.look_up(source.document_id, subject.words) for source in sources}
        periods = {each.origin.number: each.origin.periods for each in tables}
        return await asyncio.to_thread(subject_rows, sources, found, periods, subject, language)

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
        material = await self._material(sources, focus, ruled)
        try:
            answer, usage = await ask_json(model, Prompt(system, material.text), _Compared)
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
        result.answer = with_checked_pages(answer.answer.strip(), sources, language)
        result.rows = _theme_rows(answer, known)
        result.figures, result.changed = ruled.figures, ruled.changed
        findings = _findings(answer.agreements, known), _findings(answer.differences, known)
        found = await asyncio.to_thread(adjudicate, *findings, documents, ruled)
        self._add_findings(result, found)
        result.quotes = distinct([*figures, *found.quotes])
        left_out = [f"*{material.left_out.to(language)}*"] if material.left_out else []
        result.text = "\n\n".join([render(result), *left_out])
        result.sources = on_cited_pages(sources, result.text, {quote.item_id for quote in result.quotes})
        return result

    def _add_findings(self, result: Comparison, found: Adjudication) -> None:
        """Adds the model's checked findings. Only as many as fit on one screen are shown; the rest is in the
        downloadable table."""
        result.differences, result.agreements, result.undecided = found.differences, found.agreements, found.undecided
        differing = min(len(found.differences), max(self._most // 2, self._most - len(found.agreements)))
        result.shown = (differing, min(len(found.agreements), self._most - differing), 0)
        if found.left_out:
            result.notices.append(_LEFT_OUT)

    async def _material(self, sources: Sequence[Source], focus: str, ruled: Comparison) -> Material:
        """Returns the whole documents if they fit the window; otherwise their passages on what was asked and their most
        important sentences, and a line that says what was left out. The figures are always included."""
        figures = figures_text(ruled)
        room = room_in(self.window) - count_tokens(figures)
        whole = [fenced(source, whole_text(source)) for source in sources]
        if await asyncio.to_thread(lambda: sum(map(count_tokens, whole))) <= room:
            return Material("\n\n".join(filter(None, [*whole, figures])))
        parts = [await self._excerpt(source, room // len(sources), focus, ruled) for source in sources]
        return Material("\n\n".join(filter(None, [*parts, figures])), message("graph.compare.excerpts"))

    async def _excerpt(self, source: Source, most_tokens: int, focus: str, ruled: Comparison) -> str:
        """Returns the passages nearest to what was asked, in reading order, then important sentences in the rest of the
        room."""
        ids = await self.nearest(source.document_id, focus, MOST_PASSAGES) if self.nearest else ()
        passages, used = [], 0
        by_id = {passage.item_id: passage for passage in source.passages}
        for passage in (by_id[each] for each in ids if each in by_id):
            used += count_tokens(passage.text)
            if used > most_tokens * _ASKED:
                break
            passages.append(passage)
        asked = whole_text(source, sorted(passages, key=lambda each: each.position))
        rest = await asyncio.to_thread(_shortened, source, most_tokens - count_tokens(asked), ruled)
        return fenced(source, "\n\n".join(filter(None, [asked, rest])))


def similarity_of_pairs(sources: Sequence[Source], subjects: Sequence[Subject] = ()) -> list[SimilarityMatrix]:
    """Returns the word similarity of the statements of every two ``sources``, with ``subjects`` only of those about
    them."""
    statements = [comparable_statements(source, subjects) for source in sources]
    return [SimilarityMatrix(one, other) for one, other in combinations(statements, 2)]


def ruled_comparison(
    sources: Sequence[Source],
    matrices: Sequence[SimilarityMatrix],
    meanings: Sequence[Vectors | None],
    tables: Sequence[TableEvidence],
    scope: ComparisonScope,
    language: Language,
) -> tuple[Comparison, Sequence[Quote]]:
    """Returns the rule-based comparison and the quotes for its figures; ``matrices`` and ``meanings`` hold one entry
    for each pair of ``sources``."""
    found = [
        RuledComparison(one.number, other.number, align(matrix, meant))
        for (one, other), matrix, meant in zip(combinations(sources, 2), matrices, meanings, strict=True)
    ]
    figures, without = _figures(sources, tables, scope, language)
    topic = Topic(scope.focus, scope.subjects, without)
    return by_rule(sources, found, figures, language, topic, scope.most), figures.quotes


def _figures(
    sources: Sequence[Source], tables: Sequence[TableEvidence], scope: ComparisonScope, language: Language
) -> tuple[StatementLines, tuple[str, ...]]:
    """Returns the rows of the requested figures, topic by topic, or the usual ones if there are no topics; and the
    topics without a row."""
    if not scope.subjects:
        return statement_lines(sources, tables, scope.focus, language), ()
    rows: list[Row] = []
    parts, without = [], []
    for subject, further in zip(scope.subjects, scope.figures, strict=True):
        own = statement_lines(sources, tables, subject, language, only_asked=True)
        parts += [own, further]
        found = [*own.rows, *(row for row in further.rows if not any(row.repeats(other) for other in own.rows))]
        without += [] if found else [subject]
        rows += [row for row in found[: 1 + MOST_ROWS // len(scope.subjects)] if row not in rows]
    quotes = [quote for each in parts for quote in each.quotes]
    return StatementLines(rows, quotes, all(each.by_one for each in parts)), tuple(without)


def figures_text(ruled: Comparison) -> str:
    """Returns the figures found in the tables as lines for a prompt; empty if there are none."""
    lines = [
        f"- {row.theme}: "
        + "; ".join(f"{cell.text} {page_mark(cell.page, 'en')}[{cell.number}]" for cell in row.cells if cell.text)
        + (f"; change {row.change}" if row.change else "")
        for row in ruled.figures
    ]
    return f"BEGIN FIGURES FROM THE TABLES\n{chr(10).join(lines)}\nEND FIGURES" if lines else ""


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


def _theme_rows(answer: _Compared, known: Sequence[int]) -> list[Row]:
    """Returns the model's themes in its words; the support check marks them."""
    rows = []
    for each in answer.themes[:MOST_THEMES]:
        cells = {cell.document: cell for cell in reversed(each.cells)}
        rows.append(Row(each.theme, [_theme_cell(number, cells.get(number)) for number in known]))
    return [row for row in rows if any(cell.text.strip() for cell in row.cells)]


def _theme_cell(number: int, cell: _Cell | None) -> Cell:
    return Cell(number, PAGE.sub("", cell.text).strip(), cell.page) if cell else Cell(number)


def _findings(findings: Sequence[Sequence[_Says]], known: Sequence[int]) -> list[Finding]:
    found = []
    for says in findings:
        own = [each for each in says if each.document in known]
        if own:
            pages = {each.document: each.page for each in own if each.page}
            found.append(Finding([(each.document, PAGE.sub("", each.text).strip()) for each in own], pages=pages))
    return found


_NAME = message("graph.compare.name")
_LEFT_OUT = message("graph.compare.left_out")
_FINDING = message("graph.compare.finding")
_COMPARING = message("graph.compare.comparing")
_WRITING = message("graph.compare.writing")
