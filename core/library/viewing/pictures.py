"""Draws the pages of a PDF or image file; reads their sizes and page labels."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from core.library.extract import picture_kinds
from core.library.tables.records import Box
from core.library.viewing.letters import Letter, letters_of, shown_box
from core.library.viewing.records import PageGeometry, PicturedPage, Rectangle

_QUALITY = 86
_MOST_PIXELS = 24_000_000
_LONGEST_SCAN = 4_500
_TALLEST = 16_000
"""Maximum height of an image in pixels, because WebP allows at most 16,383 pixels per side."""
_MOST_PICTURES = 200
_DEEPEST = 4
"""How many pictures of a page are measured, and in how deeply nested groups."""
_PDF = b"%PDF-"


class Pages:
    """A PDF that stays open while it is viewed."""

    def __init__(self, path: Path) -> None:
        self.document: Any = pypdfium2.PdfDocument(path)
        self.document.init_forms()

    def close(self) -> None:
        self.document.close()

    def anatomy(self) -> PageGeometry:
        count = len(self.document)
        sizes = [_sane(*self.document.get_page_size(index)) for index in range(count)]
        labels = [self.document.get_page_label(index) or None for index in range(count)]
        return PageGeometry(sizes=sizes, labels=labels if any(labels) else [])

    @contextmanager
    def page(self, number: int) -> Iterator[Any]:
        """One page. Raises ``LookupError`` for a page that does not exist."""
        if not 1 <= number <= len(self.document):
            raise LookupError(f"page {number}")
        with closing(self.document[number - 1]) as page:
            yield page

    def letters(self, number: int) -> list[Letter]:
        """The letters of the page's text layer."""
        with self.page(number) as page:
            return letters_of(page, number)

    def shown(self, number: int, box: Box) -> Rectangle | None:
        """Converts a box in points to fractions of the displayed page."""
        with self.page(number) as page:
            return shown_box(page, box)

    def image(self, number: int, dots_per_inch: int) -> Any:
        """The page as a grey PIL image for the OCR engine."""
        with self.page(number) as page:
            longest = max(*page.get_size(), 1.0)
            return page.render(scale=min(dots_per_inch / 72, _LONGEST_SCAN / longest), grayscale=True).to_pil()

    def pictured(self, number: int) -> PicturedPage:
        """How much of the page pictures cover; charts that are drawn with lines do not count."""
        with self.page(number) as page:
            across, down = _sane(*page.get_size())
            pictures = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE], max_depth=_DEEPEST)
            boxes = [each.get_bounds() for each in islice(pictures, _MOST_PICTURES)]
            area = sum(
                max(0.0, min(right, across) - max(left, 0.0)) * max(0.0, min(top, down) - max(bottom, 0.0))
                for left, bottom, right, top in boxes
            )
            with closing(page.get_textpage()) as text:
                characters = len("".join(text.get_text_bounded().split()))
        return PicturedPage(share=min(1.0, area / (across * down)), characters=characters)

    def draw(self, number: int, width: int, target: Path) -> None:
        """Draw the page as WebP, with fewer pixels than requested if it would be too large for memory."""
        with self.page(number) as page:
            across, down = _sane(*page.get_size())
            scale = min(width / across, (_MOST_PIXELS / (across * down)) ** 0.5, _TALLEST / max(across, down))
            image = page.render(scale=scale).to_pil()
        image.convert("RGB").save(target, "WEBP", quality=_QUALITY, method=0)


class PicturePages:
    """The images of one image file, one per page."""

    def __init__(self, path: Path) -> None:
        from PIL import Image

        Image.MAX_IMAGE_PIXELS = 200_000_000
        picture_kinds.is_heic_read()
        self._image = Image.open(path)
        self._count = 1 if self._image.format in picture_kinds.MOVING else getattr(self._image, "n_frames", 1)

    def close(self) -> None:
        self._image.close()

    def anatomy(self) -> PageGeometry:
        sizes = []
        for index in range(self._count):
            self._image.seek(index)
            sizes.append((float(self._image.width), float(self._image.height)))
        return PageGeometry(sizes=sizes)

    def letters(self, number: int) -> list[Letter]:
        """Always empty: an image has no text layer."""
        return []

    def shown(self, number: int, box: Box) -> Rectangle | None:
        """Always ``None``: an image has no coordinates in points."""
        return None

    def image(self, number: int, dots_per_inch: int) -> Any:
        """The page as a grey PIL image for the OCR engine, at its own resolution."""
        self._image.seek(self._index(number))
        return self._image.convert("L")

    def _index(self, number: int) -> int:
        if not 1 <= number <= self._count:
            raise LookupError(f"page {number}")
        return number - 1

    def pictured(self, number: int) -> PicturedPage:
        """The whole page is one picture."""
        self._index(number)
        return PicturedPage(share=1.0)

    def draw(self, number: int, width: int, target: Path) -> None:
        from PIL import ImageOps

        self._image.seek(self._index(number))
        image = ImageOps.exif_transpose(self._image.convert("RGB"))
        height = min(_TALLEST, max(1, round(image.height * width / image.width)))
        image.resize((width, height)).save(target, "WEBP", quality=_QUALITY, method=0)


def open_pages(path: Path) -> Pages | PicturePages:
    """Open the file by its actual content, not by its name."""
    with path.open("rb") as file:
        return Pages(path) if _PDF in file.read(1024) else PicturePages(path)


def _sane(width: float, height: float) -> tuple[float, float]:
    """The size, or that of a letter page if the page has no size."""
    return (width, height) if width > 0 and height > 0 else (612.0, 792.0)
