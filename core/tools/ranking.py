"""Ranks tools for a question, in the order in which they are offered to the model.

Formulas and constants: docs/specification.md, "Tools".
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from core.language.normalisation import fold
from core.tools.bearing import AskedTerms, asked_terms
from core.tools.definition import IntentSignal, ToolDefinition
from core.tools.registry import RegisteredTool

MOST_OFFERED = 4
"""Maximum number of tools offered for a question."""
PRIORITY_SHARE = 0.5
NAMED = 100.0
"""Added to a tool's score if the question names the tool; equal to the strongest signal."""
RELEVANCE = 40.0
"""Factor on the share of the question's terms that a tool's description contains."""
RELEVANT = 0.34
"""Minimum share of the question's terms in its description that makes a tool relevant without a matching signal."""
BEARING = 2
"""A tool with at least this many of the question's terms is also relevant, whatever their share of a longer question.
"""
TITLED = 15.0
"""Score added per question term in the tool's name: among tools with similar descriptions, the one with the matching
name is first."""
BEARS = 30.0
"""Added to a relevant tool's score, so that it ranks before tools that are always offered."""
NO_TERMS = AskedTerms((), ())
"""Used for a question that is not compared with any tool's description, so that the synonym groups need not be loaded.
"""
KNOWN_TO_FAIL = 0.5
"""A tool ranks lower if its share of answers that worked is below this value."""
FAILING = 60.0
"""Deducted from the score of a tool that never worked; the deduction is smaller the nearer its success share is to
``KNOWN_TO_FAIL``."""


@dataclass(frozen=True)
class RankedTool:
    """A tool with its score. ``asked``: the question clearly asks for this tool, by a signal or its name.
    ``exclusive``: it asks for this tool only."""

    entry: RegisteredTool
    score: float
    asked: bool = False
    exclusive: bool = False
    relevant: bool = False


def rank(
    entries: Sequence[RegisteredTool], question: str, success: Mapping[str, float] | None = None
) -> list[RankedTool]:
    """All ``entries``, the best first; if the question asks for exclusive tools, only those.

    ``success``: for each tool that was used for such questions, the share of answers that worked.
    """
    folded = fold(question)
    terms = asked_terms(question) if any(map(_is_known_by_words, entries)) else NO_TERMS
    found = [_ranked(each, folded, terms, (success or {}).get(each.name)) for each in entries]
    found.sort(key=lambda each: (-each.score, not each.entry.definition.effects.harmless, each.entry.name))
    return [each for each in found if each.exclusive] or found


def offered(ranked: Sequence[RankedTool], most: int = MOST_OFFERED) -> list[RankedTool]:
    """The first of ``ranked`` that can be used together; tools that a requested tool excludes are left out."""
    chosen: list[RankedTool] = []
    for each in ranked:
        if not any(_exclude_each_other(each, other) for other in chosen):
            chosen.append(each)
        if len(chosen) == most:
            break
    return chosen


def _ranked(entry: RegisteredTool, folded: str, asked: AskedTerms, success: float | None) -> RankedTool:
    definition = entry.definition
    signals = matching_signals(definition, folded)
    weight = max([each.weight for each in signals], default=0.0)
    if is_named(entry, folded):
        weight = max(weight, NAMED)
    covered, titled = _covered(entry, asked)
    share = covered / len(asked.terms) if asked.terms else 0.0
    bears = share >= RELEVANT or covered >= BEARING
    bearing = BEARS * (bears and not weight) + RELEVANCE * share + TITLED * titled
    score = weight + PRIORITY_SHARE * definition.priority + bearing - _penalty(success)
    return RankedTool(
        entry,
        score,
        asked=weight > 0,
        exclusive=any(each.exclusive for each in signals),
        relevant=weight > 0 or bears,
    )


def _penalty(success: float | None) -> float:
    if success is None or success >= KNOWN_TO_FAIL:
        return 0.0
    return FAILING * (1 - success / KNOWN_TO_FAIL)


def matching_signals(definition: ToolDefinition, folded: str) -> list[IntentSignal]:
    """The signals that match the folded question."""
    return [each for each in definition.signals if any(_compiled(pattern).search(folded) for pattern in each.patterns)]


@lru_cache(maxsize=2_000)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def is_named(entry: RegisteredTool, folded: str) -> bool:
    """Whether the folded question contains the tool's name or title. A title of one word does not count, because it is
    an ordinary word."""
    names = [fold(each) for each in (entry.name, entry.definition.name) if "_" in each or "-" in each]
    titles = [fold(each) for each in entry.definition.title.model_dump().values()]
    return any(_stands(each, folded) for each in (*names, *(title for title in titles if " " in title)))


def _stands(name: str, folded: str) -> bool:
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", folded) is not None


def _covered(entry: RegisteredTool, asked: AskedTerms) -> tuple[int, int]:
    """How many of the question's terms are in the tool's description, and how many in its name; not used for built-in
    tools, which have signals.

    If a question names a server, all tools of that server have the same signal, and only their descriptions distinguish
    them.
    """
    definition = entry.definition
    if not _is_known_by_words(entry):
        return 0, 0
    called = f"{definition.name.replace('_', ' ')} {definition.title.en}"
    return asked.covered(f"{called} {definition.description}"), asked.covered(called)


def _is_known_by_words(entry: RegisteredTool) -> bool:
    """Whether the tool is matched by the words of its description; built-in tools are matched by signals."""
    return not (entry.own and entry.definition.signals)


def _exclude_each_other(one: RankedTool, other: RankedTool) -> bool:
    return (one.asked and other.entry.name in one.entry.definition.conflicts) or (
        other.asked and one.entry.name in other.entry.definition.conflicts
    )
