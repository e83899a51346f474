"""Converts Office formulas (OMML) to one line of text: fractions, powers, indices, roots, sums, brackets, matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from core.library.extract.printed import bracketed, fraction
from core.library.extract.raised import lowered, raised

NAMESPACE = "http://schemas.openxmlformats.org/officeDocument/2006/math"
_IN = f"{{{NAMESPACE}}}"
FORMULA = f"{_IN}oMath"
_DEEPEST = 40
_RUN_TEXTS = frozenset((
    f"{_IN}t", "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}t",
    "{http://schemas.openxmlformats.org/drawingml/2006/main}t",
))  # fmt: skip
_NO_CONTENT = frozenset((
    "ctrlPr", "rPr", "fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "radPr", "naryPr", "dPr", "mPr", "eqArrPr",
    "funcPr", "limLowPr", "limUppPr", "accPr", "barPr", "boxPr", "borderBoxPr", "groupChrPr", "phantPr", "argPr",
))  # fmt: skip
_DELETED = frozenset(
    f"{{http://schemas.openxmlformats.org/wordprocessingml/2006/main}}{name}" for name in ("del", "moveFrom")
)


def formula_text(element: Any, depth: int = 0) -> str:
    """A formula's text in reading order; if it is nested absurdly deep, its letters in sequence.

    Args:
        element: an ``m:oMath`` or a part of one.
    """
    if depth > _DEEPEST:
        return "".join(each.text or "" for each in element.iter(*_RUN_TEXTS))
    return "".join(_part_text(child, depth + 1) for child in element)


def power(base: str, exponent: str) -> str:
    """``x²``; ``x^(ab)`` if an exponent has no superscript characters.

    >>> power("x", "2"), power("e", "ab"), power("a + b", "2")
    ('x²', 'e^(ab)', '(a + b)²')
    """
    if not exponent:
        return base
    high = raised(exponent.replace(" ", ""))
    base = bracketed(base) if " " in base else base
    if high != exponent.replace(" ", ""):
        return base + high
    return f"{base}^{exponent}" if len(exponent) == 1 else f"{base}^({exponent})"


def index(base: str, below: str) -> str:
    """``x₁``; ``x_max`` if an index is not a number.

    >>> index("x", "1"), index("x", "max"), index("x", "i j")
    ('x₁', 'x_max', 'x_(i j)')
    """
    if not below:
        return base
    low = lowered(below) if len(below) <= 8 else below
    return base + low if low != below else f"{base}_{bracketed(below)}"


def root(radicand: str, degree: str) -> str:
    """``√(x)``, ``³√(x)``."""
    return f"{raised(degree) if degree else ''}√({radicand})"


def _part_text(element: Any, depth: int) -> str:
    tag = element.tag
    if not isinstance(tag, str) or tag in _DELETED:
        return ""
    if tag in _RUN_TEXTS:
        return element.text or ""
    name = tag.removeprefix(_IN)
    if name in _NO_CONTENT:
        return ""
    reader = _READERS.get(name)
    return reader(element, depth) if reader else formula_text(element, depth)


def _arguments(element: Any, depth: int, *names: str) -> list[str]:
    """The texts of the named parts, empty for a missing one."""
    found = (element.find(_IN + name) for name in names)
    return [formula_text(each, depth).strip() if each is not None else "" for each in found]


def _property(element: Any, path: str, default: str) -> str:
    found = element.find("/".join(_IN + step for step in path.split("/")))
    value = found.get(f"{_IN}val") if found is not None else None
    return default if value is None else str(value)


def _fraction(element: Any, depth: int) -> str:
    top, bottom = _arguments(element, depth, "num", "den")
    if _property(element, "fPr/type", "bar") == "noBar":
        return f"({top} over {bottom})"
    text = fraction(top, bottom)
    before = element.getprevious()
    follows_number = before is not None and "".join(before.itertext()).rstrip()[-1:].isdecimal()
    return f" {text}" if follows_number and text[:1].isdecimal() else text


def _scripts(element: Any, depth: int) -> str:
    base, below, above = _arguments(element, depth, "e", "sub", "sup")
    return power(index(base, below), above)


def _scripts_before(element: Any, depth: int) -> str:
    base, below, above = _arguments(element, depth, "e", "sub", "sup")
    return f"{raised(above)}{lowered(below)}{base}"


def _root(element: Any, depth: int) -> str:
    return root(*_arguments(element, depth, "e", "deg"))


def _sum(element: Any, depth: int) -> str:
    base, below, above = _arguments(element, depth, "e", "sub", "sup")
    sign = _property(element, "naryPr/chr", "∫")
    return f"{power(index(sign, below), above)} {base}"


def _brackets(element: Any, depth: int) -> str:
    inner = (formula_text(each, depth).strip() for each in element.findall(f"{_IN}e"))
    opening, closing = _property(element, "dPr/begChr", "("), _property(element, "dPr/endChr", ")")
    return opening + _property(element, "dPr/sepChr", "|").join(inner) + closing


def _function(element: Any, depth: int) -> str:
    name, argument = _arguments(element, depth, "fName", "e")
    return f"{name}{argument}" if argument[:1] == "(" else f"{name} {argument}"


def _limit(element: Any, depth: int) -> str:
    base, limit = _arguments(element, depth, "e", "lim")
    return power(base, limit) if element.tag == f"{_IN}limUpp" else index(base, limit)


def _matrix(element: Any, depth: int) -> str:
    rows = (
        ", ".join(formula_text(cell, depth).strip() for cell in row.findall(f"{_IN}e"))
        for row in element.findall(f"{_IN}mr")
    )
    return "; ".join(rows)


def _lines(element: Any, depth: int) -> str:
    return "; ".join(formula_text(each, depth).strip() for each in element.findall(f"{_IN}e"))


_READERS: dict[str, Callable[[Any, int], str]] = {
    "f": _fraction, "sSup": _scripts, "sSub": _scripts, "sSubSup": _scripts, "sPre": _scripts_before, "rad": _root,
    "nary": _sum, "d": _brackets, "func": _function, "limLow": _limit, "limUpp": _limit, "m": _matrix,
    "eqArr": _lines,
}  # fmt: skip
