"""Adds contextual prefixes: before vectors are made, a model describes each passage's context in its document.

The rule-based prefix always stays, and the context is put after it. If anything fails, the passage has only its
rule-based prefix. There is one call per document if the model's window allows it. Otherwise there are several, a few of
them at the same time, and more if an answer is cut off.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import takewhile

from core.errors import PalimpsestError, explain
from core.library.contents import Contents
from core.library.contextual.cache import ContextCache
from core.library.contextual.prompt import DocumentOutline, Suspicious, batch, contexts_in, prompt_of
from core.library.records import Document
from core.memory.items.contextual_prefixes import first_passages, give_contexts, without_context
from core.messages import message
from core.models.structured import Prompt, PurposeModel
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline, Dependency
from core.runs.trace import Step, Trace
from core.settings import Settings
from core.store.items import MemoryItem
from core.store.truth import Truth
from core.words import Words

log = logging.getLogger(__name__)

TEMPLATE = "contexts"
FURTHER_PASSAGE = 0.2
"""Fraction of the seconds for one passage that each further passage adds to a call's time limit."""
LISTENING = 0.95
"""Share of a call's time limit after which the partial answer is used; an empty answer is a failure."""
TOO_LITTLE = 0.1
"""If less than this share of a document's time is left, no further call is made."""
WORTH_ANOTHER_CALL = 0.25
"""If a cut-off answer covers at least this share of the passages, the next call continues from there."""
OUTLINE_LEVELS = 2
MOST_AT_ONCE = 4
"""Maximum number of calls for one document at the same time."""


@dataclass
class _Work:
    """The state of one document: ``given`` counts the passages that have a context. ``failed``: a call failed, so that
    no further one is begun."""

    items: dict[str, MemoryItem]
    about: DocumentOutline
    rules: str
    deadline: Deadline
    given: int = 0
    failed: bool = False


@dataclass
class _Part:
    """Neighbouring passages that one call can hold; ``left`` are those that still need a context."""

    left: list[MemoryItem]

    def take(self, taken: Sequence[MemoryItem], answered: Sequence[int]) -> None:
        """Continue after the last passage that the answer covered, if it covered enough."""
        done = max(answered) + 1
        self.left = self.left[done if done >= WORTH_ANOTHER_CALL * len(taken) else len(taken) :]


async def written_by(model: PurposeModel, prompt: Prompt, most: int) -> str:
    """The text that ``model`` writes; stopped after slightly more than ``most`` characters."""
    text = ""
    async with aclosing(model.pieces(prompt.messages())) as pieces:
        async for piece in pieces:
            text += piece
            if len(text) > most:
                break
    return text


