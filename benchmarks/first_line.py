"""Checks whether an answer's first line contains the requested figure: compares the expected with the actual answer and
returns a verdict.

A figure is expected if the question asks "what" or "how much", and the gold answer is short and contains one number. It
may be given in any unit that the line names. If neither the answer nor the question names a unit, it must match as
printed. All other questions are judged by hand.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from benchmarks.served import Answer

Verdict = Literal["right", "wrong", "by hand"]

SHORT = 14
"""Maximum words of a gold answer whose number counts as the answer."""
NEAR = 0.005
"""Relative difference allowed between figures that were rounded differently."""

_SCALES = {
    "thousand": 1e3, "thousands": 1e3, "million": 1e6, "millions": 1e6, "mn": 1e6, "m": 1e6,
    "billion": 1e9, "billions": 1e9, "bn": 1e9, "b": 1e9, "%": 0.01, "percent": 0.01, "percentage": 0.01,
}  # fmt: skip
_NUMBER = re.compile(
    r"(?P<minus>[-−–]\s?|\()?[$€£₪]?\s?(?P<digits>\d[\d,]*(?:\.\d+)?|\.\d+)\s?"
    r"(?P<scale>%|percentage|percent|thousands?|millions?|billions?|mn\b|bn\b|[mb]\b)?",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:FY|CY|H[12]|Q[1-4]|[1-4]Q)\s?['’]?\d{0,4}|\b(?:19|20)\d\d\b|"
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\s\d{1,2}\b|\[\d+\w?\]",
    re.IGNORECASE,
)
_ASKS = re.compile(r"\b(?:what|how much|how many|how large|by how)\b", re.IGNORECASE)
_SAYS_SO = re.compile(r"^\W*(?:yes|no)\b", re.IGNORECASE)
_WISHED = re.compile(r"\b(?:in|USD)\s+(?:USD\s+|US\s?\$\s?)?(thousands|millions|billions)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Number:
    """A number in a text: ``value`` times ``scale``, which is ``None`` if no scale is given; half of ``step`` is the
    rounding error."""

    value: float
    scale: float | None
    step: float


def expected_figure(answer: str, question: str) -> Number | None:
    """Returns the one number of a short gold ``answer``; ``None`` if it is more than a number."""
    found = numbers_in(answer)
    if len(found) != 1 or len(answer.split()) > SHORT or _SAYS_SO.match(answer) or not _ASKS.search(question):
        return None
    number = found[0]
    wished = _WISHED.search(question)
    if number.scale is None and wished:
        return Number(number.value, _SCALES[wished.group(1).lower()], number.step)
    return number


def numbers_in(text: str) -> list[Number]:
    """Returns the numbers without years, quarters, dates and citation marks."""
    found = []
    for match in _NUMBER.finditer(_TIME.sub(" ", text)):
        digits = match["digits"].replace(",", "")
        decimals = len(digits.partition(".")[2])
        said = (match["scale"] or "").lower()
        value = float(digits) * (-1 if match["minus"] else 1)
        found.append(Number(value, _SCALES.get(said), 10.0**-decimals))
    return found


def judged(answer: str, question: str, said: Answer) -> Verdict:
    """Judges the workbench's response ``said`` to a question; ``answer`` is the gold answer."""
    expected = expected_figure(answer, question)
    if expected is None:
        return "by hand"
    data = said.get("answer") or {}
    told = numbers_in(str(data.get("line", "")))
    value = data.get("value")
    if isinstance(value, int | float):
        scale = 0.01 if data.get("unit") == "%" else float(data.get("scale") or 1.0)
        told.append(Number(float(value), scale, 0.0))
    return "right" if any(_same(expected, each) for each in told) else "wrong"


def _same(expected: Number, said: Number) -> bool:
    scales = [expected.scale or said.scale or 1.0] if expected.scale else [said.scale or 1.0, 1.0]
    for scale in scales:
        wanted, got = abs(expected.value) * scale, abs(said.value) * (said.scale or scale)
        if abs(wanted - got) <= max(NEAR * wanted, 0.5001 * expected.step * scale):
            return True
    return False


def is_sure(said: Answer) -> bool:
    """Returns whether an answer line is marked neither *not decided* nor doubtful."""
    data = said.get("answer")
    return bool(data) and bool(data.get("decided", True)) and not data.get("doubt")
