"""Reads PNG, JPEG, TIFF, WebP, BMP, GIF and HEIC: images of pages, recognised by the OCR engine like a scanned PDF."""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from PIL import Image, ImageOps

from core.errors import PalimpsestError
from core.library.extract import ocr, picture_kinds, problems, scans
from core.library.extract.pdf import OCR_PIXELS, OCR_SHARE, blocks_of_pages, recognised_page
from core.library.extract.pdf_layout.page import Page
from core.library.extract.pdf_layout.running_heads import without_margins
from core.library.extract.sniff import format_of
from core.library.extracted import Extracted, Progress
from core.settings import Settings

MOST_PIXELS = 120_000_000
"""Maximum number of pixels: an A1 sheet at 300 dots per inch has 70 million, at up to four bytes each."""
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
_HEIF = "HEIF"
_SMALL = 1_600
"""Screenshots have letters too small for the engine, which was trained at 300 dots per inch."""


def extract_picture(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Blocks, with the number of the image in the file as their page.

    Raises:
        PalimpsestError: it is damaged, too large to be decoded, has no words, or there is no OCR engine.
    """
    if not ocr.is_available(settings):
        raise problems.scanned(filename, tried=False)
    formats = _formats(path, filename)
    notes: list[tuple[str, str]] = []
    kind = "picture"
    try:
        with Image.open(path, formats=formats) as image:
            kind = image.format or kind
            frames = _frames(image, filename, settings.limits.document_pages, notes)
            pages = _pages(path, frames, OCR_SHARE * settings.deadlines.extraction, progress)
    except (PalimpsestError, MemoryError):
        raise
    except Image.DecompressionBombError as error:
        raise problems.too_many_pixels(filename, MOST_PIXELS) from error
    except Exception as error:  # decoders do not catch all errors of their formats
        raise problems.corrupt(filename, kind) from error
    read = [page for page in pages.values() if page]
    waiting = [number for number in pages if scans.current().waits(path, number)]
    unread = [number for number, page in pages.items() if not page and number not in set(waiting)]
    if not read and not waiting:
        raise problems.scanned(filename, tried=True)
    if unread:
        notes.append(problems.unread_pages(unread, tried=True))
    if waiting:
        notes.append(problems.waiting_pages(waiting))
    if read:
        notes.append(
            problems.recognised_pages(
                [page.number for page in read], ocr.language_names(scans.current().languages(path))
            )
        )
    return Extracted(
        blocks=blocks_of_pages(read, without_margins(read).kept),
        mime=Image.MIME.get(kind, "image/heic"),
        pages=len(pages),
        notes=notes,
    )


def _formats(path: Path, filename: str) -> tuple[str, ...]:
    """The formats that Pillow tries. Raises ``PalimpsestError`` for an image whose reader is not installed."""
    if format_of(path, filename) != "heic":
        return _FORMATS
    if not picture_kinds.is_heic_read():
        raise problems.no_heic_reader(filename)
    return (_HEIF,)


def _pages(path: Path, frames: Iterator[Image.Image], seconds: float, progress: Progress) -> dict[int, Page | None]:
    """Pages by number; ``None`` for a page without words or not recognised yet."""
    ends = time.monotonic() + seconds
    pages: dict[int, Page | None] = {}
    for number, frame in enumerate(frames, 1):
        pages[number] = recognised_page(path, number, partial(_prepared, frame), ends)
        progress(number, number)
    return pages


def _frames(image: Image.Image, filename: str, most: int, notes: list[tuple[str, str]]) -> Iterator[Image.Image]:
    """The images of a file; their size is checked before they are decoded."""
    number = 0
    while True:
        try:
            image.seek(number)
        except EOFError:
            return
        if number == most:
            notes.append(problems.only_pages(most, getattr(image, "n_frames", most + 1)))
            return
        if image.width * image.height > MOST_PIXELS:
            raise problems.too_many_pixels(filename, MOST_PIXELS)
        yield image
        number += 1
        if image.format in picture_kinds.MOVING:
            return


def _prepared(image: Image.Image) -> Image.Image:
    """The image upright, grey on white, and at a size that the engine reads well."""
    upright = ImageOps.exif_transpose(image)
    if "A" in upright.getbands() or "transparency" in upright.info:
        clear = upright.convert("RGBA")
        upright = Image.alpha_composite(Image.new("RGBA", clear.size, "white"), clear)
    grey = upright.convert("L")
    longest = max(grey.size)
    scale = min(OCR_PIXELS / longest, 2.0 if longest < _SMALL else 1.0)
    if scale == 1.0:
        return grey
    return grey.resize(
        (max(1, round(grey.width * scale)), max(1, round(grey.height * scale))), Image.Resampling.LANCZOS
    )
