"""Converts PowerPoint files: each slide becomes a section with its texts, tables and notes in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from pptx import Presentation

from core.library.viewing.renditions.grid import CUT, table

MOST_SLIDES = 1_000
_POINTS = 12_700


def render(path: Path) -> str:
    with path.open("rb") as file:
        slides = list(Presentation(file).slides)
    parts = [_slide(slide, number) for number, slide in enumerate(slides[:MOST_SLIDES], 1)]
    return "".join(parts) + (CUT if len(slides) > MOST_SLIDES else "")


def _slide(slide: Any, number: int) -> str:
    title = slide.shapes.title
    heading = title.text_frame.text.strip() if title is not None and title.has_text_frame else ""
    name = f"{number} · {heading}" if heading else str(number)
    body = [
        _shape(shape) for shape in _reading_order(slide.shapes) if title is None or shape.shape_id != title.shape_id
    ]
    notes = slide.notes_slide.notes_text_frame if slide.has_notes_slide else None
    if notes is not None and notes.text.strip():
        body.append(f"<blockquote>{_paragraphs(notes)}</blockquote>")
    return f"<section><h2>{escape(name)}</h2>{''.join(body)}</section>"


def _reading_order(shapes: Any) -> list[Any]:
    """The shapes from top to bottom; those at about the same height from left to right."""
    return sorted(_leaves(shapes), key=lambda shape: ((shape.top or 0) // (10 * _POINTS), shape.left or 0))


def _leaves(shapes: Any) -> Iterator[Any]:
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from _leaves(shape.shapes)
        else:
            yield shape


def _shape(shape: Any) -> str:
    if getattr(shape, "has_table", False):
        return table([[cell.text for cell in row.cells] for row in shape.table.rows])
    return _paragraphs(shape.text_frame) if shape.has_text_frame else ""


def _paragraphs(frame: Any) -> str:
    return "".join(f"<p>{escape(each.text)}</p>" for each in frame.paragraphs if each.text.strip())
