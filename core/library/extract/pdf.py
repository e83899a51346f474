"""Reads PDF files: text by position, page by page; scanned pages with the OCR engine."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import pypdfium2

from core.library.extract import ocr, problems, scans
from core.library.extract.pdf_layout.annotations import Note, Typed, annotations_of, prepare_forms
from core.library.extract.pdf_layout.bidi import letters_are_reversed, reads_right_to_left, unreversed_words
from core.library.extract.pdf_layout.bookmarks import bookmarks_of
from core.library.extract.pdf_layout.captioned_figures import with_captions
from core.library.extract.pdf_layout.characters import read_glyphs
from core.library.extract.pdf_layout.cover_lines import are_slides, cover_lines
from core.library.extract.pdf_layout.form_blocks import with_forms
from core.library.extract.pdf_layout.form_fields import in_grid, with_values
from core.library.extract.pdf_layout.glyph_names import GlyphNames
from core.library.extract.pdf_layout.glyphs import Box, Glyph, PageText, Piece, pieces_of, upright, writes_right_to_left
from core.library.extract.pdf_layout.label_pairs import with_pairs
from core.library.extract.pdf_layout.layout import columns_of, rows_of
from core.library.extract.pdf_layout.page import Page
from core.library.extract.pdf_layout.paragraphs import blocks_of
from core.library.extract.pdf_layout.raised_glyphs import mark_raised
from core.library.extract.pdf_layout.ruled_forms import form_in_grid
from core.library.extract.pdf_layout.ruled_tables import Grid, read_grids
from core.library.extract.pdf_layout.running_heads import without_margins
from core.library.extract.pdf_layout.text_layer import is_broken, is_scan, sample
from core.library.extract.pdf_layout.typography import Style
from core.library.extract.pdf_layout.unruled_tables import with_tables
from core.library.extract.text import normalise, normalise_line
from core.library.extracted import Block, Extracted, Progress
from core.library.tables.continuation import join_continued
from core.messages import message
from core.settings import Settings

MIME = "application/pdf"
OCR_SHARE = 0.8
OCR_PIXELS = 4_500
_LEAST_WORDS = 2
_MANY_LOST = 3
_CLEARLY_LARGER = 1.35
_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


def extract_pdf(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Extract the blocks with their page numbers.

    Raises:
        PalimpsestError: the file is protected or corrupt, or has only scans that cannot be read here.
    """
    with open_document(path, filename) as document:
        notes: list[tuple[str, str]] = []
        prepare_forms(document)
        pages = list(_pages(path, document, settings, notes, progress))
        waiting = [page.number for page in pages if page.is_scan and scans.current().waits(path, page.number)]
        if (
            any(page.is_scan for page in pages)
            and not waiting
            and not any(page.pieces or page.blocks or page.remarks for page in pages)
        ):
            raise problems.scanned(filename, ocr.is_available(settings))
        unread = [page.number for page in pages if page.is_unread]
        if unread := [number for number in unread if number not in set(waiting)]:
            notes.append(problems.unread_pages(unread, ocr.is_available(settings)))
        if broken := [page.number for page in pages if page.is_broken and page.is_scan and page.pieces]:
            notes.append(problems.no_language(broken))
        if lost := [page.number for page in pages if page.has_lost_letters]:
            notes.append(problems.lost_letters(lost))
        if waiting:
            notes.append(problems.waiting_pages(waiting))
        metadata = document.get_metadata_dict()
        margins = without_margins(pages)
        return Extracted(
            blocks=blocks_of_pages(pages, margins.kept),
            mime=MIME,
            pages=len(document),
            title=_given_title(metadata.get("Title", "")),
            author=normalise_line(metadata.get("Author", "")) or None,
            created=_parsed_date(metadata.get("CreationDate", "")),
            notes=notes,
            bookmarks=bookmarks_of(document),
            page_labels=margins.labels,
            cover_lines=cover_lines(pages, margins.kept),
            are_slides=are_slides(pages, _widths(document), metadata),
        )


def _widths(document: Any) -> list[float]:
    """The width-to-height ratio of each of the first pages."""
    with contextlib.suppress(pypdfium2.PdfiumError):
        sizes = [document.get_page_size(index) for index in range(min(len(document), 5))]
        return [width / max(height, 1.0) for width, height in sizes]
    return []


@contextlib.contextmanager
def open_document(path: Path, filename: str) -> Iterator[Any]:
    """An open pypdfium2 document; errors become messages for the user."""
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == pypdfium2.raw.FPDF_ERR_PASSWORD:
            raise problems.protected(filename) from error
        raise problems.corrupt(filename, "PDF") from error
    with document:
        yield document


def is_all_scans(document: Any, most_pages: int) -> bool:
    """Whether no page has text but some have images; stops at the first page with text."""
    scans = 0
    for index in range(min(len(document), most_pages)):
        with _loaded(document, index) as (page, textpage):
            if page is None or textpage is None:
                continue
            scan = is_scan(page, textpage)
            if not scan and sample(textpage, 200).strip():
                return False
            scans += scan
    return scans > 0


