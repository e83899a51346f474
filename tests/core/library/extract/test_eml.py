"""Tests e-mail messages made by the tests."""

from __future__ import annotations

import io
from collections.abc import Callable
from email.message import EmailMessage

import docx
import pytest

from core.errors import PalimpsestError
from core.library.extract import eml
from core.library.extracted import Block, Extracted

Read = Callable[[str, bytes | str], Extracted]

BODY = "The pump at Hadar was repaired in March, and the invoice is attached.\n"


def message(body: str = BODY, **fields: str) -> EmailMessage:
    made = EmailMessage()
    made["From"] = fields.get("sender", "Dana Levi <dana@example.org>")
    made["To"] = "Ada <ada@example.org>"
    made["Subject"] = fields.get("subject", "Repair of the pump")
    made["Date"] = "Fri, 17 May 2024 10:15:00 +0300"
    made.set_content(body)
    return made


def word(text: str) -> bytes:
    out, document = io.BytesIO(), docx.Document()
    document.add_heading(text, 1)
    document.add_paragraph(f"About {text}.")
    document.save(out)
    return out.getvalue()


def texts(extracted: Extracted) -> list[str]:
    return [block.text for block in extracted.blocks]


def test_subject_head_and_text(read: Read) -> None:
    extracted = read("a.eml", message().as_bytes())
    assert extracted.blocks[0] == Block(text="Repair of the pump", kind="heading", level=1)
    assert extracted.blocks[1].text == (
        "From: Dana Levi <dana@example.org>\nTo: Ada <ada@example.org>\nDate: 2024-05-17 10:15"
    )
    assert extracted.blocks[2].text == BODY.strip()
    assert (extracted.title, extracted.author, extracted.created) == ("Repair of the pump", "Dana Levi", "2024-05-17")
    assert extracted.mime == "message/rfc822"
    assert extracted.notes == []


def test_each_attachment_is_read_by_its_own_extractor_under_its_name(read: Read) -> None:
    made = message()
    made.add_attachment(word("Pumps"), maintype="application", subtype="octet-stream", filename="../up/report.docx")
    made.add_attachment("city,limit\nHaifa,560\nEilat,720\n", subtype="csv", filename="rates.csv")
    extracted = read("a.eml", made.as_bytes())
    names = [block for block in extracted.blocks if block.kind == "heading"]
    assert [(block.text, block.level) for block in names] == [
        ("Repair of the pump", 1),
        ("report.docx", 1),
        ("Pumps", 2),
        ("rates.csv", 1),
    ]
    assert "About Pumps." in extracted.text
    assert "Haifa | 560" in extracted.text


def test_html_alone_is_read_as_a_page_and_its_script_is_not(read: Read) -> None:
    made = message()
    made.set_content(
        "<html><body><h2>Offer</h2><p>560 a night</p><script>steal()</script></body></html>", subtype="html"
    )
    extracted = read("a.eml", made.as_bytes())
    assert "560 a night" in extracted.text
    assert "steal" not in extracted.text
    assert ("Offer", "heading") in [(block.text, block.kind) for block in extracted.blocks]


@pytest.mark.parametrize(("plain", "shown"), [(BODY, BODY.strip()), ("See the HTML.", "A rich text about 560.")])
def test_of_two_forms_of_the_text_one_is_read(read: Read, plain: str, shown: str) -> None:
    made = message(plain)
    made.add_alternative("<p>A rich text about 560.</p>", subtype="html")
    assert texts(read("a.eml", made.as_bytes()))[2:] == [shown]


TABLE = "<table><tr><th>Bidder</th><th>Price</th></tr><tr><td>Galil</td><td>418</td></tr></table>"
LAYOUT = "<table><tr><td>The pump at Hadar was repaired in March,</td></tr><tr><td>and the rest.</td></tr></table>"


@pytest.mark.parametrize(
    ("plain", "page", "shown"),
    [
        ("Please see the table in this message, your program does not show it.\n", f"Offers:{TABLE}", "Galil | 418"),
        ("Offers:\nBidder Price\nGalil 418\nand with kind regards from all of us\n", f"Offers:{TABLE}", "Galil | 418"),
        ("This is a message in several formats, which your program does not show.\n",
         "<p>Five men ate at one table of the inn on Monday, and four more came later and paid for all of it.",
         "four more came"),
        (BODY, LAYOUT, BODY.strip()),
    ],
)  # fmt: skip
def test_html_that_says_more_is_read(read: Read, plain: str, page: str, shown: str) -> None:
    made = message(plain)
    made.add_alternative(page, subtype="html")
    made.get_payload()[1].add_related(b"\x89PNG", "image", "png", cid="<logo>")
    extracted = read("a.eml", made.as_bytes())
    assert shown in extracted.text
    assert ("does not show" in extracted.text) is False


def test_a_message_saved_as_utf16_and_a_part_in_it(read: Read) -> None:
    made = message("המשאבה בהדר תוקנה במרץ, והחשבונית מצורפת להודעה.\n", subject="Pump")
    assert "המשאבה בהדר" in read("a.eml", made.as_bytes().decode().encode("utf-16")).text
    made.set_content("המשאבה בהדר תוקנה במרץ.\n".encode("utf-16-le"), "text", "plain")
    made.set_param("charset", "utf-16le")
    assert "המשאבה בהדר תוקנה" in read("a.eml", made.as_bytes()).text


