"""Parses a spreadsheet's number format into sections and tokens (ECMA-376 part 1, 18.8.30)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal

TokenKind = Literal["text", "digit", "point", "comma", "percent", "slash", "exponent", "at", "general", "date", "half"]
LONGEST = 255
"""Maximum number of characters of a format; spreadsheets allow no more."""
_TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"?|\\(?P<escaped>.?)|(?P<wide>_.?)|(?P<filled>\*.?)|\[(?P<bracket>[^\]]*)\]?'
    r"|(?P<half>AM/PM|A/P|上午/下午)|(?P<general>General|Standard)|(?P<exponent>E[+-])"
    r"|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?|e+|b+)|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)"
    r"|(?P<slash>/)|(?P<at>@)|(?P<end>;)|(?P<other>.)",
    re.IGNORECASE | re.DOTALL,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?\d{1,15}(?:\.\d{1,15})?)")
_ELAPSED = re.compile(r"h+|m+|s+", re.IGNORECASE)
_CURRENCY = re.compile(r"\$(?P<sign>[^-]*)(?:-(?P<place>.{0,40}))?", re.DOTALL)
_HEXADECIMAL = re.compile(r"[0-9A-Fa-f]{1,8}")
_PLACE = 0xFFFF
"""The bits of a locale's number that give the language."""


@dataclass(frozen=True)
class Token:
    """A token of a format; ``text`` is the literal text, or the format's letters."""

    kind: TokenKind
    text: str


@dataclass
class FormatSection:
    """The part of a format between two semicolons; ``language`` is Windows' number for a language and country."""

    tokens: list[Token] = field(default_factory=list)
    condition: tuple[str, float] | None = None
    language: int = 0

    @property
    def is_date(self) -> bool:
        return any(token.kind in ("date", "half") for token in self.tokens)

    @property
    def is_text(self) -> bool:
        return any(token.kind == "at" for token in self.tokens)

    def has(self, kind: TokenKind) -> bool:
        return any(token.kind == kind for token in self.tokens)


def sections_of(code: str) -> list[FormatSection]:
    """The sections of a format, at least one."""
    sections = [FormatSection()]
    for found in _TOKEN.finditer(code[:LONGEST]):
        kind, text = found.lastgroup, found.group()
        section = sections[-1]
        if kind == "end":
            sections.append(FormatSection())
        elif kind == "bracket":
            _add_bracket(section, found["bracket"])
        elif kind == "wide":
            section.tokens.append(Token("text", " "))
        elif kind == "quoted" or kind == "escaped":
            section.tokens.append(Token("text", found[kind]))
        elif kind == "other":
            section.tokens.append(Token("text", text))
        elif kind != "filled" and kind is not None:
            section.tokens.append(Token(kind, text))  # type: ignore[arg-type]
    return sections


def _add_bracket(section: FormatSection, inside: str) -> None:
    """Handle a bracket: a condition, a currency with its country, or elapsed hours that continue past a day; colours
    are ignored."""
    if found := _CONDITION.fullmatch(inside.strip()):
        section.condition = (found[1], float(found[2]))
    elif _ELAPSED.fullmatch(inside):
        section.tokens.append(Token("date", f"[{inside.lower()}]"))
    elif currency := _CURRENCY.fullmatch(inside):
        if currency["sign"]:
            section.tokens.append(Token("text", currency["sign"]))
        if currency["place"] and _HEXADECIMAL.fullmatch(currency["place"]):
            section.language = int(currency["place"], 16) & _PLACE
