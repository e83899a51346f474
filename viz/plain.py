"""Converts stored text to plain sentences: removes Markdown marks, citations and cell separators."""

from __future__ import annotations

import re

from viz.cells import CELL

_BLOCK_MARKS = re.compile(r"^[ \t]*(?:>[ \t]?|#{1,6}[ \t]+|[-*+][ \t]+(?=\S))+", re.MULTILINE)
_EMPHASIS = re.compile(r"(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\1", re.DOTALL)
_SLANT = re.compile(r"(?<![\w*])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*])\*(?![\w*])")
_LINK = re.compile(r"\[([^\]\n]{1,1000})\]\((?:[^()\s]|\([^()\s]*\))+\)")
_CITATION = re.compile(r"(?:(?<![^\S\n])[^\S\n]++)?+\[\d{1,3}[a-z]?\]")
_RULE = re.compile(r"^\s*+\|?\s*+:?-{2,}+:?\s*+(?:\|\s*+:?-{2,}+:?\s*+)*+\|?\s*+$")
_ASKED, _ANSWERED = "User: ", "\nAssistant: "
"""Prefixes of the question and the answer in an exchange that is stored as one text."""


def plain(text: str) -> str:
    """The text as it would be read aloud: no marks, no citations, a table row as "label: cell, cell"."""
    bare = _LINK.sub(r"\1", text)
    while (less := _EMPHASIS.sub(r"\2", bare)) != bare:
        bare = less
    bare = _CITATION.sub("", _SLANT.sub(r"\1", _BLOCK_MARKS.sub("", bare)))
    lines = (_plain_row(line) for line in bare.splitlines() if not _RULE.match(line))
    return re.sub(r"\n{2,}", "\n", "\n".join(line.rstrip() for line in lines)).strip()


def plain_lines(text: str) -> str:
    """The quotations of a remembered answer, each as plain text and still marked as a quotation."""
    return "\n\n".join(f"> {_unmarkable(line)}" for line in map(_paragraph_text, text.split("\n\n")) if line)


def question_and_answer(content: str) -> tuple[str, str]:
    """The question (if the memory is an exchange) and the text of the memory, both plain."""
    asked, mark, answer = content.partition(_ANSWERED)
    if not mark or not asked.startswith(_ASKED):
        return "", plain(content)
    return plain(asked.removeprefix(_ASKED)), plain(answer)


def _paragraph_text(paragraph: str) -> str:
    return " ".join(plain(paragraph).split())


def _unmarkable(line: str) -> str:
    """The line without any remaining Markdown."""
    return re.sub(r"([\\`*_{}<>#|~])", r"\\\1", line)


def _plain_row(line: str) -> str:
    stripped = line.strip().strip("|").strip()
    if CELL not in stripped:
        return line
    cells = [cell.strip() for cell in stripped.split("|")]
    label, *rest = [cell for cell in cells if cell] or [""]
    return f"{label}: {', '.join(rest)}" if rest else label
