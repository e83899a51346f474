"""Checks the citations of a written answer against the sources it was given."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from core.language.vocabulary import phrase_of

_LABEL = rf"(?:sources?|{phrase_of('search/documents.citations.sources')})"
_LIST = rf"\d{{1,3}}(?:\s*(?:[,;&]|and|{phrase_of('search/documents.citations.and')})\s*{_LABEL}?\s*\d{{1,3}})*"
_MARKER = re.compile(rf"\[\s*(?:{_LABEL}\s+({_LIST})(?:\s*[-–:][^\]\n]{{1,200}})?|({_LIST}))\s*\](?!\()", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,3}")
_CODE = re.compile(r"(```.*?(?:```|\Z)|`(?:[^`\n]|\n(?![ \t]*\n))*`)", re.DOTALL)
MOST_ROUNDS = 5
_GAP = re.compile(r"(?<![ \t])[ \t]++(?=[.,;:!?](?:\s|$))|(?<=\S[ \t])[ \t]+")


@dataclass(frozen=True)
class CheckedAnswer:
    """A checked answer; ``numbers`` are the valid citations in order of appearance; ``removed`` are those without a
    source."""

    text: str
    numbers: list[int]
    removed: list[int]


def check_citations(text: str, known: Collection[int]) -> CheckedAnswer:
    """Rewrites every marker as ``[N]`` and removes those without a source; leaves code unchanged.

    Understands ``[1]``, ``[1][2]``, ``[1, 2]``, ``[Source 1]`` and ``[Source 1 - report.pdf]``.
    """
    removed: list[int] = []
    numbers: list[int] = []
    for _ in range(MOST_ROUNDS):
        checked, numbers, gone = _checked_once(text, known)
        removed += gone
        if checked == text:
            break
        text = checked
    return CheckedAnswer(text, list(dict.fromkeys(numbers)), list(dict.fromkeys(removed)))


def _checked_once(text: str, known: Collection[int]) -> tuple[str, list[int], list[int]]:
    """Makes one pass over the text; returns it with the numbers kept and removed. Another pass may be needed, since
    removing a marker may turn the text around it into a new marker or code."""
    kept: list[int] = []
    removed: list[int] = []

    def replace(match: re.Match[str]) -> str:
        numbers = [int(number) for number in _NUMBER.findall(match.group(1) or match.group(2))]
        kept.extend(number for number in numbers if number in known)
        removed.extend(number for number in numbers if number not in known)
        return "".join(f"[{number}]" for number in numbers if number in known)

    parts = _CODE.split(text)
    for index in range(0, len(parts), 2):
        before = len(removed)
        parts[index] = _MARKER.sub(replace, parts[index])
        if len(removed) > before:
            parts[index] = _GAP.sub("", parts[index])
    return "".join(parts), kept, removed
