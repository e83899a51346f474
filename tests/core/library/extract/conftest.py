"""Fixtures for files made by the tests: a PDF writer that draws letters in any order."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from PIL import Image
from reportlab.pdfgen.canvas import Canvas

from core.library.extract import extract
from core.library.extracted import Extracted
from core.settings import Settings

ADVANCE = 0.5
"""Width of every letter, in units of the type size."""


@dataclass
class Pdf:
    """A PDF under construction. Each letter is one byte; a ToUnicode map assigns the characters."""

    pages: list[list[str]] = field(default_factory=lambda: [[]])
    codes: dict[str, int] = field(default_factory=dict)
    info: str = ""

    def text(self, x: float, y: float, text: str, size: float = 10, bold: bool = False) -> None:
        """Draws ``text`` rightwards from ``x`` in the given order."""
        shown = "".join(f"{self._code(letter):02x}" for letter in text)
        self.pages[-1].append(f"BT /{'B' if bold else 'F'} {size} Tf 1 0 0 1 {x:.2f} {y:.2f} Tm <{shown}> Tj ET")

    def letters(self, right: float, y: float, text: str, size: float = 10) -> None:
        """Draws ``text`` leftwards from ``right``, letter by letter, in reading order."""
        for index, letter in enumerate(text):
            if letter != " ":
                self.text(right - (index + 1) * ADVANCE * size, y, letter, size)

    def words(self, right: float, y: float, text: str, size: float = 10) -> None:
        """Draws ``text`` leftwards word by word, each word's letters in visual order."""
        for word in text.split(" "):
            right -= len(word) * ADVANCE * size
            self.text(right, y, word[::-1], size)
            right -= ADVANCE * size

    def turned(self, x: float, y: float, text: str, size: float = 10) -> None:
        """Draws ``text`` upwards."""
        shown = "".join(f"{self._code(letter):02x}" for letter in text)
        self.pages[-1].append(f"BT /F {size} Tf 0 1 -1 0 {x} {y} Tm <{shown}> Tj ET")

    def mirrored(self, right: float, y: float, text: str, size: float = 10) -> None:
        """Draws ``text`` leftwards in reading order with one mirrored matrix, as OCR layers do."""
        shown = "".join(f"{self._code(letter):02x}" for letter in text)
        self.pages[-1].append(f"BT /F {size} Tf -1 0 0 1 {right} {y} Tm <{shown}> Tj ET")

    def line(self, x0: float, y0: float, x1: float, y1: float) -> None:
        self.pages[-1].append(f"0.5 w {x0} {y0} m {x1} {y1} l S")

    def picture(self, width: float = 595, height: float = 842) -> None:
        self.pages[-1].append(f"q {width} 0 0 {height} 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x7f EI Q")

    def page(self) -> None:
        self.pages.append([])

    def save(self, path: Path, trailer: str = "", extra: tuple[str, ...] = ()) -> Path:
        """Writes the file; ``extra`` objects are numbered from 8."""
        widths = " ".join([str(int(ADVANCE * 1000))] * 255)
        entries = "\n".join(f"<{code:02x}> <{letter.encode('utf-16-be').hex()}>" for letter, code in self.codes.items())
        cmap = (
            "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def\n"
            f"1 begincodespacerange <00> <ff> endcodespacerange\n{len(self.codes)} beginbfchar\n{entries}\nendbfchar\n"
            "endcmap end end"
        )
        first = 8 + len(extra)
        kids = " ".join(f"{first + 2 * i} 0 R" for i in range(len(self.pages)))
        # Every code is drawn as a narrow letter, so that no shape overlaps its neighbours.
        shapes = f"/Encoding << /Differences [33 {'/i ' * 220}] >>"
        font = f"/Type /Font /Subtype /Type1 {shapes} /FirstChar 1 /LastChar 255 /Widths 5 0 R /ToUnicode 6 0 R"
        objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            f"<< /Type /Pages /Kids [{kids}] /Count {len(self.pages)} >>",
            f"<< {font} /BaseFont /Helvetica >>",
            f"<< {font} /BaseFont /Helvetica-Bold >>",
            f"[{widths}]",
            f"<< /Length {len(cmap)} >>\nstream\n{cmap}\nendstream",
            f"<< {self.info} >>",
            *extra,
        ]
        for number, page in enumerate(self.pages):
            content = "\n".join(page)
            objects.append(
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R /B 4 0 R >> >> "
                f"/Contents {first + 2 * number + 1} 0 R >>"
            )
            objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
        path.write_bytes(_assembled(objects, trailer))
        return path

    def _code(self, letter: str) -> int:
        return self.codes.setdefault(letter, 33 + len(self.codes))


def _assembled(objects: list[str], trailer: str) -> bytes:
    out = io.BytesIO()
    out.write(b"%PDF-1.4\n")
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1"))
    start = out.tell()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    out.write(f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode())
    end = f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 7 0 R {trailer} >>\nstartxref\n{start}\n%%EOF"
    out.write(end.encode("latin-1"))
    return out.getvalue()


@pytest.fixture
def settings() -> Settings:
    return Settings(_env_file=None, ocr_enabled=False)


@pytest.fixture
def pdf() -> Pdf:
    return Pdf()


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, bytes | str], Path]:
    def write_file(name: str, data: bytes | str) -> Path:
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    return write_file


@pytest.fixture
def read(write: Callable[[str, bytes | str], Path], settings: Settings) -> Callable[[str, bytes | str], Extracted]:
    """Extracts a file with this name and content."""
    return lambda name, data: extract(write(name, data), name, settings)


@pytest.fixture
def repacked() -> Callable[[bytes, dict[str, bytes]], bytes]:
    """A zip with some entries replaced or added."""

    def repack(data: bytes, changed: dict[str, bytes]) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
            for name in [*old.namelist(), *(name for name in changed if name not in old.namelist())]:
                new.writestr(name, changed.get(name) if name in changed else old.read(name))
        return out.getvalue()

    return repack


@pytest.fixture
def picture() -> bytes:
    """A small PNG without any text."""
    out = io.BytesIO()
    Image.new("RGB", (40, 40), "navy").save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def drawn(tmp_path: Path) -> Callable[[Callable[[Canvas], None]], Extracted]:
    """Extracts a PDF that a test draws."""

    def draw(on: Callable[[Canvas], None]) -> Extracted:
        canvas = Canvas(str(tmp_path / "form.pdf"))
        on(canvas)
        canvas.save()
        return extract(tmp_path / "form.pdf", "form.pdf", Settings(_env_file=None, ocr_enabled=False))

    return draw