@dataclass
class ContextualPrefixes:
    """Adds contexts to passages. ``suspicious`` checks whether a text was written by a model that followed instructions
    in what it read. ``ready_made`` are the digests of files whose vectors are included, made with the rule-based
    prefix; for these the model is not called."""

    _truth: Truth
    _contents: Contents
    _cache: ContextCache
    _model: PurposeModel
    _dependency: Dependency
    _settings: Settings
    _suspicious: Suspicious
    _ready_made: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._prompts = Prompts(self._settings.folder / "prompts")

    async def give(self, document: Document, trace: Trace) -> None:
        """Add contexts to the passages of ``document`` that wait for a vector; a failure affects no other document."""
        if document.sha256 in self._ready_made:
            return
        try:
            waiting = await without_context(self._truth, document.user_id, document.id)
        except Exception:
            log.warning("contextual prefixes of %s are left out", document.id, exc_info=True)
            return
        if not waiting:
            return
        with trace.step("context") as step:
            most = self._settings.prefix.passages
            if document.chunks > most:
                step.skip(_by_rule(message("library.prefixes.large", most=most)))
                return
            try:
                await self._write_prefixes(document, waiting, step)
            except Exception as error:
                log.warning("contextual prefixes of %s are left out", document.id, exc_info=True)
                step.skip(_by_rule(explain(error).what))

    async def _write_prefixes(self, document: Document, waiting: list[MemoryItem], step: Step) -> None:
        known = await self._cache.recall(document.user_id, self._model.id, waiting)
        items = {item.id: item for item in waiting}
        await give_contexts(self._truth, items, known)
        left = [item for item in waiting if item.id not in known]
        work = _Work(
            items=items,
            about=await self._about(document),
            rules=self._prompts.render(TEMPLATE, characters=self._settings.prefix.characters),
            deadline=Deadline(self._settings.prefix.document_seconds),
            given=len(known),
        )
        self._report_progress(work, step)
        reason = await self._ask_all(work, left, step) if left else None
        if reason and work.given:
            self._report_progress(work, step, reason)
        elif reason:
            step.skip(_by_rule(reason))

    async def _ask_all(self, work: _Work, left: Sequence[MemoryItem], step: Step) -> Words | None:
        """Request all contexts; returns the reason if some were not requested."""
        try:
            await self._model.ready()
            parts = await self._parts(work, left)
        except PalimpsestError as error:
            log.warning("the model for contextual prefixes: %s", error)
            return error.problem.what
        places = asyncio.Semaphore(MOST_AT_ONCE)
        reasons = await asyncio.gather(*(self._ask_part(work, part, step, places) for part in parts))
        if work.given == len(work.items):
            return None
        known = next((reason for reason in reasons if reason is not None), None)
        return known or (_TIME_OVER if self._time_over(work) else _LEFT_OUT)

    async def _parts(self, work: _Work, left: Sequence[MemoryItem]) -> list[_Part]:
        """Divide the passages into parts that fit the model's window; leaves out passages that exceed it."""
        window, characters = await self._model.window(), self._settings.prefix.characters
        parts: list[_Part] = []
        while left:
            taken = await asyncio.to_thread(batch, left, work.rules, work.about, window, characters)
            parts += [_Part(taken)] if taken else []
            left = left[max(1, len(taken)) :]
        return parts

    async def _ask_part(self, work: _Work, part: _Part, step: Step, places: asyncio.Semaphore) -> Words | None:
        """Request the contexts of one part; returns the reason if some were not requested."""
        async with places:
            try:
                while part.left and not work.failed:
                    if self._time_over(work):
                        return _TIME_OVER
                    if not await self._ask(work, part):
                        work.failed = True
                        return _UNUSABLE
                    self._report_progress(work, step)
            except PalimpsestError as error:
                work.failed = True
                log.warning("the model for contextual prefixes: %s", error)
                return error.problem.what
        return None

    def _time_over(self, work: _Work) -> bool:
        """Whether too little time is left; a call that cannot finish in time would only count as the model's
        failure."""
        return work.deadline.remaining() < TOO_LITTLE * self._settings.prefix.document_seconds

    async def _ask(self, work: _Work, part: _Part) -> bool:
        """Make one call; returns whether any part of the answer was usable."""
        taken = list(part.left)
        seconds = work.deadline.slice(self._dependency.seconds * (1 + FURTHER_PASSAGE * (len(taken) - 1)))
        prompt = prompt_of(work.rules, work.about, taken)
        answer = await self._dependency.attempt(
            lambda: self._hear(prompt, len(taken), seconds * LISTENING), seconds=seconds
        )
        written = self._contexts(answer, len(taken))
        if not written:
            return False
        contexts = {taken[place].id: context for place, context in written.items()}
        await give_contexts(self._truth, work.items, contexts)
        await self._cache.remember(taken[0].user_id, self._model.id, taken, contexts)
        work.given += len(contexts)
        part.take(taken, list(written))
        return True

    async def _hear(self, prompt: Prompt, count: int, seconds: float) -> str:
        """The model's answer within ``seconds``; a partial answer is used too.

        Raises:
            TimeoutError, PalimpsestError: the call failed, and no part of the answer is usable.
        """
        text = ""
        most = count * (self._settings.prefix.characters * 2 + 32)
        try:
            async with asyncio.timeout(seconds), aclosing(self._model.pieces(prompt.messages())) as pieces:
                async for piece in pieces:
                    text += piece
                    if len(text) > most:
                        break
        except (TimeoutError, PalimpsestError):
            if not self._contexts(text, count):
                raise
        return text

    def _contexts(self, answer: str, count: int) -> dict[int, str]:
        return contexts_in(answer, count, self._settings.prefix.characters, self._suspicious)

    async def _about(self, document: Document) -> DocumentOutline:
        outline = await self._contents.outline(document.user_id, document.id)
        first = await first_passages(self._truth, document.user_id, document.id)
        pages = [item.source.book.page if item.source.book else None for item in first]
        page = takewhile(lambda each: each[1] == pages[0], zip(first, pages, strict=True))
        titles = [
            "  " * (section.level - 1) + section.title
            for section in outline.sections
            if section.level <= OUTLINE_LEVELS
        ]
        return DocumentOutline(document.metadata.title, titles, "\n".join(item.text for item, _ in page))

    @staticmethod
    def _report_progress(work: _Work, step: Step, reason: Words | None = None) -> None:
        given, total = work.given, len(work.items)
        key = "library.prefixes.given_others_by_rule" if reason else "library.prefixes.given"
        step.detail(message(key, given=given, total=total, reason=reason), given, total)


def _by_rule(reason: Words) -> Words:
    return message("library.prefixes.by_rule", reason=reason)


_TIME_OVER = message("library.prefixes.time_over")
_LEFT_OUT = message("library.prefixes.left_out")
_UNUSABLE = message("library.prefixes.unusable")
