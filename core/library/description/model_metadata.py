"""Has a model fill the metadata that the rules left open: *a document's opening* → its metadata.

One call is made per document, after it is searchable by text, and never ahead of an upload or a question. If anything
fails, the rules' values stay.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import get_args

from core.errors import explain
from core.library.catalogue import Catalogue
from core.library.contextual.cache import ContextCache
from core.library.contextual.prefixes import written_by
from core.library.contextual.prompt import Suspicious
from core.library.contextual.rule_prefix import prefix
from core.library.correction import KINDS
from core.library.description.metadata_prompt import MOST, OPENING, Answer, filled, open_fields, prompt_of
from core.library.identity.names import display_name
from core.library.records import CorrectedField, Document, Metadata
from core.memory.items.contextual_prefixes import first_passages, give_prefixes, without_vector
from core.memory.items.writing import MemoryItems
from core.messages import message, message_group
from core.models.structured import PurposeModel, parse_answer
from core.prompts.templates import Prompts
from core.resilience.dependencies import Deadline, Dependency
from core.runs.trace import Step, Trace
from core.settings import Settings
from core.store.items import MemoryItem
from core.store.truth import Truth
from core.words import Words

log = logging.getLogger(__name__)

TEMPLATE = "metadata"
FIRST_PASSAGES = 12
MOST_WRITTEN = 8_000
"""Maximum number of characters of an answer; a good one has a few hundred."""

_FIELDS = message_group("library.model_metadata.fields")


@dataclass
class ModelMetadata:
    """Fills metadata. ``suspicious`` checks whether a text was written by a model that followed instructions in what it
    read. The model is not called for files in ``ready_made`` (by digest)."""

    _truth: Truth
    _catalogue: Catalogue
    _items: MemoryItems
    _cache: ContextCache
    _model: PurposeModel
    _dependency: Dependency
    _settings: Settings
    _suspicious: Suspicious
    _ready_made: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        self._prompts = Prompts(self._settings.folder / "prompts")

    async def give(self, document: Document, trace: Trace) -> Document:
        """The updated ``document``; a failure affects no other document."""
        if document.sha256 in self._ready_made:
            return document
        try:
            first = await first_passages(self._truth, document.user_id, document.id, FIRST_PASSAGES)
        except Exception:
            log.warning("no model is asked what %s is", document.id, exc_info=True)
            return document
        opening = "\n\n".join(item.text for item in first)[:OPENING]
        if not opening or not open_fields(document.metadata, document.filename, opening):
            return document
        with trace.step("identity") as step:
            try:
                return await self._fill_metadata(document, opening, step)
            except Exception as error:
                log.warning("no model has said what %s is", document.id, exc_info=True)
                step.skip(_by_rule(explain(error).what))
                return document

    async def _fill_metadata(self, document: Document, opening: str, step: Step) -> Document:
        answer = await self._answer(document, opening)
        if answer is None:
            step.skip(_by_rule(_UNUSABLE))
            return document

        def change(known: Metadata) -> Metadata:
            return filled(known, answer, document.filename, opening, self._suspicious)

        before = (await self._catalogue.get(document.user_id, document.id)).metadata
        planned = change(before)
        if planned != before:
            # Passages first: if this is interrupted, the fields are still open and are filled again later.
            await self._rename_passages(document, before, planned)
            document = await self._catalogue.amend(document.user_id, document.id, change)
            await self._rename_passages(document, planned, document.metadata)
        step.detail(_changes(before, document.metadata))
        return document

    async def _answer(self, document: Document, opening: str) -> Answer | None:
        """The cached or new answer; ``None`` if it cannot be used."""
        prompt = prompt_of(self._prompts.render(TEMPLATE, kinds=list(KINDS), most=MOST), opening)
        whose = (document.user_id, document.id, self._model.id, f"{prompt.system}\0{prompt.user}")
        known = await self._cache.recall_answer(*whose)
        if known is not None:
            return parse_answer(known, Answer)
        deadline = Deadline(self._dependency.seconds)
        await asyncio.wait_for(self._model.ready(), deadline.remaining())
        written = await self._dependency.attempt(
            lambda: written_by(self._model.in_form(Answer), prompt, MOST_WRITTEN), deadline
        )
        answer = parse_answer(written, Answer)
        if answer:
            await self._cache.remember_answer(*whose, answer.model_dump_json(exclude_unset=True))
        return answer

    async def _rename_passages(self, document: Document, before: Metadata, now: Metadata) -> None:
        """Apply the document's new name ``now`` to its passages: to the title of all, and to the prefix of those
        without a vector."""
        if before.title != now.title:
            await self._items.retitle_document(document.user_id, document.id, now.title)
        if display_name(before) == display_name(now):
            return
        waiting = await without_vector(self._truth, document.user_id, document.id)
        changed = {item.id: given for item in waiting if (given := _prefix(item, now)) != item.embedding.prefix}
        await give_prefixes(self._truth, document.user_id, changed)


def _prefix(item: MemoryItem, metadata: Metadata) -> str:
    book = item.source.book
    by_rule = prefix(display_name(metadata), book.path if book else None)
    return f"{by_rule} {(book and book.source_context) or ''}".strip()


def _changes(before: Metadata, now: Metadata) -> Words:
    fields: tuple[CorrectedField, ...] = get_args(CorrectedField)
    found = [_FIELDS[field] for field in fields if getattr(before, field) != getattr(now, field)]
    if not found:
        return message("library.model_metadata.told")
    return message("library.model_metadata.found", fields=Words.joined(found, ", "))


def _by_rule(reason: Words) -> Words:
    return message("library.model_metadata.by_rule", reason=reason)


_UNUSABLE = message("library.model_metadata.unusable")
