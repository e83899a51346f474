from __future__ import annotations

from collections.abc import Callable

import compressed_rtf  # type: ignore[import-untyped]
import pytest

from core.errors import PalimpsestError
from core.library.extracted import Extracted
from tests.core.library.extract.mail.outlook_files import Folder

Read = Callable[[str, bytes], Extracted]
BODY = "The pump at Hadar was repaired in March, and the invoice is attached."


def test_head_and_text(read: Read, outlook: Folder) -> None:
    extracted = read("a.msg", outlook.text(0x1000, BODY).packed())
    assert [block.text for block in extracted.blocks] == [
        "Repair of the pump",
        "From: Dana Levi <dana@example.org>\nTo: Ada <ada@example.org>\nDate: 2024-05-12 15:06",
        BODY,
    ]
    assert (extracted.title, extracted.author, extracted.created) == ("Repair of the pump", "Dana Levi", "2024-05-12")
    assert (extracted.mime, extracted.notes) == ("application/vnd.ms-outlook", [])


def test_html_in_its_code_page(read: Read, outlook: Folder) -> None:
    page = "<p>שלום רב</p><table><tr><td>עיר</td><td>מחיר</td></tr><tr><td>חיפה</td><td>560</td></tr></table>"
    outlook.text(0x1000, BODY).data(0x1013, page.encode("cp1255")).number(0x3FDE, 1255)
    extracted = read("a.msg", outlook.packed())
    assert "שלום רב" in extracted.text
    assert "חיפה | 560" in extracted.text


def test_rich_text_alone(read: Read, outlook: Folder) -> None:
    rich = rb"{\rtf1\ansi\ansicpg1252 The pump was repaired in M\'e4rz.}"
    extracted = read("a.msg", outlook.data(0x1009, compressed_rtf.compress(rich)).packed())
    assert "The pump was repaired in März." in extracted.text


def test_attachments_and_messages_in_it(read: Read, outlook: Folder) -> None:
    outlook.text(0x1000, BODY)
    rates = outlook.folder("__attach_version1.0_#00000000", 8)
    rates.text(0x3707, "rates.csv").data(0x3701, b"city,limit\nHaifa,560\nEilat,720\n")
    logo = outlook.folder("__attach_version1.0_#00000001", 8)
    logo.text(0x3707, "logo.png").text(0x370E, "image/png").text(0x3712, "logo").data(0x3701, b"\x89PNG\r\n")
    inner = outlook.folder("__attach_version1.0_#00000002", 8).folder("__substg1.0_3701000D", 24)
    inner.text(0x0037, "The first mail").text(0x1000, "Please repair the pump at Hadar as soon as you can.")
    extracted = read("a.msg", outlook.packed())
    headings = [(block.text, block.level) for block in extracted.blocks if block.kind == "heading"]
    assert headings == [("Repair of the pump", 1), ("rates.csv", 1), ("The first mail.eml", 1), ("The first mail", 2)]
    assert "Haifa | 560" in extracted.text
    assert "as soon as you can" in extracted.text
    assert extracted.notes == []


@pytest.mark.parametrize(
    ("number", "value", "what"), [(0x001A, "IPM.Note.SMIME", "encrypted"), (0x3001, "nothing else", "empty")]
)
def test_what_cannot_be_read_is_refused(read: Read, number: int, value: str, what: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        read("a.msg", Folder().text(number, value).packed())
    assert what in caught.value.problem.what.en


def test_a_broken_container_is_damaged(read: Read, outlook: Folder) -> None:
    data = outlook.text(0x1000, BODY * 100).packed()
    with pytest.raises(PalimpsestError) as caught:
        read("a.msg", data[: len(data) // 2])
    assert caught.value.problem.category == "validation"
