"""Tests an archive uploaded to the library and to a conversation."""

from __future__ import annotations

import io
import zipfile
from typing import Any

from core.library.intake.uploads import upload_folder
from pages.auth import LOCAL, Identity
from pages.handlers.attachments import MOST, Attached, AttachmentShelf
from pages.handlers.library import DocumentAdded, Shelf, Uploaded
from tests.people import Named
from tests.service.conftest import Open
from tests.service.house import CONTRACT, POLICY, House


def packed(**files: str) -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("_", "."), text)
    return content.getvalue()


def sent(house: House, content: bytes) -> str:
    return str(house.workbench.uploads.written(LOCAL, "upload", content))


def names(reply: Any, field: str) -> set[str]:
    return {each.get("filename") or each.get("name") for each in reply[field]}


async def test_each_file_of_an_archive_becomes_a_document_and_the_reply_says_what_did_not(open_house: Open) -> None:
    house = await open_house()
    workbench = house.workbench
    shelf = Shelf(workbench, Identity(workbench.settings, Named()))
    await house.give("policy.md", POLICY, LOCAL)
    await house.give("note.txt", "Another note of this name.", LOCAL)
    content = packed(policy_md=POLICY, contract_md=CONTRACT, note_txt="The reservoir holds water.", film_mp4="x")
    reply: Any = await shelf.submit(LOCAL, Uploaded(path=sent(house, content), name="all.zip"))
    assert reply["status"] == "unpacked"
    assert names(DocumentAdded.model_validate(reply).model_dump(), "left_out") == {"film.mp4"}
    assert names(reply, "documents") == {"contract.md", "note.txt"}
    assert names(reply, "known") == {"policy.md"}
    assert names(reply, "left_out") == {"film.mp4"}
    assert "film.mp4" in reply["left_out"][0]["problem"]["what"]
    there = await workbench.library.find(LOCAL)
    assert sorted(each.filename for each in there) == ["contract.md", "note.txt", "note.txt", "policy.md"]
    assert [each for each in upload_folder(workbench.settings).rglob("*") if each.is_file()] == []


async def test_an_archive_fills_a_conversation_no_further_than_it_may(open_house: Open) -> None:
    house = await open_house()
    workbench = house.workbench
    shelf = AttachmentShelf(workbench, Identity(workbench.settings, Named()))
    files = {f"note{n}_txt": f"Note number {n}." for n in range(MOST + 2)}
    reply: Any = await shelf.attach(LOCAL, Attached(path=sent(house, packed(**files)), name="all.zip"))
    assert len(reply["documents"]) == MOST
    assert len(reply["left_out"]) == 2
    assert len(await workbench.library.attached(LOCAL, reply["conversation"])) == MOST


LETTERS = (
    "From ruth@example.com Mon May 11 09:12:44 2026\nFrom: ruth@example.com\nSubject: Rent\n"
    "Date: Mon, 11 May 2026 09:12:44 +0200\n\nThe rent is 900 shekels.\n\n"
    "From dana@example.com Tue May 12 10:00:00 2026\nFrom: dana@example.com\nSubject: Keys\n"
    "Date: Tue, 12 May 2026 10:00:00 +0200\n\nThe keys are with Noa.\n"
)


async def test_each_message_of_a_mailbox_becomes_a_document(open_house: Open) -> None:
    house = await open_house()
    shelf = Shelf(house.workbench, Identity(house.workbench.settings, Named()))
    reply: Any = await shelf.submit(LOCAL, Uploaded(path=sent(house, LETTERS.encode()), name="letters.mbox"))
    assert names(reply, "documents") == {"0001 Rent.eml", "0002 Keys.eml"}
    assert reply["document"]["id"] == reply["documents"][0]["id"]
    one = LETTERS.split("From dana")[0]
    reply = await shelf.submit(LOCAL, Uploaded(path=sent(house, one.encode()), name="one.mbox"))
    assert reply["status"] == "accepted"