def test_a_part_that_declares_a_wrong_charset(read: Read) -> None:
    made = message("המשאבה בהדר תוקנה במרץ, והחשבונית מצורפת להודעה הזאת.\n", subject="Pump")
    made.set_content("המשאבה בהדר תוקנה במרץ, והחשבונית מצורפת להודעה הזאת.\n".encode("cp1255"), "text", "plain")
    made.set_param("charset", "iso-8859-1")
    assert "המשאבה בהדר תוקנה" in read("a.eml", made.as_bytes()).text


def test_hebrew_in_old_charsets_and_encoded_words(read: Read) -> None:
    made = message(subject="תיקון המשאבה")
    made.set_content("המשאבה בהדר תוקנה במרץ.\n", charset="iso-8859-8")
    extracted = read("a.eml", made.as_bytes())
    assert extracted.title == "תיקון המשאבה"
    assert "המשאבה בהדר תוקנה במרץ." in extracted.text


def test_bytes_in_a_head_that_declares_nothing(read: Read) -> None:
    data = message().as_bytes().replace(b"Repair of the pump", "תיקון".encode())
    assert read("a.eml", data).title == "תיקון"


def test_an_unknown_charset_is_guessed(read: Read) -> None:
    data = message().as_bytes().replace(b'charset="utf-8"', b'charset="x-no-such"')
    assert BODY.strip() in read("a.eml", data).text


def test_what_cannot_be_read_is_named_and_the_rest_is_read(read: Read) -> None:
    made = message()
    made.add_attachment(b"%PDF-1.7\nnothing", maintype="application", subtype="pdf", filename="bad.pdf")
    made.add_attachment(b"\x00\x01" * 99, maintype="application", subtype="octet-stream", filename="tool.exe")
    extracted = read("a.eml", made.as_bytes())
    assert BODY.strip() in extracted.text
    assert [("bad.pdf" in english, "tool.exe" in english) for english, _ in extracted.notes] == [
        (True, False),
        (False, True),
    ]
    assert all("not read" in english and "לא נקרא" in hebrew for english, hebrew in extracted.notes)


def test_pictures_inside_the_text_are_no_attachments(read: Read, picture: bytes) -> None:
    made = message()
    made.add_alternative("<p>Short</p>", subtype="html")
    made.get_payload()[1].add_related(picture, "image", "png", cid="<logo>", filename="logo.png")
    extracted = read("a.eml", made.as_bytes())
    assert extracted.notes == []
    assert "logo" not in extracted.text


def test_messages_in_messages_are_read_to_a_depth(read: Read) -> None:
    made = message("The innermost of all.\n", subject="Level 0")
    for level in range(1, eml.DEEPEST + 3):
        outer = message(f"This is the text of level {level}.\n", subject=f"Level {level}")
        outer.add_attachment(made)
        made = outer
    extracted = read("a.eml", made.as_bytes())
    top = eml.DEEPEST + 2
    for level in range(top, top - eml.DEEPEST - 1, -1):
        assert f"This is the text of level {level}." in extracted.text
    assert "innermost" not in extracted.text
    assert "too many messages" in extracted.notes[0][0]


def test_ten_thousand_parts(read: Read) -> None:
    lines = [b"From: a@b.c", b"Subject: Many", b"MIME-Version: 1.0", b"Content-Type: multipart/mixed; boundary=x", b""]
    for number in range(10_000):
        lines += [b"--x", b"Content-Disposition: attachment; filename=a%d.txt" % number, b"", b"Line %d." % number]
    extracted = read("a.eml", b"\n".join([*lines, b"--x--"]))
    assert "Line 0." in extracted.text
    assert f"Line {eml.MOST_ATTACHMENTS}." not in extracted.text
    assert "too many parts" in extracted.notes[0][0]


def test_parts_nested_beyond_reason_end_in_words(read: Read) -> None:
    lines = [b"From: a@b.c", b"Subject: Deep", b"MIME-Version: 1.0"]
    for number in range(3_000):
        lines += [b"Content-Type: multipart/mixed; boundary=b%d" % number, b"", b"--b%d" % number]
    with pytest.raises(PalimpsestError) as caught:
        read("a.eml", b"\n".join([*lines, b"", b"text"]))
    assert "damaged" in caught.value.problem.what.en


def test_a_head_of_a_megabyte_is_cut(read: Read) -> None:
    data = message().as_bytes().replace(b"To: Ada <ada@example.org>", b"To: " + b"(a" * 300_000)
    assert BODY.strip() in read("a.eml", data).text


def test_an_encrypted_message_says_what_to_do(read: Read) -> None:
    data = message().as_bytes().replace(b"text/plain", b"application/pkcs7-mime")
    with pytest.raises(PalimpsestError) as caught:
        read("a.eml", data)
    assert "encrypted" in caught.value.problem.what.en


@pytest.mark.parametrize("name", ["a.eml", "message", "a.bin"])
def test_a_message_is_known_by_its_head(read: Read, name: str) -> None:
    data = message().as_bytes().replace(b"\n", b"\r\n")
    assert read(name, data).mime == "message/rfc822"


def test_a_text_called_eml_is_a_text(read: Read) -> None:
    extracted = read("a.eml", "Dear Ada,\n\nthe pump works.\n")
    assert extracted.mime == "text/plain"
    assert "content is TXT" in extracted.notes[0][0]
