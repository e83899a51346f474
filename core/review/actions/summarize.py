"""Summarizes whole documents as the user asked: written by a model, or from their own sentences."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from core.errors import PalimpsestError
from core.events import Quote, Source
from core.messages import message
from core.models.by_rule import MALFORMED, failed
from core.models.capabilities import UNKNOWN_WINDOW
from core.models.embeddings import Embeddings
from core.models.structured import Say, TextModel
from core.personality.rules import Length
from core.prompts.templates import Prompts
from core.review.actions.pages import on_cited_pages
from core.review.actions.records import ActionResult, Progress, no_progress, plain
from core.review.actions.request import Request, request_of
from core.review.actions.summary.briefing import Brief, brief_of
from core.review.actions.summary.document import DocumentDescription, SummaryDocument
from core.review.actions.summary.extractive import extractive_summary, lines_for
from core.review.actions.summary.requested import requested_summary
from core.review.actions.summary.writing import SummaryWriter, UnreadPart, WrittenSummary
from core.words import Language, Words


@dataclass
class Summarizer:
    """Summarizes documents; ``model`` and ``embeddings`` may be missing. ``window`` is the model's context window in
    tokens; ``length`` applies to summaries without a model. ``final`` writes the final text instead of ``model``, and
    streams it to the user; ``say`` then gets the lines above it."""

    prompts: Prompts
    model: TextModel | None = None
    embeddings: Embeddings | None = None
    window: int = UNKNOWN_WINDOW
    length: Length = "balanced"
    final: TextModel | None = None
    say: Say | None = None

    async def summarize(
        self,
        sources: Sequence[Source],
        language: Language,
        asked: str = "",
        progress: Progress = no_progress,
        about: Mapping[str, DocumentDescription] | None = None,
    ) -> ActionResult:
        """Summarizes all ``sources`` (whole documents) with a citation for every statement.

        Args:
            asked: the user's request, which may state a number of points, a subject or the readers.
            about: document facts by document id, which decide the summary's shape.
        """
        matters = [SummaryDocument(source, (about or {}).get(source.document_id)) for source in sources]
        request = request_of(asked, sources)
        if self.model is None:
            return await self._extract(matters, request, language, progress)
        try:
            written = await self._write(self.model, matters, request, language, progress)
        except PalimpsestError as error:
            result = await self._extract(matters, request, language, progress)
            result.notices.append(failed(error))
            return result
        if written.text:
            cited = on_cited_pages(sources, written.text)
            result = ActionResult(written.text, language, cited, generated=True, usage=written.usage)
            result.notices += [_not_read(written.unread)] if written.unread else []
            result.notices += [failed(written.error)] if written.error else []
            return result
        result = await self._extract(matters, request, language, progress)
        result.notices.append(MALFORMED)
        result.usage = written.usage
        return result

    async def _write(
        self,
        model: TextModel,
        matters: Sequence[SummaryDocument],
        request: Request,
        language: Language,
        progress: Progress,
    ) -> WrittenSummary:
        """Returns the model's summary below the documents' opening lines; at its end, the parts that it could not
        read."""
        brief = await asyncio.to_thread(brief_of, matters, language)
        if not request.is_plain:
            brief = Brief(figures=brief.figures)
        writer = SummaryWriter(
            self.prompts, model, self.window, language, request, brief, progress, self.final or model, self.say
        )
        written = await writer.write([each.source for each in matters])
        if written.text:
            left = [f"*{_not_read(written.unread).to(language)}*"] if written.unread else []
            written = replace(written, text="\n\n".join([*brief.openings, written.text, *left]))
        return written

    async def _extract(
        self, matters: Sequence[SummaryDocument], request: Request, language: Language, progress: Progress
    ) -> ActionResult:
        blocks: list[str] = []
        quotes: list[Quote] = []
        lines = lines_for(self.length, len(matters))
        sources = [each.source for each in matters]
        for done, matter in enumerate(matters):
            progress(done, len(matters), _reading(done + 1, len(matters), matter.source.title))
            summary = await requested_summary(matter, request, language, self.embeddings)
            if summary is None:
                summary = await extractive_summary(matter, language, self.length, lines, self.embeddings)
            if len(matters) > 1:
                blocks.append(f"## {plain(matter.source.title)}")
            blocks += summary.blocks
            quotes += summary.quotes
        progress(len(matters), len(matters), _reading(len(matters), len(matters), sources[-1].title if sources else ""))
        answers = quotes or request.subject or any(each.about for each in matters)
        return ActionResult(
            "\n\n".join(blocks) if blocks and answers else _NOTHING.to(language), language, sources, quotes
        )


def _not_read(unread: Sequence[UnreadPart]) -> Words:
    """Names the parts that the summary does not cover, with the first reason."""
    names = Words.joined([each.part.words for each in unread], "; ")
    return message("graph.summarize.not_read", parts=names, why=unread[0].why)


def _reading(part: int, total: int, title: str) -> Words:
    return message("graph.summarize.reading", part=part, total=total, title=title)


_NOTHING = message("graph.summarize.nothing")
