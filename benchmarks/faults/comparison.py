"""Compares a case's result with what it must and must not contain; numbers are compared by value.

A string that begins with ``re:`` is a Python pattern over the text as it is shown. Any other string is searched for
after numbers are normalised: ``1,234`` becomes ``1234``, one or two decimals lose trailing zeros, and a space before
``%`` and superscript digits are removed. If it begins or ends with a digit, it must match a whole number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

PATTERN = "re:"
_BLANKS = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_CITATION = re.compile(r"\s?\[M?\d+\]")
_QUOTATION = re.compile(r"^\s*>\s?", re.MULTILINE)
_RAISED = re.compile("[⁰¹²³⁴-⁹]")
_GROUPED = re.compile(r"(?<![\d,.])\d{1,3}(?:,\d{3})+(?!\d)")
_DECIMALS = re.compile(r"(?<![\d.])(\d+)\.(\d{1,2})(?![\d.]*\d)")
_PERCENT = re.compile(r"(?<=\d)\s+%")
_PARAGRAPHS = re.compile(r"\n\s*\n")


@dataclass(frozen=True)
class Wanted:
    """The expected content: all of ``must``, one of ``must_any`` if there are any, and none of ``must_not``."""

    must: Sequence[str] = ()
    must_any: Sequence[str] = ()
    must_not: Sequence[str] = ()

    def differences(self, text: str) -> Iterator[str]:
        """Returns what ``text`` should contain but does not, and what it contains but should not."""
        shown = _Shown(text)
        for each in self.must:
            if not shown.holds(each):
                yield f"lacks {each}"
        if self.must_any and not any(map(shown.holds, self.must_any)):
            yield f"contains none of {', '.join(self.must_any)}"
        for each in self.must_not:
            if shown.holds(each):
                yield f"must not contain {each}"


@dataclass
class _Shown:
    text: str
    plain: str = field(init=False)
    numbers: str = field(init=False)

    def __post_init__(self) -> None:
        self.plain = plain(self.text)
        self.numbers = with_plain_numbers(self.plain).casefold()

    def holds(self, wanted: str) -> bool:
        if wanted.startswith(PATTERN):
            pattern = unicodedata.normalize("NFC", wanted.removeprefix(PATTERN))
            return re.search(pattern, self.plain, re.IGNORECASE | re.MULTILINE) is not None
        sought = with_plain_numbers(plain(wanted)).casefold()
        before = r"(?<!\d)(?<!\d[.,])" if sought[:1].isdigit() else ""
        after = r"(?!\d)(?![.,]\d)" if sought[-1:].isdigit() else ""
        return re.search(before + re.escape(sought) + after, self.numbers) is not None


def plain(text: str) -> str:
    """Removes citation marks and Markdown marks, and makes all spaces the same."""
    text = _BLANKS.sub(" ", unicodedata.normalize("NFC", text))
    text = _CITATION.sub("", text.replace("**", "").replace("`", ""))
    return _QUOTATION.sub("", text)


def with_plain_numbers(text: str) -> str:
    """Writes each number in one format, without superscript digits."""
    text = _GROUPED.sub(lambda found: found.group().replace(",", ""), _RAISED.sub("", text))
    text = _DECIMALS.sub(_without_closing_zeros, text)
    return _PERCENT.sub("%", text)


def _without_closing_zeros(found: re.Match[str]) -> str:
    decimals = found[2].rstrip("0")
    return f"{found[1]}.{decimals}" if decimals else found[1]


def first_line(text: str) -> str:
    """Returns the first paragraph, with the list or table below it if it ends with a colon."""
    paragraphs = [part for part in _PARAGRAPHS.split(text.strip()) if part.strip()]
    if not paragraphs:
        return ""
    if plain(paragraphs[0]).rstrip().endswith(":") and len(paragraphs) > 1 and not paragraphs[1].startswith(">"):
        return "\n\n".join(paragraphs[:2])
    return paragraphs[0]
