"""Lists what chat models are called for, and the limits of each purpose."""

from __future__ import annotations

from typing import Literal, get_args

SmallPurpose = Literal[
    "intent",
    "resolution",
    "detection",
    "titles",
    "suggestions",
    "history",
    "contexts",
    "metadata",
    "rating",
    "results",
    "books",
]
Purpose = Literal[SmallPurpose, "inquire", "summarize", "compare", "audit"]

SMALL: tuple[SmallPurpose, ...] = get_args(SmallPurpose)
"""Purposes for which a smaller model is good enough; answers and actions use the model that the user chose."""

WAITED_FOR: tuple[Purpose, ...] = ("intent", "resolution", "rating", "titles", "suggestions", "results")
"""Small tasks that a user waits for; if the model is too slow, rules are used instead."""

ANSWER_TOKENS: dict[Purpose, int] = {
    "intent": 300,
    "resolution": 400,
    "detection": 1_000,
    "titles": 50,
    "suggestions": 300,
    "history": 600,
    "metadata": 600,
    "rating": 600,
}
"""Maximum tokens of a small task's answer, for models that do not think before it (docs/specification.md, "Budget")."""

UNHURRIED: tuple[Purpose, ...] = ("contexts", "metadata", "books")
"""Background purposes that no user waits for. The first token may take as long as a whole answer, and a timeout does
not count as a failure of the model when it writes answers."""
