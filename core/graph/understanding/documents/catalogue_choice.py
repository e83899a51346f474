"""Lets a model choose the documents of a request from the list of documents, where rules are unsure which are meant."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import BaseModel

from core.errors import PalimpsestError
from core.graph.understanding.documents.fuzzy_matching import one_of
from core.graph.understanding.documents.listing import MOST_MESSAGE, likeliest, line_of
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.records import Reference, Resolution, Resolved, VisibleDocument
from core.graph.understanding.mentions import without_mentions
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.question.known_entities import KnownDocument

log = logging.getLogger(__name__)

MOST_LISTED = 60
"""Maximum number of documents in the list; those whose names share words with the message come first."""
SCORE = 0.9
"""Certainty of a document that a model chose."""
LEAST_COMPARED = 2


class _Chosen(BaseModel):
    """A model's reply: numbers in the list, and whether the message says which documents it means."""

    documents: list[int] = []
    confidence: Literal["high", "low"] = "low"


@dataclass(frozen=True)
class CatalogueChoice:
    """Chooses documents with ``model`` in one call; without a useful reply, the rules' result stays."""

    prompts: Prompts
    model: TextModel

    async def choose(self, asked: Reference, found: Resolution, known: Sequence[KnownDocument]) -> Resolution:
        """Returns the documents that the model is sure of. If it is not sure, returns its candidates as a choice for
        the user, or ``found`` if it named fewer than two."""
        listed = await asyncio.to_thread(_listed, asked, found)
        try:
            reply, _ = await ask_json(self.model, self._prompt(asked, listed, known), _Chosen)
        except PalimpsestError as error:
            log.info("rules choose the documents, because the model failed: %s", error)
            return found
        numbers = dict.fromkeys(reply.documents) if reply else ()
        chosen = [listed[number - 1] for number in numbers if 0 < number <= len(listed)]
        certain = replace(found, resolved=_explicit(found), ambiguous=(), unmatched=())
        if reply and reply.confidence == "high":
            whole = certain + Resolution.of(chosen, "inferred", SCORE)
            return whole if len(whole.resolved) >= _least(asked) and chosen else found
        if len(chosen) < LEAST_COMPARED:
            return found
        return certain + one_of("", [each.id for each in chosen], DocumentNames(asked.documents))

    def _prompt(self, asked: Reference, listed: Sequence[VisibleDocument], known: Sequence[KnownDocument]) -> Prompt:
        by_id = {each.id: each for each in known}
        system = self.prompts.render(
            "choose_documents",
            action=asked.action,
            documents=[_described(each, by_id.get(each.id)) for each in listed],
        )
        return Prompt(system, f"BEGIN MESSAGE\n{without_mentions(asked.text)[:MOST_MESSAGE]}\nEND MESSAGE")


def is_unsure(asked: Reference, found: Resolution) -> bool:
    """Returns whether the rules leave open which documents an action on whole documents means. Attachments are enough:
    they are used where the message names nothing."""
    if not asked.whole or len(asked.documents) < LEAST_COMPARED:
        return False
    if found.ambiguous or found.unmatched:
        return True
    if found.sets or any(each.attached for each in asked.documents):
        return False
    return found.is_weak or len(found.resolved) < _least(asked)


def _least(asked: Reference) -> int:
    return LEAST_COMPARED if asked.action == "compare" else 1


def _explicit(found: Resolution) -> tuple[Resolved, ...]:
    return tuple(each for each in found.resolved if each.how == "explicit")


def _listed(asked: Reference, found: Resolution) -> list[VisibleDocument]:
    """Returns the documents to list: the rules' candidates, then those that share words with the message, then the
    others in their order."""
    candidates = [each.id for several in found.ambiguous for each in several.candidates]
    explicit = [each.document_id for each in _explicit(found)]
    return likeliest(asked, list(dict.fromkeys([*found.document_ids, *candidates])), explicit)[:MOST_LISTED]


def _described(document: VisibleDocument, known: KnownDocument | None) -> str:
    if known is None:
        return line_of(document)
    kind = "" if known.kind == "other" else known.kind
    document = replace(document, document_kind=kind, periods=tuple(each.key for each in known.covered))
    return line_of(document, known.organisation, known.dated or "")
