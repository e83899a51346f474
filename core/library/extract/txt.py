"""Reads plain text: paragraphs between empty lines."""

from __future__ import annotations

import re
from pathlib import Path

from core.library.extract import problems
from core.library.extract.text import normalise, read_text
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "text/plain"
_LONG_LINE = 200


def extract_txt(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Line breaks are kept, because they matter in a list, log or poem."""
    limit = settings.limits.extracted_characters
    text, notes = read_text(path.read_bytes(), settings)
    notes += [problems.only_characters(limit)] if len(text) > limit else []
    return Extracted(blocks=[Block(text=part) for part in paragraphs(normalise(text[:limit]))], mime=MIME, notes=notes)


def paragraphs(text: str) -> list[str]:
    """The paragraphs of a text. A text without empty lines but with very long lines has one paragraph per line."""
    found: list[str] = []
    for part in re.split(r"\n\s*\n", text):
        lines = part.split("\n")
        if len(lines) > 1 and sum(map(len, lines)) / len(lines) > _LONG_LINE:
            found += lines
        else:
            found.append(part)
    return [part for part in (part.strip() for part in found) if part]
