"""Explains tool failures to users: what happened, why, and what to do.

There are eight categories, each with the tool's own texts; the raw error is only logged. A status code decides the
category first, then the type of error, then the words of its message (words about permission before words about
arguments).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.errors import Category, PalimpsestError, Problem, explain, problem_of, status_code
from core.tools.definition import ToolDefinition

FINAL: frozenset[Category] = frozenset(("auth",))
"""Categories of failures that no fallback can avoid, because a user must correct something."""
COUNTED: frozenset[Category] = frozenset(("timeout", "connection", "rate_limit", "server", "unknown"))
"""Categories of failures that are caused by the tool and not by its arguments."""

_TOLD: Sequence[tuple[Category, re.Pattern[str]]] = [
    ("timeout", re.compile(r"time[d ]?[ -]?out|etimedout|esockettimedout", re.IGNORECASE)),
    ("connection", re.compile(r"econnrefused|econnreset|enotfound|connection (?:refused|reset|closed|lost)", re.I)),
    ("rate_limit", re.compile(r"(?<!\d)429(?!\d)|rate.?limit|too many requests", re.IGNORECASE)),
    (
        "auth",
        re.compile(
            r"(?<!\d)40[13](?!\d)|unauthori[sz]ed|forbidden|not authori[sz]ed|access denied|permission denied|"
            r"authentication|api.?key",
            re.IGNORECASE,
        ),
    ),
    ("not_found", re.compile(r"(?<!\d)404(?!\d)|not found|no results|no such|enoent|does not exist", re.IGNORECASE)),
    ("server", re.compile(r"(?<!\d)50[0-4](?!\d)|internal (?:server )?error|bad gateway|unavailable", re.IGNORECASE)),
    ("validation", re.compile(r"(?<!\d)4(?:00|22)(?!\d)|validation|invalid|missing|required|must be", re.IGNORECASE)),
]


def category_of(error: BaseException) -> Category:
    """The category of an error."""
    known = explain(error).category
    if isinstance(error, PalimpsestError) or status_code(error) is not None:
        return known
    told = category_of_text(str(error))
    return told if known == "unknown" or (known, told) == ("validation", "auth") else known


def category_of_text(text: str) -> Category:
    """The category of a failure, from the words of the tool's message."""
    return next((category for category, pattern in _TOLD if pattern.search(text)), "unknown")


def problem_with(definition: ToolDefinition, error: BaseException) -> Problem:
    """The failure described with the tool's texts; an error that already has a precise explanation keeps it."""
    category = category_of(error)
    if isinstance(error, PalimpsestError):
        problem = error.problem
    else:
        problem = problem_of(category, f"tools.failures.{category}", tool=definition.title)
    hint = definition.hints.get(category)
    return problem.model_copy(update={"remedy": hint}) if hint else problem


def falls_back(problem: Problem) -> bool:
    """Whether a fallback may succeed where this tool failed."""
    return problem.category not in FINAL
