from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from core.library.extract.mail.mbox import messages_in
from core.library.extracted import Extracted

Read = Callable[[str, bytes], Extracted]

FIRST = b"""From: Dana <dana@example.org>
Message-ID: <1@example.org>
Subject: The pump
Date: Fri, 17 May 2024 10:15:00 +0300
MIME-Version: 1.0

The pump at Hadar was repaired.

>From here on it works.
"""
SECOND = b"""From: Ada <ada@example.org>
Message-ID: <2@example.org>
Subject: The invoice
Date: Sat, 18 May 2024 09:00:00 +0300
MIME-Version: 1.0

It says:

From: Dana
To: Ada
Subject: quoted
Date: yesterday

The invoice is 560 shekels.
"""
_PARTED = b"From dana@example.org Fri May 17 10:15:00 2024\n" + FIRST
_PARTED += b"\nFrom MAILER-DAEMON Sat May 18 09:00:00 2024\n" + SECOND


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("mail.mbox", _PARTED),
        ("mail", _PARTED),
        ("mail.eml", _PARTED.replace(b"\n", b"\r\n")),
        ("mail.eml", FIRST + b"\n" + SECOND),
        ("mail.mbox", _PARTED.decode().encode("utf-16")),
    ],
    ids=["mbox", "no name", "windows", "concatenated", "utf-16"],
)
def test_each_message_has_a_section_of_its_own(read: Read, name: str, data: bytes) -> None:
    extracted = read(name, data)
    assert [block.text for block in extracted.blocks if block.kind == "heading"] == ["The pump", "The invoice"]
    assert "From: Dana <dana@example.org>\nDate: 2024-05-17 10:15" in extracted.text
    assert "The invoice is 560 shekels." in extracted.text
    assert (extracted.mime, extracted.created) == ("application/mbox", "2024-05-17")


def test_messages_come_with_a_name_and_their_own_bytes(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(_PARTED)
    found = list(messages_in(path))
    assert [name for name, _ in found] == ["0001 The pump.eml", "0002 The invoice.eml"]
    assert b"\nFrom here on it works." in found[0][1]


def test_a_message_in_a_message_is_none_of_the_mailbox(read: Read) -> None:
    data = FIRST.replace(b"MIME-Version: 1.0\n", b"MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=x\n", 1)
    data += b"\n--x\nContent-Type: message/rfc822\n\n" + SECOND + b"\n--x--\n"
    assert read("mail.eml", data).mime == "message/rfc822"


def test_a_message_without_a_subject_is_headed_by_its_sender(read: Read) -> None:
    headings = [b.text for b in read("a.mbox", _PARTED.replace(b"Subject: The pump\n", b"")).blocks if b.level]
    assert headings[0] == "Dana <dana@example.org> 2024-05-17 10:15"


def test_lines_that_only_look_like_a_beginning_part_nothing(read: Read) -> None:
    text = b"From the beginning of 2024 it rained.\n\nFrom then on it was dry.\n"
    assert read("a.txt", text).mime == "text/plain"


def test_a_mailbox_of_noise_ends_soon(tmp_path: Path) -> None:
    path = tmp_path / "a.mbox"
    path.write_bytes(b"From a Fri May 17 10:15:00 2024\n\n" * 50_000)
    assert len(list(messages_in(path))) <= 2_000
