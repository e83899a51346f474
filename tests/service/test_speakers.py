"""Tests that an uploaded transcript is stored as a conversation that can be searched by speaker."""

from __future__ import annotations

from io import BytesIO

import docx
import pytest

from core.memory.recall.records import MemoryQuery
from tests.service.calling import Endpoints
from tests.service.house import POLICY, House

MEETING = """[10:31] Noa: The valve at the depot leaks again.
[10:32] Dan Cohen: I will order a new one today.
[10:33] Noa: The pump at the depot is loud.
[10:35] Dan Cohen: The pump can wait until spring.
[10:36] Noa: Then the report is due on Thursday.
"""


def as_docx(text: str) -> bytes:
    document, out = docx.Document(), BytesIO()
    for line in text.splitlines():
        document.add_paragraph(line)
    document.save(out)
    return out.getvalue()


def as_vtt(text: str) -> str:
    turns = (line.split("] ")[1].split(": ") for line in text.splitlines())
    cues = (f"00:0{n}:00.000 --> 00:0{n}:05.000\n<v {who}>{said}</v>\n" for n, (who, said) in enumerate(turns))
    return "WEBVTT\n\n" + "\n".join(cues)


@pytest.mark.parametrize(
    ("filename", "content"),
    [
        ("meeting.txt", MEETING),
        ("meeting.md", MEETING.replace("\n", "\n\n")),
        ("meeting.docx", as_docx(MEETING)),
        ("meeting.vtt", as_vtt(MEETING)),
    ],
)
async def test_each_turn_is_remembered_with_who_said_it(house: House, filename: str, content: str | bytes) -> None:
    document = await house.read(filename, content)
    reply = await Endpoints(house).remember_transcript(document.id)
    assert reply == {"speakers": {"Noa": 3, "Dan Cohen": 2}, "turns": 5}
    found = await house.workbench.memory.search(MemoryQuery("ada", "What did Noa say of the pump at the depot?"))
    assert found.hits[0].item.text == "Noa: The pump at the depot is loud."
    assert found.hits[0].item.source.speaker == "Noa"
    other = await house.workbench.memory.search(MemoryQuery("ada", "What did Dan Cohen say of the pump?"))
    assert other.hits[0].item.source.speaker == "Dan Cohen"


async def test_remembering_it_twice_leaves_one_of_each(house: House) -> None:
    document = await house.read("meeting.txt", MEETING)
    endpoints = Endpoints(house)
    assert await endpoints.remember_transcript(document.id) == await endpoints.remember_transcript(document.id)
    assert (await house.workbench.memory.stats("ada")).tiers["history"] == 5


async def test_a_transcript_stays_one_persons_and_anything_else_is_refused(house: House) -> None:
    document = await house.read("meeting.txt", MEETING)
    assert "problem" in await Endpoints(house, "bea").remember_transcript(document.id)
    policy = await house.read("policy.md", POLICY)
    refused = await Endpoints(house).remember_transcript(policy.id)
    assert "policy.md" in str(refused["problem"])
    assert (await house.workbench.memory.stats("ada")).tiers.get("history", 0) == 0
