"""Tests ligatures in fonts without a character map, which are read from their glyph names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.extract import extract
from core.library.extract.pdf_layout.glyph_names import text_of_name
from core.library.extracted import Extracted
from core.settings import Settings


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str], Extracted]:
    """Reads a page of ligatures whose glyphs have these names, for the codes 1 (ff), 2 (fi) and 3 (ffi)."""

    def make(names: str) -> Extracted:
        lines = ["E\\001ect of the o\\003ce pro\\002t", "and the e\\001ort of the sta\\001 in the o\\003ce"]
        drawn = "".join(f"1 0 0 1 72 {700 - 14 * at} Tm ({line}) Tj " for at, line in enumerate(lines))
        content = f"BT /F 12 Tf {drawn}ET"
        encoding = f"<< /BaseEncoding /WinAnsiEncoding /Differences [1 {names}] >>"
        objects = [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
            f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {encoding} >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F 3 0 R >> >> "
            "/Contents 5 0 R >>",
            f"<< /Length {len(content)} >>\nstream\n{content}\nendstream",
        ]
        out, places = "%PDF-1.4\n", []
        for number, body in enumerate(objects, 1):
            places.append(len(out))
            out += f"{number} 0 obj\n{body}\nendobj\n"
        table = "".join(f"{place:010} 00000 n \n" for place in places)
        size = len(objects) + 1
        trailer = f"trailer << /Size {size} /Root 1 0 R >>\nstartxref\n{len(out)}\n"
        end = f"xref\n0 {size}\n0000000000 65535 f \n{table}{trailer}"
        (tmp_path / "made.pdf").write_text(f"{out}{end}%%EOF", encoding="latin-1")
        return extract(tmp_path / "made.pdf", "made.pdf", Settings(_env_file=None, ocr_enabled=False))

    return make


@pytest.mark.parametrize(
    "names", ["/f_f /f_i /f_f_i", "/f_f.alt /f_i.liga /f_f_i", "/uniFB00 /uni00660069 /uni006600660069", "/ff /fi /ffi"]
)
def test_ligatures_are_read_by_their_names(read: Callable[[str], Extracted], names: str) -> None:
    extracted = read(names)
    assert extracted.text == "Effect of the office profit and the effort of the staff in the office"
    assert not extracted.notes


def test_letters_that_nothing_tells_are_noted(read: Callable[[str], Extracted]) -> None:
    assert "letters on pages 1 are missing" in read("/g1 /g2 /g3").notes[0][0]


@pytest.mark.parametrize(
    ("name", "text"), [("T_h", "Th"), ("u1F600", "😀"), ("g17", ""), ("f_g17", ""), ("uniD800", "")]
)
def test_only_names_that_tell_are_believed(name: str, text: str) -> None:
    assert text_of_name(name) == text
