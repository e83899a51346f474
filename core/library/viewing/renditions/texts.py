"""Converts text files: HTML, Markdown and plain text."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from pathlib import Path

from markdown_it import MarkdownIt

from core.library.extract.text import decode
from core.library.viewing.renditions.grid import CUT

MOST_CHARACTERS = 3_000_000

_parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).disable("image")


def render_html(path: Path, encoding: str = "") -> str:
    """The HTML unchanged; scripts, styles and images are removed later, when it is sanitised."""
    return _rendered(path, encoding, str)


def render_markdown(path: Path, encoding: str = "") -> str:
    """Converts Markdown; HTML inside it is shown as text."""
    return _rendered(path, encoding, _parser.render)


def render_plain(path: Path, encoding: str = "") -> str:
    """Converts plain text line by line."""
    return _rendered(path, encoding, lambda text: f"<pre>{escape(text)}</pre>")


def _rendered(path: Path, encoding: str, as_html: Callable[[str], str]) -> str:
    text = decode(path.read_bytes(), chosen=encoding)
    return as_html(text[:MOST_CHARACTERS]) + (CUT if len(text) > MOST_CHARACTERS else "")
