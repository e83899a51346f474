"""Reads PPTX files slide by slide: titles, text, tables, charts, comments and notes; the page is the slide number."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pptx
from pptx.exc import PythonPptxError
from pptx.oxml.ns import qn

from core.library.extract import problems
from core.library.extract.office.package import Package, opened
from core.library.extract.office.slide_comments import authors_of
from core.library.extract.office.slides import UNREADABLE, Slides, given_title
from core.library.extract.text import normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.settings import Settings

MIME = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
_RELATION = qn("r:id")
_OFF = ("0", "false")


def extract_pptx(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when the package or its main part is broken."""
    package = opened(path, "PPTX", filename, _opened)
    presentation = package.document
    # The library's own list loads all slides together and fails if one is missing.
    places = list(presentation.element.iter(qn("p:sldId")))
    total = min(len(places), settings.limits.document_pages)
    reader = Slides(authors_of(presentation), settings.reading.hidden)
    blocks: list[Block] = []
    pictured, left_out = [], []
    limit = left = settings.limits.extracted_characters
    for number, place in enumerate(places[:total], 1):
        try:
            slide = presentation.part.related_slide(place.get(_RELATION))
            if slide._element.get("show") in _OFF and not settings.reading.hidden:
                left_out.append(number)
                continue
            found = list(reader.blocks(slide, number))
            if not found and len(slide.shapes):
                pictured.append(number)
        except (*UNREADABLE, PythonPptxError):
            reader.unread_on.add(number)
            continue
        finally:
            progress(number, total)
        blocks += found
        left -= sum(len(block.text) for block in found)
        if left <= 0:
            break
    if not blocks and reader.unread_on:
        raise problems.corrupt(filename, "PPTX")
    notes = [problems.only_characters(limit)] if left <= 0 else []
    notes += [problems.only_pages(total, len(places))] if total < len(places) else []
    notes += [problems.hidden_slides(left_out)] if left_out else []
    notes += _notes(reader, package, [number for number in pictured if number not in reader.charts_on])
    title, author, created = _properties(presentation)
    return Extracted(
        blocks=blocks, mime=MIME, pages=len(places), title=title, author=author, created=created, notes=notes
    )


def _opened(file: Any) -> Any:
    try:
        presentation = pptx.Presentation(file)
        if presentation.element.tag != qn("p:presentation"):
            raise ValueError("no presentation")
    except PythonPptxError as error:
        raise ValueError(str(error)) from error
    return presentation


def _notes(reader: Slides, package: Package[Any], pictured: list[int]) -> list[problems.Note]:
    kinds = (
        (problems.hidden_shapes, reader.hidden_on),
        (problems.pictured_slides, pictured),
        (problems.unread_charts, reader.charts_on),
        (problems.unread_on_slides, reader.unread_on),
    )
    return [note(sorted(slides)) for note, slides in kinds if slides] + package.notes()


def _properties(presentation: Any) -> tuple[str | None, str | None, str | None]:
    """Returns (title, author, creation date), ``None`` for each that is missing."""
    try:
        properties = presentation.core_properties
        return (
            given_title(properties.title),
            normalise_line(properties.author or "") or None,
            properties.created.date().isoformat() if properties.created else None,
        )
    except UNREADABLE:
        return None, None, None
