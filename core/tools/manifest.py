"""What the assistant says of its tools: what it can do, what an answer was found with, what would go deeper."""

from __future__ import annotations

from collections.abc import Sequence

from core.language.normalisation import fold
from core.messages import message
from core.tools.ranking import is_asked
from core.tools.registry import RegisteredTool
from core.words import Words

CATEGORIES = ("documents", "memory", "web_search", "web_answer", "web_page", "open_data")
"""Those that have a name of their own, in the order in which they are told; others are told by their server."""
QUICK = frozenset(("web_search",))


def manifest(entries: Sequence[RegisteredTool]) -> str:
    """For a model: its tools by category, each with what it does, in a line."""
    lines: list[str] = []
    for category in _in_order(entries):
        lines.append(f"{category}:")
        lines += [
            f"- {each.name}: {_first_sentence(each.definition.description)}"
            for each in entries
            if each.definition.category == category
        ]
    return "\n".join(lines)


def capabilities(entries: Sequence[RegisteredTool]) -> Words:
    """For people: the titles of what can be asked for, by category."""
    lines = []
    for category in _in_order(entries):
        titles = Words.joined([each.definition.title for each in entries if each.definition.category == category], ", ")
        lines.append(message("tools.manifest.line", category=_category(category), titles=titles))
    return Words.joined(lines, "\n")


def attribution(titles: Sequence[Words]) -> Words:
    """With which tools an answer was found."""
    return message("tools.manifest.found_with", titles=Words.joined(titles, ", "))


def suggestion(used: Sequence[RegisteredTool], there: Sequence[RegisteredTool], question: str) -> Words | None:
    """What would go deeper, or stand beside it: after a quick search of a question that asks for depth, research; else
    the first tool that complements what was used and was not used itself."""
    by_name = {each.name: each for each in there}
    names = {each.name for each in used}
    others = [
        by_name[name] for each in used for name in each.definition.complements if name in by_name and name not in names
    ]
    if not others:
        return None
    quick = any(each.definition.category in QUICK for each in used)
    deeper = next((each for each in others if quick and is_asked(each.definition, fold(question))), None)
    if deeper is not None:
        return message("tools.manifest.deeper", title=deeper.definition.title)
    return message("tools.manifest.beside", title=others[0].definition.title)


def _in_order(entries: Sequence[RegisteredTool]) -> list[str]:
    there = dict.fromkeys(each.definition.category for each in entries)
    return [*(each for each in CATEGORIES if each in there), *(each for each in there if each not in CATEGORIES)]


def _category(category: str) -> Words:
    return message(f"tools.categories.{category}") if category in CATEGORIES else Words.alike(category)


def _first_sentence(text: str) -> str:
    return " ".join(text.split()).split(". ")[0].rstrip(".")