def _pages(
    path: Path, document: Any, settings: Settings, notes: list[tuple[str, str]], progress: Progress
) -> Iterator[Page]:
    total = min(len(document), settings.limits.document_pages)
    if total < len(document):
        notes.append(problems.only_pages(total, len(document)))
    ends = time.monotonic() + OCR_SHARE * settings.deadlines.extraction
    left = settings.limits.extracted_characters
    recognised: list[int] = []
    names = GlyphNames(path)
    for index in range(total):
        if scans.current().knows(path, index + 1):
            continue
        page = _read_page(document, index, names, only_scan=scans.current().only, hidden=settings.reading.hidden)
        if page.is_scan and ocr.is_available(settings):
            scanned = recognised_page(path, page.number, partial(_drawn, document, index, not page.typed), ends)
            if scanned:
                scanned.typed, scanned.remarks, scanned.width = page.typed, page.remarks, page.width
                page = scanned
                recognised.append(page.number)
        if page.is_broken and page.is_scan and scans.current().waits(path, page.number):
            page.pieces, page.blocks = [], []
        page.is_unread = page.is_scan and not page.pieces and not page.blocks
        if page.typed:
            page.pieces, written = with_values(page.pieces, page.typed, page.right_to_left, page.width)
            page.remarks = [*written, *page.remarks]
        yield page
        progress(index + 1, total)
        left -= page.characters
        if left <= 0:
            notes.append(problems.only_characters(settings.limits.extracted_characters))
            break
    if recognised:
        notes.append(problems.recognised_pages(recognised, ocr.language_names(scans.current().languages(path))))


@contextlib.contextmanager
def _loaded(document: Any, index: int) -> Iterator[tuple[Any, Any]]:
    """A page and its text, or ``(None, None)`` if this page is damaged."""
    page = textpage = None
    with contextlib.ExitStack() as opened:
        with contextlib.suppress(pypdfium2.PdfiumError):
            page = opened.enter_context(contextlib.closing(document[index]))
            textpage = opened.enter_context(contextlib.closing(page.get_textpage()))
        yield (page, textpage) if textpage is not None else (None, None)


def _read_page(
    document: Any, index: int, names: GlyphNames, *, only_scan: bool = False, marks: bool = True, hidden: bool = False
) -> Page:
    """Read one page. ``only_scan``: only check whether it is a scan; ``marks``: distinguish superscript; ``hidden``:
    include invisible text."""
    result = Page(index + 1)
    with _loaded(document, index) as (page, textpage):
        if page is None:
            return result
        result.is_scan = is_scan(page, textpage)
        result.is_broken = result.is_scan and is_broken(textpage)
        if only_scan:
            return result
        annotations = annotations_of(page, hidden)
        result.remarks, result.width = annotations.notes, page.get_size()[0]
        result.typed = annotations.typed
        text = read_glyphs(textpage, partial(names.text, index))
        if text is None:
            paragraphs = re.split(r"\n\s*\n", normalise(sample(textpage, textpage.count_chars())))
            result.blocks = [Block(text=part, page=result.number) for part in paragraphs if part]
            return result
        result.has_lost_letters = text.lost >= _MANY_LOST
        result.right_to_left = writes_right_to_left(text.upright)
        if marks:
            mark_raised(text.upright)
        grids = read_grids(page, text.quarter_turns)
        placed = _placed(annotations.typed, grids, text)
        grids, flow = _parted(grids, text.upright + [glyph for glyph, _ in placed])
        outside = {id(glyph) for glyph in flow}
        taken = {id(typed) for glyph, typed in placed if id(glyph) not in outside}
        result.typed = [typed for typed in annotations.typed if id(typed) not in taken]
        values = {id(glyph) for glyph, _ in placed}
        flow = [glyph for glyph in flow if id(glyph) not in values] if placed else flow
        result.pieces = _spelled(pieces_of(flow, result.right_to_left))
        result.pieces += [piece for grid in grids for piece in _pieces_of_grid(grid, result)]
        result.aside = [_spelled(pieces_of(group, writes_right_to_left(group))) for group in text.turned]
        left, bottom, right, top = page.get_mediabox()
        *_, result.bottom, result.top = upright((left, right, bottom, top), text.quarter_turns)
    return result


def _placed(fields: list[Typed], grids: list[Grid], text: PageText) -> list[tuple[Glyph, Typed]]:
    """The values typed into form fields inside ruled grids, each as a glyph at its position."""
    placed: list[tuple[Glyph, Typed]] = []
    is_blank = not any(typed.value and not typed.is_free for typed in fields)
    for typed in fields:
        typed.box = upright(typed.box, text.quarter_turns)
        glyph = in_grid(typed, len(text.upright) + 2 * len(placed) + 2)
        if any(grid.holds(glyph) for grid in grids) and not (typed.is_box and is_blank):
            placed.append((glyph, typed))
    return placed


def _parted(grids: list[Grid], glyphs: list[Glyph]) -> tuple[list[Grid], list[Glyph]]:
    """Assign each glyph to the smallest ruled table around it. Glyphs in a ruled frame that is not a table stay on the
    page."""
    for grid in grids:
        outside = [glyph for glyph in glyphs if not grid.place(glyph)]
        if grid.is_table(outside):
            glyphs = outside
        else:
            grid.cells.clear()
    return [grid for grid in grids if grid.cells], glyphs


