"""A chat model words a failing memory anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.models.structured import Prompt, TextModel, ask_text
from core.prompts.templates import Prompts

LONGEST = 4_000
"""Characters of a text that may be worded anew; a longer one is archived as it is."""
FAILURES = 8


@dataclass
class ModelRewriter:
    """``Rewriter`` of :mod:`core.memory.lifecycle.rewriting`."""

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
