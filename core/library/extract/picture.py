"""PNG, JPEG, TIFF, WebP, BMP, GIF and HEIC: pictures of pages, read by the OCR engine like a scanned PDF."""

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
"""A sheet of A1 at 300 dots an inch has 70 million; each takes up to four bytes."""
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
_HEIF = "HEIF"
_SMALL = 1_600
"""Pictures of screens have letters too small for the engine, which was trained on 300 dots an inch."""


def extract_picture(path: Path, filename: str, settings: Settings, progress: Progress) -> Extracted:
    """Blocks with the number of the picture in the file as their page.

    Raises:
        PalimpsestError: damaged, too large to be decoded, without any words, or there is no engine here.
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
    except Exception as error:  # decoders let whatever their formats hold through
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
    """What Pillow is to try. Raises ``PalimpsestError`` for a picture whose reader is not installed."""
    if format_of(path, filename) != "heic":
        return _FORMATS
    if not picture_kinds.is_heic_read():
        raise problems.no_heic_reader(filename)
    return (_HEIF,)


def _pages(path: Path, frames: Iterator[Image.Image], seconds: float, progress: Progress) -> dict[int, Page | None]:
    """By number; ``None`` without words, or where it waits for them."""
    ends = time.monotonic() + seconds
    pages: dict[int, Page | None] = {}
    for number, frame in enumerate(frames, 1):
        pages[number] = recognised_page(path, number, partial(_prepared, frame), ends)
        progress(number, number)
    return pages


def _frames(image: Image.Image, filename: str, most: int, notes: list[tuple[str, str]]) -> Iterator[Image.Image]:
    """The pictures of a file; their size is looked at before they are decoded."""
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
    """Upright, grey on white, and of a size that the engine reads well."""
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
