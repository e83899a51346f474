"""Lets a model reword a failing memory once before it is archived.

The scores belong to the old text, so the new text starts without them. The old text is kept as a version, and feedback
on answers is kept.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from core.memory.bank.versions import Versions
from core.memory.items.writing import MemoryItems
from core.memory.outcomes.examples import OutcomeExamples
from core.models.meter import paid_by
from core.models.structured import Prompt, TextModel, ask_text
from core.prompts.templates import Prompts
from core.store.items import MemoryItem, Stats
from core.store.truth import DuplicateError

log = logging.getLogger(__name__)

LONGEST = 4_000
"""Maximum number of characters in a text that may be reworded; a longer text is archived unchanged."""
FAILURES = 8


class Rewriter(Protocol):
    """A model that rewords a memory."""

    async def rewrite(self, text: str, failures: Sequence[str]) -> str | None:
        """A better text, or ``None``; ``failures`` are the questions that the text did not answer."""


@dataclass
class ModelRewriter:
    """A ``Rewriter`` that uses a chat model."""

    _model: TextModel
    _prompts: Prompts
    _configured: Callable[[], bool] = lambda: True

    async def rewrite(self, text: str, failures: Sequence[str]) -> str | None:
        """Raises ``PalimpsestError`` when the model fails."""
        if not self._configured() or len(text) > LONGEST:
            return None
        asked = "\n".join(f"- {' '.join(each.split())}" for each in failures[-FAILURES:])
        user = f"BEGIN MEMORY\n{text}\nEND MEMORY\n\nBEGIN QUESTIONS\n{asked}\nEND QUESTIONS"
        written = await ask_text(self._model, Prompt(self._prompts.render("rewriting"), user))
        return None if written.text in ("", "null") else written.text


@dataclass(frozen=True)
class Rewriting:
    """The services that rewriting needs."""

    items: MemoryItems
    lessons: OutcomeExamples
    versions: Versions
    rewriter: Rewriter

    async def wording(self, item: MemoryItem) -> str | None:
        """The reworded text; ``None`` if the model gave none."""
        lessons = (await self.lessons.of_memories(item.user_id, [item.id])).get(item.id, [])
        failures = [each.question for each in lessons if each.outcome == "failed"]
        try:
            with paid_by(item.user_id):
                text = await self.rewriter.rewrite(item.text, failures)
        except Exception:
            log.warning("a failing memory was not rewritten", exc_info=True)
            return None
        return text.strip() if text and text.strip() not in ("", item.text.strip()) else None

    async def replace(self, item: MemoryItem, text: str, expires: float | None) -> bool:
        """Replace the text of ``item``; returns whether it was unchanged since it was read."""
        await self.versions.keep(item, "rewritten")
        stats = Stats(retrieved=item.stats.retrieved, last_retrieved_at=item.stats.last_retrieved_at)
        versioning = item.versioning.model_copy(update={"current_version": item.versioning.current_version + 1})
        times = item.timestamps.model_copy(update={"expires_at": expires})
        fresh = item.model_copy(
            update={"text": text, "summary": None, "stats": stats, "versioning": versioning, "timestamps": times}
        )
        try:
            await self.items.revise(fresh)
        except DuplicateError:
            return False
        return True

    async def forget(self, user_id: str, memory_id: str, until: float) -> None:
        """Delete the outcomes that belong to the item's old text."""
        lessons = (await self.lessons.of_memories(user_id, [memory_id])).get(memory_id, [])
        await self.lessons.put(user_id, [], [each.id for each in lessons if each.at <= until])
