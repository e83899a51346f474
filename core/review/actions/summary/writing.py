"""Writes a summary with a model: in one call if the documents fit its window, otherwise from notes on their parts."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, HumanMessage
from pydantic import BaseModel, Field

from core.errors import PalimpsestError
from core.events import Source
from core.language.tokens import count_tokens
from core.messages import message
from core.models.by_rule import MALFORMED, batches
from core.models.meter import Usage
from core.models.structured import Prompt, Say, TextModel, Written, ask_json, ask_text
from core.prompts.templates import Prompts
from core.review.actions.pages import page_mark, with_checked_pages
from core.review.actions.parts import DocumentPart, fenced, room_in, split_document, whole_text
from core.review.actions.records import Progress, plain
from core.review.actions.request import Request
from core.review.actions.summary.briefing import Brief
from core.review.actions.summary.shapes import MOST_LINES
from core.search.documents.citations import check_citations
from core.search.documents.context import without_markers
from core.words import Language, Words

PARTS_IN_A_WINDOW = 3
"""A document that does not fit is read in parts of this share of the window."""
AT_ONCE = 4
"""Number of parts that are read at the same time."""
_FIRST_LINE = 160
"""Maximum number of characters of a part's first note in the progress."""
_LABEL = re.compile(r"(?:(?<!\s)\s++)?+\[\s*+[Pp](\d{1,4})\s*+\]")


class _Point(BaseModel):
    text: str = Field(min_length=1)
    passages: list[int] = Field(min_length=1)


class _Points(BaseModel):
    """A part's points, each with the numbers of its source passages."""

    points: list[_Point]


@dataclass(frozen=True)
class UnreadPart:
    """A part that the model could not read, and why."""

    part: DocumentPart
    why: Words
    error: PalimpsestError | None = None


@dataclass
class WrittenSummary:
    """A summary with checked citations; ``text`` is empty if it has none, since it could not be checked. ``unread``
    are the parts that it does not cover. ``error``: the notes on the parts could not be joined, so they are the
    text."""

    text: str = ""
    usage: Usage = field(default_factory=Usage)
    unread: list[UnreadPart] = field(default_factory=list)
    error: PalimpsestError | None = None


