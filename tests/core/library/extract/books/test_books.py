"""Tests e-books, notebooks and reStructuredText."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.library.extract import extract
from core.library.extracted import Extracted
from core.library.guard import inspect
from core.settings import Settings

Read = Callable[[str, bytes | str], Extracted]
HEAD = (
    '<?xml version="1.0"?><!DOCTYPE html><html xmlns="http://www.w3.org/1999/xhtml">'
    '<head><title/><link href="a.css"/></head>'
)
PACKAGE = """<?xml version="1.0"?><package xmlns="http://www.idpf.org/2007/opf"
xmlns:dc="http://purl.org/dc/elements/1.1/">
<metadata><dc:title>On reservoirs</dc:title><dc:creator>Dana Levi</dc:creator><dc:date>2021-03-04T00:00:00Z</dc:date>
</metadata><manifest><item id="toc" href="toc.ncx" media-type="application/x-dtbncx+xml"/>
<item id="b" href="text/b%20two.xhtml" media-type="application/xhtml+xml"/>
<item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/>
<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest>
<spine><itemref idref="nav"/><itemref idref="a"/><itemref idref="b"/></spine></package>"""
BOOK = {
    "mimetype": "application/epub+zip",
    "META-INF/container.xml": '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    "OPS/book.opf": PACKAGE,
    "OPS/toc.ncx": "<ncx><navMap><navPoint><navLabel><text>Second part</text></navLabel>"
    '<content src="text/b%20two.xhtml#x"/></navPoint></navMap></ncx>',
    "OPS/nav.xhtml": f'{HEAD}<body><nav><a href="text/a.xhtml">One</a></nav></body></html>',
    "OPS/text/a.xhtml": f"{HEAD}<body><a id='x'/><h1>The dam</h1><p>It was <b/>built in 1950.</p></body></html>",
    "OPS/text/b two.xhtml": f"{HEAD}<body><p>It holds 560 cubic metres.</p><p>It leaks.</p></body></html>",
}


def packed(files: dict[str, str]) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return content.getvalue()


def test_an_e_book_is_read_in_the_order_of_its_spine(read: Read, tmp_path: Path) -> None:
    extracted = read("a.epub", packed(BOOK))
    assert [(block.text, block.kind) for block in extracted.blocks] == [
        ("The dam", "heading"), ("It was built in 1950.", None),
        ("Second part", "heading"), ("It holds 560 cubic metres.", None), ("It leaks.", None),
    ]  # fmt: skip
    assert (extracted.title, extracted.author, extracted.created) == ("On reservoirs", "Dana Levi", "2021-03-04")
    path = tmp_path / "a.epub"
    path.write_bytes(packed(BOOK))
    inspect(path, "a.epub", Settings(_env_file=None))


def test_an_encrypted_e_book_is_refused_and_one_with_hidden_typefaces_is_read(read: Read) -> None:
    def locked(algorithm: str, uri: str) -> bytes:
        data = (
            f'<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData>'
            f'<CipherReference URI="{uri}"/></CipherData></EncryptedData></encryption>'
        )
        return packed({**BOOK, "META-INF/encryption.xml": data})

    with pytest.raises(PalimpsestError, match="copy-protected"):
        read("a.epub", locked("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OPS/text/a.xhtml"))
    assert read("a.epub", locked("http://www.idpf.org/2008/embedding", "OPS/font.otf")).blocks
    with pytest.raises(PalimpsestError, match="damaged"):
        read("a.epub", packed({"META-INF/container.xml": "<container/>", "a.txt": "text"}))


def test_a_book_may_say_what_its_pages_are_and_declare_nothing(tmp_path: Path) -> None:
    path = tmp_path / "a.epub"
    path.write_bytes(packed({**BOOK, "OPS/x.xml": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}))
    with pytest.raises(PalimpsestError, match="rejected"):
        inspect(path, "a.epub", Settings(_env_file=None))


def test_a_notebook_gives_texts_code_and_what_it_printed(read: Read) -> None:
    frame = (
        "<div><style>td {}</style><table><thead><tr><th></th><th>city</th><th>n</th></tr></thead>"
        "<tbody><tr><th>0</th><td>Haifa</td><td>3</td></tr></tbody></table></div>"
    )
    cells = [
        {"cell_type": "markdown", "source": ["# Rain\n", "\n", "Measured in *March*."]},
        {
            "cell_type": "code",
            "source": "for n in range(2):\n    print(n)",
            "outputs": [
                {"output_type": "stream", "text": ["0\n", "\x1b[31m1\x1b[0m\n"]},
                {"output_type": "execute_result", "data": {"text/plain": ["  city n"], "text/html": [frame]}},
                {"output_type": "display_data", "data": {"image/png": "aa", "text/plain": "<Figure size 64x48>"}},
                {"output_type": "error", "ename": "KeyError", "evalue": "'x'", "traceback": ["…"]},
            ],
        },
        {"cell_type": "raw", "source": "A note."},
    ]  # fmt: skip
    extracted = read("a.ipynb", json.dumps({"nbformat": 4, "cells": cells}))
    texts = [block.text for block in extracted.blocks]
    assert texts[:4] == ["Rain", "Measured in March.", "for n in range(2):\n    print(n)", "0\n1"]
    assert extracted.blocks[4].kind == "table"
    assert "Haifa" in texts[4]
    assert texts[5:] == ["KeyError\n'x'", "A note."]
    assert extracted.title == "Rain"
    with pytest.raises(PalimpsestError, match="damaged"):
        read("a.ipynb", "[1, 2]")


def test_restructured_text_is_read_by_its_marks_and_opens_nothing(read: Read, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret")
    text = f"""
======
Report
======

First
-----

Water is *scarce*, see :ref:`there <x>`.

.. include:: {secret}

.. csv-table:: Rates
   :file: {secret}

.. versionadded:: 2.1
   The pump is new.

.. raw:: html

   <b>raw</b>

=====  =====
City   Sales
=====  =====
Haifa  3
Eilat  4
=====  =====

.. image:: {secret}
   :scale: 50 %
   :alt: A pump
"""
    extracted = read("a.rst", text)
    assert extracted.title == "Report"
    headings = [block.text for block in extracted.blocks if block.kind == "heading"]
    assert headings[:2] == ["Report", "First"]
    (table,) = [block for block in extracted.blocks if block.kind == "table"]
    assert table.text == "Haifa | 3\nEilat | 4"
    assert "Water is scarce, see there." in extracted.text
    assert "The pump is new." in extracted.text
    assert "A pump" in extracted.text
    assert "the secret" not in extracted.text


def test_a_file_of_another_kind_is_read_as_what_it_is(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"BM stands for bench mark in this survey of reservoirs.")
    assert "bench mark" in extract(path, "a.txt", Settings(_env_file=None)).text
