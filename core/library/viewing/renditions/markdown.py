"""Markdown; HTML in it is shown as text."""

from __future__ import annotations

from pathlib import Path

from markdown_it import MarkdownIt

from core.library.extract.text import decode
from core.library.viewing.renditions.grid import CUT
from core.library.viewing.renditions.web import MOST_CHARACTERS

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def render(path: Path) -> str:
    text = decode(path.read_bytes())
    return str(_parser.render(text[:MOST_CHARACTERS])) + (CUT if len(text) > MOST_CHARACTERS else "")
