"""Converts Markdown to HTML for the clipboard: for word processors and mail, without classes, scripts or pictures."""

from __future__ import annotations

from markdown_it import MarkdownIt

from core.words import Language

_parser = (
    MarkdownIt("commonmark", {"html": False, "linkify": False}).enable(["table", "strikethrough"]).disable("image")
)
_TABLE = '<table border="1" cellpadding="4" style="border-collapse:collapse">'


def to_rich_text(markdown: str, language: Language) -> str:
    """``markdown`` must be neutral (see ``viz.neutral_markdown``); ``language`` determines the writing direction."""
    direction = "rtl" if language == "he" else "ltr"
    html = str(_parser.render(markdown)).replace("<table>", _TABLE)
    return f'<div lang="{language}" dir="{direction}">{html}</div>'
