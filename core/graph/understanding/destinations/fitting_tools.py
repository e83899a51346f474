"""Finds the tool of another server that fits a message.

A tool is compared by the meaning of its name and description, and by messages to tools of that name in the examples.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from core.graph.understanding.destinations.outlook import MOST_FIT
from core.graph.understanding.intent.logistic_regression import Floats
from core.tools.ranking import RankedTool

SAME = 0.6
"""Similarity from which a tool's name means the same as one in the examples."""
LEXICAL = 1.0
"""Log odds of a tool whose description or name has the message's words."""
SCALE, LEVEL = 12.0, 0.2
"""The log odds of a similarity are ``SCALE`` times its distance from ``LEVEL``."""


def described(ranked: RankedTool) -> str:
    """Returns the text that a tool is compared by."""
    definition = ranked.entry.definition
    name = definition.name.replace("_", " ").replace("-", " ")
    about = definition.description.strip()
    return name if about in ("", definition.name, name) else f"{name}: {about}"


def fitting_tool(
    ranked: Sequence[RankedTool],
    message: Floats,
    vectors: Sequence[Floats],
    messages: Mapping[str, tuple[Floats, Floats]],
) -> tuple[str, float]:
    """Returns the tool with the best fit, and its log odds; an empty name without tools. All vectors have no common
    part any more. ``vectors`` are those of the ``described`` tools, ``messages`` has the vectors of the tools in the
    examples, each with the mean of its messages."""
    best, odds = "", -MOST_FIT
    for each, vector in zip(ranked, vectors, strict=True):
        likeness = _similarity(message, vector)
        alike = [mean for name, mean in messages.values() if _similarity(vector, name) >= SAME]
        likeness = max([likeness, *(_similarity(message, mean) for mean in alike)])
        score = SCALE * (likeness - LEVEL) + LEXICAL * each.relevant + LEXICAL * each.asked
        score = max(-MOST_FIT, min(MOST_FIT, score))
        if not best or score > odds:
            best, odds = each.entry.name, score
    return best, odds


def _similarity(one: Floats, other: Floats) -> float:
    return float(one @ other / max(1e-9, float(np.linalg.norm(one) * np.linalg.norm(other))))
