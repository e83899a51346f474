"""A chat model writes one text of two entries of the bank that say the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from core.models.structured import Prompt, TextModel, ask_text
from core.prompts.templates import Prompts


@dataclass
class ModelMerger:
    """``Merger`` of :mod:`core.memory.bank.deduplication`."""

    _model: TextModel
    _prompts: Prompts
    _configured: Callable[[], bool] = lambda: True

    async def merge(self, old: str, new: str) -> str | None:
        """Raises ``PalimpsestError`` when the model fails."""
        if not self._configured():
            return None
        user = f"BEGIN OLDER\n{old}\nEND OLDER\n\nBEGIN NEWER\n{new}\nEND NEWER"
        written = await ask_text(self._model, Prompt(self._prompts.render("merging"), user))
        return None if written.text in ("", "null") else written.text
