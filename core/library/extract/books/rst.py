"""Reads reStructuredText with docutils; includes, raw passages, files and links are never opened."""

from __future__ import annotations

import re
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree, publish_from_doctree

from core.library.extract import problems
from core.library.extract.books.parts import read_html
from core.library.extract.text import decode, normalise
from core.library.extract.txt import paragraphs
from core.library.extracted import Block, Extracted
from core.settings import Settings

MIME = "text/x-rst"
MOST_CHARACTERS = 2_000_000
"""Longer files are read as plain text, because the parser takes seconds per million characters."""
_ROLE = re.compile(r":[\w:.+-]{1,60}:`([^`<]{1,500})(?:<[^`<>]{0,500}>)?`")
_GIVEN = {
    "_disable_config": True,
    "doctitle_xform": False,
    "embed_stylesheet": False,
    "file_insertion_enabled": False,
    "halt_level": 5,
    "initial_header_level": 1,
    "input_encoding": "unicode",
    "math_output": "LaTeX",
    "output_encoding": "unicode",
    "raw_enabled": False,
    "report_level": 5,
    "smart_quotes": False,
    "stylesheet_path": "",
    "syntax_highlight": "none",
    "warning_stream": False,
}


def extract_rst(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Directives unknown to docutils keep their text."""
    limit = min(MOST_CHARACTERS, settings.limits.extracted_characters)
    text = decode(path.read_bytes()).replace("\x00", "")
    if len(text) > limit:
        return _as_text(text, settings)
    try:
        tree = publish_doctree(text, settings_overrides=_GIVEN)
        _mend(tree)
        page = str(publish_from_doctree(tree, writer="html5", settings_overrides=_GIVEN))
    except Exception:  # docutils does not catch the errors of its components
        return _as_text(text, settings)
    extracted = read_html(page, settings)
    title = next((block.text for block in extracted.blocks if block.kind == "heading"), None)
    return extracted.model_copy(update={"mime": MIME, "title": tree.get("title") or title})


def _mend(tree: nodes.document) -> None:
    """Remove images, and replace error messages by the original text that was not understood."""
    for picture in list(tree.findall(nodes.image)):
        picture.parent.replace(picture, nodes.paragraph("", picture.get("alt", "")))
    for complaint in list(tree.findall(nodes.system_message)):
        lost = next(iter(complaint.findall(nodes.literal_block)), None)
        lines = lost.astext().splitlines() if lost is not None else []
        if lines and lines[0].lstrip().startswith(".."):
            lines[0] = lines[0].partition("::")[2]
        kept = [line for line in lines if not line.strip().startswith(":")]
        shown = paragraphs(normalise("\n".join(kept)))
        complaint.parent.replace(complaint, [nodes.paragraph("", part) for part in shown])
    for unknown in list(tree.findall(nodes.problematic)):
        text = unknown.astext()
        role = _ROLE.fullmatch(text)
        unknown.parent.replace(unknown, nodes.Text(role[1].strip() if role else text))


def _as_text(text: str, settings: Settings) -> Extracted:
    limit = settings.limits.extracted_characters
    notes = [problems.only_characters(limit)] if len(text) > limit else []
    return Extracted(blocks=[Block(text=part) for part in paragraphs(normalise(text[:limit]))], mime=MIME, notes=notes)
