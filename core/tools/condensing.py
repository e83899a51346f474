"""Shortens a long result to the available space: returns everything, a summary, or as many of its parts as fit.

Nothing is dropped silently: parts that do not fit are counted, and some of the first part is always shown
(docs/specification.md, "Tools").
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Awaitable, Callable, Sequence

from core.language.sentences import split_sentences
from core.language.tokens import count_tokens

log = logging.getLogger(__name__)

Summarise = Callable[[str, int], Awaitable[str]]
"""A function: (a text, its token limit) → a summary."""
LEAST = 64
"""Minimum number of tokens that the first part gets."""
_BLANK_LINE = re.compile(r"\n\s*\n")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def parts_of(text: str) -> list[str]:
    """A text's paragraphs, in order."""
    return [each for each in _BLANK_LINE.split(text) if each.strip()]


async def condensed(parts: Sequence[str], most_tokens: int, summarise: Summarise | None = None) -> str:
    """``parts`` as text for a model, in at most ``most_tokens`` tokens (or ``LEAST``, if that is more)."""
    most = max(most_tokens, LEAST)
    text = "\n\n".join(parts)
    if await asyncio.to_thread(count_tokens, text) <= most:
        return text
    if summarise is not None:
        short = await _summarised(text, most, summarise)
        if short:
            return short
    return await asyncio.to_thread(_first_parts, parts, most)


async def _summarised(text: str, most: int, summarise: Summarise) -> str:
    """The summary; empty if summarising failed, or if the summary is too long or has a number that is not in the
    text."""
    try:
        short = (await summarise(text, most)).strip()
    except Exception:
        log.warning("a long result was not summarised", exc_info=True)
        return ""
    invented = set(_NUMBER.findall(short)) - set(_NUMBER.findall(text))
    if invented:
        log.warning("a summary of a result told figures that it does not have")
        return ""
    return short if await asyncio.to_thread(count_tokens, short) <= most else ""


def _first_parts(parts: Sequence[str], most: int) -> str:
    """As many whole parts as fit, best first; if even the first is too long, only its first sentences."""
    kept: list[str] = []
    for each in parts:
        if count_tokens("\n\n".join([*kept, each, _left_out(len(parts))])) > most:
            break
        kept.append(each)
    if not kept:
        kept = [_beginning(parts[0], most - count_tokens(_left_out(len(parts))))]
        left = len(parts) - 1
        return f"{kept[0]}\n\n{_left_out(left)}" if left else kept[0]
    left = len(parts) - len(kept)
    return "\n\n".join([*kept, *([_left_out(left)] if left else [])])


def _beginning(part: str, most: int) -> str:
    """As many of the first lines of ``part`` as fit; if none fits, as many sentences, words or letters."""
    sentences = [each.text for each in split_sentences(part)]
    for pieces, between in ((part.splitlines(), "\n"), (sentences, " "), (part.split(), " "), (list(part), "")):
        low, high = 0, len(pieces)
        while low < high:
            middle = (low + high + 1) // 2
            if count_tokens(between.join(pieces[:middle])) <= most:
                low = middle
            else:
                high = middle - 1
        if low:
            return f"{between.join(pieces[:low])} …"
    return ""


def _left_out(count: int) -> str:
    """A note for the model on how many parts were left out."""
    return f"({count} more parts are left out.)"