def _pieces_of_grid(grid: Grid, page: Page) -> list[Piece]:
    """A ruled table, or a ruled form with each label and its value on one line."""
    if form := form_in_grid(grid, page.number, page.right_to_left):
        return form
    block = grid.block(page.number, page.right_to_left)
    return [Piece(block.text, *grid.box, grid.size, False, block)] if block else []


def _spelled(pieces: list[Piece]) -> list[Piece]:
    """Corrects text layers that store the letters of each right-to-left word backwards, with final letters first."""
    if letters_are_reversed(" ".join(piece.text for piece in pieces)):
        for piece in pieces:
            piece.text = unreversed_words(piece.text)
    return pieces


def _drawn(document: Any, index: int, annotated: bool) -> Any:
    """A PIL image of the page; ``None`` if it is damaged. ``annotated``: with annotations, but without form fields."""
    with _loaded(document, index) as (page, _):
        if page is None:
            return None
        scale = min(ocr.RESOLUTION / 72, OCR_PIXELS / max(*page.get_size(), 1.0))
        return page.render(scale=scale, grayscale=True, draw_annots=annotated, may_draw_forms=False).to_pil()


def recognised_page(path: Path, number: int, draw: scans.Draw, ends: float) -> Page | None:
    """Page ``number`` of the file as recognised by the OCR engine; ``None`` if it has no words or is not recognised
    yet.

    Args:
        draw: creates a PIL image of the page.
        ends: time on the monotonic clock when the time for all pages is over.
    """
    words = scans.current().words(path, number, draw, ends)
    if not words:
        return None
    try:
        with pypdfium2.PdfDocument(words) as read:
            result = _read_page(read, 0, GlyphNames(path), marks=False)
    except pypdfium2.PdfiumError:
        return None
    result.number, result.is_scan = number, False
    if unsure := ocr.unsure_lines(words):
        result.pieces = [piece for piece in result.pieces if not _is_within(piece, unsure)]
    if sum(map(str.isalnum, "".join(piece.text for piece in result.pieces))) < _LEAST_WORDS:
        return None
    return _evened(result)


def _is_within(piece: Piece, boxes: list[Box]) -> bool:
    x, y = (piece.x0 + piece.x1) / 2, (piece.bottom + piece.top) / 2
    return any(left <= x <= right and bottom <= y <= top for left, right, bottom, top in boxes)


def _evened(page: Page) -> Page:
    """Evens out letter sizes: recognised sizes vary from line to line, so only a clear difference counts. Removes bars,
    which are misread table rules."""
    page.pieces = [piece for piece in page.pieces if piece.text.strip("| ")]
    usual = median(piece.size for piece in page.pieces)
    for piece in page.pieces:
        if piece.size < _CLEARLY_LARGER * usual:
            piece.size = usual
        piece.text = " ".join(word for word in piece.text.split() if word != "|")
    return page


def blocks_of_pages(pages: list[Page], texts: list[list[Piece]]) -> list[Block]:
    """Paragraphs, headings and tables of all pages; ``texts`` is each page's text without its margins."""
    style = Style.of(piece for page in pages for piece in page.pieces if not piece.block)
    blocks: list[Block] = []
    for page, kept in zip(pages, texts, strict=True):
        for piece in kept:
            piece.bold = piece.bold and not (page.has_in_margin(piece) and piece.top < (page.top + page.bottom) / 2)
        kept = with_forms(with_captions(kept, page.number), page.number, page.right_to_left)
        kept = with_pairs(kept, page.number, page.right_to_left)
        kept = with_tables(kept, page.number, page.right_to_left)
        for region in columns_of(kept, page.right_to_left):
            blocks += blocks_of(rows_of(region, page.right_to_left), style, page.number, page.right_to_left)
        for turned in page.aside:
            blocks += blocks_of(rows_of(turned, page.right_to_left), Style(), page.number, page.right_to_left)
        blocks += page.blocks
        blocks += [_remark(note, page) for note in page.remarks]
    return join_continued(blocks)


def _remark(note: Note, page: Page) -> Block:
    words = message(f"library.reading.{'note_by' if note.author else 'note'}", author=note.author, text=note.text)
    return Block(text=words.to("he") if reads_right_to_left([note.text]) else words.en, page=page.number)


def _given_title(text: str) -> str | None:
    """The title property, unless it is a file name that a program put there."""
    title = re.sub(r"^Microsoft (Word|PowerPoint|Excel) - ", "", normalise_line(text))
    looks_like_file = re.search(r"\.(docx?|pdf|tex|dvi|indd|qxd|xlsx?|pptx?|rtf|html?)$", title, re.IGNORECASE)
    return title if title and not looks_like_file and title.lower() not in ("untitled", "document") else None


def _parsed_date(text: str) -> str | None:
    found = _DATE.match(text)
    return "-".join(part for part in found.groups() if part) if found else None
