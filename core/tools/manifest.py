"""Describes the tools to users: what they can do, which ones an answer used, which one could find more."""

from __future__ import annotations

from collections.abc import Sequence

from core.messages import message
from core.tools.registry import RegisteredTool
from core.words import Words

CATEGORIES = ("documents", "memory", "web_search", "web_answer", "web_page", "open_data")
"""Categories that have their own name, in display order; tools of other categories are listed under their server."""


def capabilities(entries: Sequence[RegisteredTool]) -> Words:
    """The tools' titles by category, for users."""
    lines = []
    for category in _in_order(entries):
        titles = Words.joined([each.definition.title for each in entries if each.definition.category == category], ", ")
        lines.append(message("tools.manifest.line", category=_category(category), titles=titles))
    return Words.joined(lines, "\n")


def attribution(titles: Sequence[Words]) -> Words:
    """The tools that were used to find an answer."""
    return message("tools.manifest.found_with", titles=Words.joined(titles, ", "))


def suggestion(used: Sequence[str], there: Sequence[RegisteredTool], question: str) -> Words | None:
    """A follow-up suggestion: to ask the same question with the first tool that complements a ``used`` tool and was not
    used itself."""
    by_name = {each.name: each for each in there}
    wanted = (name for each in used if each in by_name for name in by_name[each].definition.complements)
    other = next((by_name[name] for name in wanted if name in by_name and name not in used), None)
    return message("tools.manifest.ask", title=other.definition.title, question=question) if other else None


def _in_order(entries: Sequence[RegisteredTool]) -> list[str]:
    there = dict.fromkeys(each.definition.category for each in entries)
    return [*(each for each in CATEGORIES if each in there), *(each for each in there if each not in CATEGORIES)]


def _category(category: str) -> Words:
    return message(f"tools.categories.{category}") if category in CATEGORIES else Words.alike(category)
