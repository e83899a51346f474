"""Finds the parties of a contract: *cover* → the names after "between" and "and"."""

from __future__ import annotations

import re

from core.language.hebrew import LETTER
from core.language.vocabulary import pattern_of, phrases
from core.library.identity.aliases import has_suffix
from core.library.identity.cover import Cover

_phrase = phrases("library/identity.parties")

_BETWEEN = re.compile(_phrase("between"), re.IGNORECASE | re.DOTALL)
_AND = re.compile(_phrase("and"))
_NAME_ENDS = pattern_of("library/identity.parties.name_ends")
_CELL = re.compile(_phrase("cell"), re.IGNORECASE | re.MULTILINE)
_GENERIC = pattern_of("library/identity.parties.generic")


def parties(cover: Cover) -> list[str]:
    """The parties' names in order; empty if the contract only names their roles."""
    labelled = [name for match in _CELL.finditer(cover.text) if (name := _party_name(match["rest"], address=True))]
    if len(labelled) > 1:
        return labelled
    for match in _BETWEEN.finditer(cover.text):
        first = _party_name(match["rest"])
        divided = _AND.search(match["rest"], len(first) if first else 0)
        second = _party_name(match["rest"][divided.end() :]) if divided else None
        if first and second:
            return [first, second]
        if first and has_suffix(first):
            return [first]
    return labelled


def _party_name(text: str, address: bool = False) -> str | None:
    text = text.strip(" :\n")
    ends = _NAME_ENDS.search(text)
    name = text[: ends.start()] if ends else text[:100]
    pieces = name.split(", ")
    if len(pieces) > 1 and (address or len(name) > 60):
        name = ", ".join(pieces[:2]) if has_suffix(f"x {pieces[1]}") and len(pieces[1].split()) == 1 else pieces[0]
    if (joined := _AND.search(name)) and has_suffix(name[: joined.start()]):
        name = name[: joined.start()]
    name = name.strip(" ,.;:\"'") + ("." if re.search(r"\b(?:Inc|Ltd|Co|Corp)$", name.strip(" ,.;:")) else "")
    name = " ".join(name.split())
    proper = name[:1].isupper() or name[:1].isdigit() or bool(re.match(LETTER, name))
    return name if 2 < len(name) <= 90 and proper and not _GENERIC.match(name) and len(name.split()) <= 9 else None
