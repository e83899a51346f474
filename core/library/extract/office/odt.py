"""Reads ODT and ODP files: the text, tables, notes and comments of OpenDocument texts and presentations."""

from __future__ import annotations

import re
import zipfile
from contextlib import suppress
from pathlib import Path

from odfdo import Document, Element

from core.language.detection import detect
from core.library.extract import problems
from core.library.extract.office.odf_styles import OdfStyles
from core.library.extract.office.odf_text import OdfText
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.messages import message
from core.settings import Settings

_MIME = "application/vnd.oasis.opendocument."
_UNREADABLE = (LookupError, ValueError, AttributeError, TypeError, SyntaxError, OSError, zipfile.BadZipFile)
_MANIFEST = "META-INF/manifest.xml"
_LENGTH = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(cm|mm|in|pt|px|pc)?")
_CENTIMETRES = {"cm": 1.0, "mm": 0.1, "in": 2.54, "pt": 2.54 / 72, "px": 2.54 / 96, "pc": 2.54 / 6, None: 1.0}
_BAND = 1.27
"""In centimetres: shapes whose tops differ by less are next to each other."""
_TITLES = ("title",)
_MARGINS = ("style:header", "style:footer")


def extract_odt(path: Path, filename: str, settings: Settings) -> Extracted:
    """Extract the file. Raises ``PalimpsestError`` when it is encrypted or its content is broken."""
    document, body = _opened(path, filename, "ODT")
    text = OdfText(document, OdfStyles(document), settings.limits.extracted_characters, settings.reading.hidden)
    text.read(body)
    for note in text.notes:
        text.add(Block(text=note))
    notes = [problems.hidden_text(text.hidden)] if text.hidden else []
    notes += [problems.charts_unread(text.unread)] if text.unread else []
    try:
        with suppress(KeyError):  # This part is optional.
            _add_margins(document, text)
    except _UNREADABLE:
        notes.append(problems.broken_parts("styles.xml"))
    return _extracted(document, text, f"{_MIME}text", settings, notes, None)


def extract_odp(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """One page per slide. Raises as ``extract_odt``."""
    document, body = _opened(path, filename, "ODP")
    text = OdfText(document, OdfStyles(document), settings.limits.extracted_characters, settings.reading.hidden)
    slides = [child for child in body.children if child.tag == "draw:page"]
    total = min(len(slides), settings.limits.document_pages)
    left_out: list[int] = []
    for number, slide in enumerate(slides[:total], 1):
        progress(number, total)
        if text.left <= 0:
            break
        text.page = number
        if text.styles.is_hidden_page(slide.attributes.get("draw:style-name")) and not settings.reading.hidden:
            left_out.append(number)
            continue
        _read_slide(slide, text)
    notes = [problems.only_pages(total, len(slides))] if total < len(slides) else []
    notes += [problems.hidden_slides(left_out)] if left_out else []
    notes += [problems.hidden_text(text.hidden)] if text.hidden else []
    notes += [problems.charts_unread(text.unread)] if text.unread else []
    return _extracted(document, text, f"{_MIME}presentation", settings, notes, len(slides))


def _opened(path: Path, filename: str, kind: str) -> tuple[Document, Element]:
    try:
        with zipfile.ZipFile(path) as archive:
            if _MANIFEST in archive.namelist() and b"encryption-data" in archive.read(_MANIFEST):
                raise problems.protected(filename)
        document = Document(path)
        return document, document.body
    except _UNREADABLE as error:
        raise problems.corrupt(filename, kind) from error


def _read_slide(slide: Element, text: OdfText) -> None:
    """The title first, then the shapes from top to bottom, then the speaker notes."""
    shapes = [child for child in slide.children if child.tag.startswith("draw:") or child.tag == "office:annotation"]
    titles = [shape for shape in shapes if shape.attributes.get("presentation:class") in _TITLES]
    for shape in titles[:1]:
        name = " ".join(normalise(shape.text_recursive).split()) if not shape.get_elements("descendant::text:p") else ""
        lines = [normalise_line(text.line(p)) for p in shape.get_elements("descendant::text:p")]
        name = " ".join(filter(None, lines)) or name
        if name:
            text.add(Block(text=name, kind="heading", level=1, page=text.page))
    for shape in sorted((shape for shape in shapes if shape not in titles[:1]), key=_place):
        if shape.attributes.get("presentation:class") == "notes":
            continue
        text.read_shape(shape)
    for notes in (child for child in slide.children if child.tag == "presentation:notes"):
        for p in notes.get_elements("descendant::draw:text-box//text:p"):
            if line := normalise(text.line(p)):
                words = message("library.inserted.speaker_notes", text=line).to(detect(line))
                text.add(Block(text=words, kind="paragraph", page=text.page))


def _place(shape: Element) -> tuple[int, float]:
    attributes = shape.attributes
    top, left = _centimetres(attributes.get("svg:y")), _centimetres(attributes.get("svg:x"))
    return int(top // _BAND), left


def _centimetres(length: str | None) -> float:
    found = _LENGTH.fullmatch(length or "")
    return float(found.group(1)) * _CENTIMETRES[found.group(2)] if found else 0.0


def _add_margins(document: Document, text: OdfText) -> None:
    """Adds page headers and footers, once, at the end: letterheads contain important names and numbers."""
    seen: set[str] = set()
    for tag in _MARGINS:
        for margin in document.styles.get_elements(f"//{tag}"):
            line = text.flat(margin)
            if sum(map(str.isalpha, line)) > 5 and line not in seen:
                seen.add(line)
                text.add(Block(text=line))


def _extracted(
    document: Document,
    text: OdfText,
    mime: str,
    settings: Settings,
    notes: list[problems.Note],
    pages: int | None,
) -> Extracted:
    title = author = created = None
    try:
        with suppress(KeyError):
            meta = document.meta
            title = normalise_line(meta.title or "") or None
            author = normalise_line(meta.initial_creator or meta.creator or "") or None
            moment = meta.creation_date
            created = moment.date().isoformat() if moment else None
    except _UNREADABLE:
        notes.append(problems.broken_parts("meta.xml"))
    if text.left <= 0:
        notes.insert(0, problems.only_characters(settings.limits.extracted_characters))
    return Extracted(
        blocks=text.blocks, mime=mime, pages=pages, title=title, author=author, created=created, notes=notes
    )
