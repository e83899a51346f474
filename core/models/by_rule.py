"""Creates the notices for actions that continue without their model, and splits long texts into batches for a model."""

from __future__ import annotations

from collections.abc import Sequence

from core.errors import PalimpsestError
from core.language.tokens import count_tokens
from core.messages import message
from core.words import Words

MALFORMED = message("models.by_rule.malformed")


BY_RULE = message("models.by_rule.by_rule")
"""The text in the run's trace for a step whose model failed, or whose answer was unusable twice."""


def ruled(words: Words) -> Words:
    """A step's result, with a note that rules were used because the model gave no result."""
    return message("models.by_rule.ruled", said=words, by_rule=BY_RULE)


def failed(error: PalimpsestError) -> Words:
    """The notice of an action that continued without its model."""
    return message("models.by_rule.failed", what=error.problem.what)


def batches(texts: Sequence[str], most_tokens: int) -> list[list[int]]:
    """Indices of ``texts`` in order, in batches of at most ``most_tokens``; a longer text is its own batch."""
    found: list[list[int]] = []
    used = most_tokens + 1
    for index, text in enumerate(texts):
        tokens = count_tokens(text)
        if used + tokens > most_tokens:
            found.append([])
            used = 0
        found[-1].append(index)
        used += tokens
    return found
