"""Tests pictures of pages, drawn by the tests and read by the installed engine."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

import pytest
from PIL import Image, ImageDraw, ImageFont

from core.errors import PalimpsestError
from core.library.extract import ocr, picture_kinds
from core.library.extracted import Extracted

Read = Callable[[str, bytes | str], Extracted]


def drawn(*lines: str, mode: str = "L") -> Image.Image:
    page = Image.new("L", (1700, 300 + 120 * len(lines)), 255)
    draw = ImageDraw.Draw(page)
    for number, line in enumerate(lines):
        draw.text((120, 120 + 120 * number), line, fill=0, font=ImageFont.load_default(56))
    return page.convert(mode)


def saved(image: Image.Image, kind: str, **given: object) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **given)
    return out.getvalue()


def png_of(width: int, height: int) -> bytes:
    """A PNG that declares a size but contains almost no data."""

    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(64))) + chunk(b"IEND", b"")


needs_engine = pytest.mark.skipif(not ocr._installed(), reason="tesseract is not installed")
TEXT = ("The reservoir at Hadar holds", "560 cubic metres of water")


@pytest.fixture
def settings(settings):
    settings.ocr_enabled = True
    return settings


@needs_engine
@pytest.mark.parametrize(
    ("name", "kind", "mode", "mime"),
    [
        ("a.png", "PNG", "L", "image/png"),
        ("a.png", "PNG", "RGBA", "image/png"),
        ("a.jpg", "JPEG", "RGB", "image/jpeg"),
        ("a.jpeg", "JPEG", "CMYK", "image/jpeg"),
        ("a.tif", "TIFF", "1", "image/tiff"),
        ("a.webp", "WEBP", "RGB", "image/webp"),
        ("a.bmp", "BMP", "RGB", "image/bmp"),
        ("a.gif", "GIF", "P", "image/gif"),
    ],
)
def test_the_text_of_a_picture_is_read(read: Read, name: str, kind: str, mode: str, mime: str) -> None:
    extracted = read(name, saved(drawn(*TEXT, mode=mode), kind))
    assert " ".join(extracted.text.split()) == " ".join(TEXT)
    assert (extracted.mime, extracted.pages) == (mime, 1)
    assert "read by OCR" in extracted.notes[0][0]


@needs_engine
def test_a_tiff_of_many_pages_keeps_their_numbers(read: Read) -> None:
    pages = [drawn("First page of water"), Image.new("L", (800, 800), 255), drawn("Third page of pumps")]
    extracted = read("a.tiff", saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert [(block.page, block.text) for block in extracted.blocks] == [
        (1, "First page of water"),
        (3, "Third page of pumps"),
    ]
    assert extracted.pages == 3
    assert "scanned pages: 2." in extracted.notes[0][0]


@needs_engine
def test_of_a_film_the_first_picture_is_read(read: Read) -> None:
    frames = [drawn("First page of water"), drawn("Second page of pumps")]
    for kind in ("GIF", "WEBP"):
        extracted = read(f"a.{kind.lower()}", saved(frames[0], kind, save_all=True, append_images=frames[1:]))
        assert extracted.text == "First page of water"
        assert extracted.pages == 1


@needs_engine
def test_a_picture_of_a_telephone_is_read_where_its_reader_is_installed(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + bytes(200)
    monkeypatch.setattr(picture_kinds, "is_heic_read", lambda: False)
    with pytest.raises(PalimpsestError) as caught:
        read("a.heic", data)
    assert "pi-heif" in caught.value.problem.remedy.en
    monkeypatch.setattr(picture_kinds, "is_heic_read", lambda: True)
    with pytest.raises(PalimpsestError, match="damaged"):
        read("a.heic", data)


@needs_engine
def test_a_photograph_that_lies_on_its_side_is_turned(read: Read) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    turned = drawn(*TEXT).rotate(90, expand=True)
    assert "560 cubic metres" in read("a.jpg", saved(turned, "JPEG", exif=exif)).text


@needs_engine
@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("blank.png", saved(Image.new("L", (400, 400), 255), "PNG"), "No text could be recognised"),
        ("bomb.png", png_of(60_000, 60_000), "too many pixels"),
        ("long.png", png_of(2_000_000_000, 2_000_000_000), "too many pixels"),
        ("cut.jpg", saved(drawn(*TEXT), "JPEG")[:3000], "is damaged"),
        ("cut.tif", saved(drawn(*TEXT), "TIFF")[:300], "is damaged"),
        ("head.png", b"\x89PNG\r\n\x1a\n", "is damaged"),
        ("short.png", png_of(600, 600), "is damaged"),
        ("large.png", png_of(12_000, 12_000), "too many pixels"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_each_that_cannot_be_read_has_words_of_its_own(read: Read, name: str, data: bytes, words: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read(name, data)
    problem = caught.value.problem
    assert words in problem.what.en
    assert all(any("א" <= letter <= "ת" for letter in part.he) for part in (problem.what, problem.why, problem.remedy))


def test_without_an_engine_it_is_said_what_to_install(read: Read, settings) -> None:
    settings.ocr_enabled = False
    with pytest.raises(PalimpsestError) as caught:
        read("a.png", saved(drawn("x"), "PNG"))
    assert "tesseract" in caught.value.problem.remedy.en
