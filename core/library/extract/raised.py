"""Keeps raised and lowered text apart from what it is printed next to.

A note mark printed as a small raised digit never joins the figure before it: 38² is 38 with a mark, not 382.
Where Unicode has the raised or lowered form of a character, that form is used; it is read as no part of a number.
"""

from __future__ import annotations

import re

_RAISED = str.maketrans(
    "0123456789+-\u2212=()abcdefghijklmnoprstuvwxyz*",
    "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ*",
)
_LOWERED = str.maketrans(
    "0123456789+-\u2212=()aehijklmnoprstuvx",
    "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ",
)
_ENDINGS = frozenset(["st", "nd", "rd", "th", "er", "re", "ème"])
"""Endings of ordinals, which are often printed raised and belong to their number: 1st, 1er."""
_MARK = re.compile(r"[0-9a-zA-Z*†‡§,()\[\]+\-\u2212= ]{1,12}")


def raised(text: str) -> str:
    """``text``, which is printed raised, in raised characters.

    A word of more than a few letters is kept as it is, between blanks where it holds a digit; "st" of "1st" too.

    >>> raised("2"), raised("-3"), raised("st"), raised("(a)"), raised("TM")
    ('²', '⁻³', 'st', '⁽ᵃ⁾', 'TM')
    """
    bare = text.strip()
    if not bare or bare.lower() in _ENDINGS or not _MARK.fullmatch(bare):
        return text
    if any(character.isdigit() for character in bare) or len(bare.strip("()[]")) == 1:
        return text.translate(_RAISED)
    return text


def lowered(text: str) -> str:
    """``text``, which is printed lowered, in lowered characters where it has a digit: the 2 of CO₂.

    >>> lowered("2"), lowered("max")
    ('₂', 'max')
    """
    return text.translate(_LOWERED) if any(character.isdigit() for character in text) else text