@dataclass(frozen=True)
class SummaryWriter:
    """Writes summaries with ``model``, whose context window has ``window`` tokens. ``final`` writes the last text;
    before it, ``say`` gets the opening lines."""

    prompts: Prompts
    model: TextModel
    window: int
    language: Language
    request: Request
    brief: Brief
    progress: Progress
    final: TextModel
    say: Say | None = None

    async def write(self, sources: Sequence[Source]) -> WrittenSummary:
        """Writes a summary of all ``sources``.

        Raises:
            PalimpsestError: the model failed, or none of the parts could be read.
        """
        texts = [fenced(source, whole_text(source)) for source in sources]
        if self.brief.figures:
            texts.append(f"BEGIN FIGURES FROM THE TABLES\n{_lines(self.brief.figures)}\nEND FIGURES")
        if await asyncio.to_thread(lambda: sum(map(count_tokens, texts))) <= room_in(self.window):
            return await self._write_at_once(sources, "\n\n".join(texts))
        return await self._write_from_parts(sources)

    async def _write_at_once(self, sources: Sequence[Source], text: str) -> WrittenSummary:
        self.progress(0, 1, message("graph.summarize.reading_whole", count=len(sources)))
        prompt = Prompt(self._rules("summarize_whole"), text)
        self._open()
        written = await ask_text(self.final, prompt)
        usage = written.usage
        found = self._checked(written.text, sources)
        if not found:
            again = await self._with_citations(prompt, written)
            usage += again.usage
            found = self._checked(again.text, sources)
        self.progress(1, 1, message("graph.summarize.reading_whole", count=len(sources)))
        return WrittenSummary(found, usage)

    async def _with_citations(self, prompt: Prompt, written: Written) -> Written:
        """Asks a second time for a summary that was written without citations."""
        asked = [*prompt.messages(), AIMessage(written.text or "…"), HumanMessage(_CITE)]
        return await self.model.write(asked)

    async def _write_from_parts(self, sources: Sequence[Source]) -> WrittenSummary:
        most = min(room_in(self.window), self.window // PARTS_IN_A_WINDOW)
        plan = [part for source in sources for part in await asyncio.to_thread(split_document, source, most)]
        notes = await self._notes_of(plan)
        unread = [each for each in notes if isinstance(each, UnreadPart)]
        read = [each for each in notes if not isinstance(each, UnreadPart)]
        usage = sum((used for _, used in read), Usage())
        if not read:
            errors = [each.error for each in unread if each.error is not None]
            if errors:
                raise errors[0]
            return WrittenSummary(usage=usage, unread=unread)
        self.progress(len(plan), len(plan) + 1, _JOINING)
        texts = list(filter(None, [_lines(self.brief.figures), *(text for text, _ in read)]))
        try:
            text, used = await self._join(texts)
        except PalimpsestError as error:
            if not self.request.is_plain:
                raise
            listed = self._checked("\n".join(text for text, _ in read), sources)
            return WrittenSummary(listed, usage, unread, error)
        self.progress(len(plan) + 1, len(plan) + 1, _JOINING)
        return WrittenSummary(self._checked(text, sources), usage + used, unread)

    def _open(self) -> None:
        """Shows the opening lines before the final text is streamed."""
        if self.say and self.brief.openings:
            self.say("\n\n".join([*self.brief.openings, ""]))

    async def _notes_of(self, plan: Sequence[DocumentPart]) -> list[tuple[str, Usage] | UnreadPart]:
        """Returns each part's notes, or why it could not be read; several parts are read at the same time."""
        gate = asyncio.Semaphore(AT_ONCE)
        done = 0

        async def read(number: int, part: DocumentPart) -> tuple[str, Usage] | UnreadPart:
            nonlocal done
            async with gate:
                self.progress(done, len(plan) + 1, _reading(number, len(plan), part.words))
                found = await self._notes(part)
            done += 1
            if not isinstance(found, UnreadPart):
                self.progress(done, len(plan) + 1, _first_note(number, len(plan), found[0]))
            return found

        return await asyncio.gather(*(read(number, part) for number, part in enumerate(plan, 1)))

    async def _notes(self, part: DocumentPart) -> tuple[str, Usage] | UnreadPart:
        blocks = "\n\n".join(
            f"[P{number}]{f' ({passage.section})' if passage.section else ''}\n{without_markers(passage.text)}"
            for number, passage in enumerate(part.passages, 1)
        )
        user = f"BEGIN DOCUMENT {part.source.title}\n{blocks}\nEND DOCUMENT"
        try:
            points, usage = await ask_json(self.model, Prompt(self._rules("summarize_map"), user), _Points)
        except PalimpsestError as error:
            return UnreadPart(part, error.problem.what, error)
        return UnreadPart(part, MALFORMED) if points is None else (self._as_lines(points, part), usage)

    def _as_lines(self, points: _Points, part: DocumentPart) -> str:
        """Returns the points that cite an existing passage, with its page and the document's number."""
        lines = []
        for point in points.points:
            known = [part.passages[number - 1] for number in point.passages if 1 <= number <= len(part.passages)]
            if known:
                page = page_mark(known[0].page, self.language)
                lines.append(f"- {plain(_LABEL.sub('', point.text))} {page}[{part.source.number}]")
        return "\n".join(lines)

    async def _join(self, texts: Sequence[str]) -> tuple[str, Usage]:
        """Joins ``texts`` in a tree, as many in one call as fit, until one text remains."""
        usage = Usage()
        while texts:
            groups = batches(texts, room_in(self.window))
            if len(groups) == len(texts) > 1:
                groups = [[*range(index, min(index + 2, len(texts)))] for index in range(0, len(texts), 2)]
            joined: list[str] = []
            for group in groups:
                notes = "\n\n".join(texts[index] for index in group)
                system = self._rules("summarize_reduce", final=len(groups) == 1)
                last = len(groups) == 1
                if last:
                    self._open()
                model = self.final if last else self.model
                written = await ask_text(model, Prompt(system, f"BEGIN NOTES\n{notes}\nEND NOTES"))
                usage += written.usage
                joined.append(written.text)
            if len(groups) == 1:
                return joined[0], usage
            texts = joined
        return "", usage

    def _rules(self, template: str, final: bool = True) -> str:
        request = self.request
        return self.prompts.render(
            template, language=self.language, request=request.text, focus=request.subject, final=final,
            subject=request.subject if request.strict else "", count=request.count, form=request.form,
            parts=self.brief.parts, opened=bool(self.brief.openings), lines=MOST_LINES - len(self.brief.openings),
        )  # fmt: skip

    def _checked(self, text: str, sources: Sequence[Source]) -> str:
        """Returns ``text`` with checked pages and citations; empty if it has no valid citation."""
        checked = check_citations(with_checked_pages(text, sources, self.language), {each.number for each in sources})
        return checked.text.strip() if checked.numbers else ""


def _lines(figures: Sequence[str]) -> str:
    return "\n".join(figures)


def _reading(part: int, total: int, title: Words) -> Words:
    return message("graph.summarize.reading", part=part, total=total, title=title)


def _first_note(part: int, total: int, notes: str) -> Words:
    line = notes.partition("\n")[0].removeprefix("- ")
    return message("graph.summarize.reading", part=part, total=total, title=line[:_FIRST_LINE])


_JOINING = message("graph.summarize.joining")
_CITE = (
    "Write it again. End every statement with its page and the number of its document, like this: (p. 12) [1]. "
    "Statements without a citation cannot be used."
)
