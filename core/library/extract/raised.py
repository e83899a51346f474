"""Keeps superscript and subscript text apart from the text next to it.

A footnote mark printed as a superscript digit never joins the number before it: 38² is 38 with a mark, not 382. If
Unicode has the superscript or subscript form of a character, that form is used; it is never read as part of a number.
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
"""Endings of ordinal numbers, which are often superscript and belong to their number: 1st, 1er."""
_MARK = re.compile(r"[0-9a-zA-Z*†‡§,()\[\]+\-\u2212= ]{1,12}")


def raised(text: str) -> str:
    """``text``, which is printed as superscript, in superscript characters.

    A word of more than a few letters is not changed; if it contains a digit, spaces are put around it. The "st" of
    "1st" is not changed either.

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
    """``text``, which is printed as subscript, in subscript characters if it contains a digit: the 2 of CO₂.

    >>> lowered("2"), lowered("max")
    ('₂', 'max')
    """
    return text.translate(_LOWERED) if any(character.isdigit() for character in text) else text
