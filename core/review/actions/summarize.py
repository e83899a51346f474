"""Summarizes whole documents: part by part and then joined by a model, or from their own sentences."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from core.errors import PalimpsestError
from core.events import Passage, Quote, Source
from core.messages import message
from core.models.by_rule import MALFORMED, batches, failed
from core.models.embeddings import Embeddings
from core.models.meter import Usage
from core.models.structured import Prompt, TextModel, ask_json, ask_text
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.review.actions.records import ActionResult, Progress, no_progress, plain
from core.review.actions.summary.briefing import Brief, brief_of
from core.review.actions.summary.document import DocumentDescription, SummaryDocument
from core.review.actions.summary.extractive import extractive_summary, lines_for
from core.review.actions.summary.shapes import MOST_LINES
from core.search.documents.citations import check_citations
from core.search.documents.context import without_markers
from core.words import Language, Words

MAP_TOKENS = 4_000
REDUCE_TOKENS = 6_000
_LABEL = re.compile(r"(?:(?<!\s)\s++)?+\[\s*+[Pp](\d{1,4})\s*+\]")


class _Point(BaseModel):
    text: str = Field(min_length=1)
    passages: list[int] = Field(min_length=1)


class _Points(BaseModel):
    """A part's points, each with the numbers of its source passages."""

    points: list[_Point]


@dataclass
class Summarizer:
    """Summarizes documents; ``model`` and ``embeddings`` may be missing. ``map_tokens`` is the size of the passages in
    one model call; ``length`` applies to summaries without a model."""

    prompts: Prompts
    model: TextModel | None = None
    embeddings: Embeddings | None = None
    map_tokens: int = MAP_TOKENS
    reduce_tokens: int = REDUCE_TOKENS
    length: Length = "balanced"

    async def summarize(
        self,
        sources: Sequence[Source],
        language: Language,
        focus: str = "",
        progress: Progress = no_progress,
        about: Mapping[str, DocumentDescription] | None = None,
    ) -> ActionResult:
        """Summarizes all ``sources`` (whole documents) with a citation for every statement; ``about`` holds document
        facts by document id, which decide the summary's shape."""
        known = about or {}
        if self.model is None:
            return await self._extract(sources, language, progress, known)
        try:
            written = await self._write_summary(self.model, sources, language, focus, progress, known)
        except PalimpsestError as error:
            result = await self._extract(sources, language, progress, known)
            result.notices.append(failed(error))
            return result
        if written.text:
            return written
        result = await self._extract(sources, language, progress, known)
        result.notices.append(MALFORMED)
        result.usage = written.usage
        return result

    async def _write_summary(
        self,
        model: TextModel,
        sources: Sequence[Source],
        language: Language,
        focus: str,
        progress: Progress,
        about: Mapping[str, DocumentDescription],
    ) -> ActionResult:
        matters = [SummaryDocument(source, about.get(source.document_id)) for source in sources]
        brief = await asyncio.to_thread(brief_of, matters, language)
        plan = [(source, part) for source in sources for part in self._passage_batches(source)]
        parts: list[str] = []
        usage = Usage()
        for done, (source, passages) in enumerate(plan):
            progress(done, len(plan) + 1, _reading(done + 1, len(plan), source.title))
            points, used = await ask_json(model, self._map_prompt(source, passages, language, focus, brief), _Points)
            usage += used
            if points is None:
                return ActionResult("", language, list(sources), usage=usage)
            parts.append(_as_lines(points, source, passages))
        progress(len(plan), len(plan) + 1, _JOINING)
        notes = list(filter(None, ["\n".join(brief.figures), *parts]))
        text, used = await self._reduce(model, notes, language, focus, brief)
        progress(len(plan) + 1, len(plan) + 1, _JOINING)
        checked = check_citations(text, {source.number for source in sources})
        # A summary without citations cannot be checked.
        text = checked.text.strip() if checked.numbers else ""
        text = "\n\n".join([*brief.openings, text]) if text else ""
        return ActionResult(text, language, list(sources), generated=bool(text), usage=usage + used)

    def _passage_batches(self, source: Source) -> list[list[Passage]]:
        texts = [passage.text for passage in source.passages]
        return [[source.passages[index] for index in batch] for batch in batches(texts, self.map_tokens)]

    def _map_prompt(
        self, source: Source, passages: Sequence[Passage], language: Language, focus: str, brief: Brief
    ) -> Prompt:
        fenced = "\n\n".join(
            f"[P{number}]{f' ({passage.section})' if passage.section else ''}\n{without_markers(passage.text)}"
            for number, passage in enumerate(passages, 1)
        )
        system = self.prompts.render("summarize_map", language=language, focus=focus, parts=brief.parts)
        return Prompt(system, f"BEGIN DOCUMENT {source.title}\n{fenced}\nEND DOCUMENT")

    async def _reduce(
        self, model: TextModel, texts: Sequence[str], language: Language, focus: str, brief: Brief
    ) -> tuple[str, Usage]:
        """Joins ``texts`` in a tree, as many in one call as fit, until one text remains."""
        usage = Usage()
        if not texts:
            return "", usage
        while True:
            groups = batches(texts, self.reduce_tokens)
            final = len(groups) == 1
            if len(groups) == len(texts) > 1:
                groups = [[*range(index, min(index + 2, len(texts)))] for index in range(0, len(texts), 2)]
                final = len(groups) == 1
            joined: list[str] = []
            for group in groups:
                notes = "\n\n".join(texts[index] for index in group)
                system = self.prompts.render(
                    "summarize_reduce", language=language, focus=focus, final=final, parts=brief.parts,
                    opened=bool(brief.openings), lines=MOST_LINES - len(brief.openings),
                )  # fmt: skip
                written = await ask_text(model, Prompt(system, f"BEGIN NOTES\n{notes}\nEND NOTES"))
                usage += written.usage
                joined.append(written.text)
            if final:
                return joined[0], usage
            texts = joined

    async def _extract(
        self,
        sources: Sequence[Source],
        language: Language,
        progress: Progress,
        about: Mapping[str, DocumentDescription],
    ) -> ActionResult:
        blocks: list[str] = []
        quotes: list[Quote] = []
        lines = lines_for(self.length, len(sources))
        for done, source in enumerate(sources):
            progress(done, len(sources), _reading(done + 1, len(sources), source.title))
            summary = await extractive_summary(
                SummaryDocument(source, about.get(source.document_id)), language, self.length, lines, self.embeddings
            )
            if len(sources) > 1:
                blocks.append(f"## {plain(source.title)}")
            blocks += summary.blocks
            quotes += summary.quotes
        progress(len(sources), len(sources), _reading(len(sources), len(sources), sources[-1].title if sources else ""))
        text = "\n\n".join(blocks) if blocks and (quotes or about) else _NOTHING.to(language)
        return ActionResult(text, language, list(sources), quotes)


def _as_lines(points: _Points, source: Source, passages: Sequence[Passage]) -> str:
    """Returns the points that cite an existing passage, with the document's number."""
    known = range(1, len(passages) + 1)
    kept = [point for point in points.points if any(number in known for number in point.passages)]
    return "\n".join(f"- {plain(_LABEL.sub('', point.text))} [{source.number}]" for point in kept)


def _reading(part: int, total: int, title: str) -> Words:
    return message("graph.summarize.reading", part=part, total=total, title=title)


_JOINING = message("graph.summarize.joining")
_NOTHING = message("graph.summarize.nothing")
