from __future__ import annotations

import json

import pytest

from core.errors import PalimpsestError
from pages.handlers.conversations import exported, transcript_of
from tests.service.house import POLICY, House

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


async def test_a_conversation_is_kept_as_a_file_with_its_sources_and_feedback(house: House) -> None:
    await house.read("policy.md", POLICY)
    answer = await house.ask(QUESTION)
    await house.workbench.memory.record_feedback("ada", answer.asked.message_id, "worked")
    transcript = await transcript_of(house.workbench, "ada", answer.asked.conversation.id)
    text = exported(transcript, "markdown", "en")
    assert f"## {QUESTION}" in text
    assert "560 shekels. [1]" in text
    assert "**[1] Travel policy** (policy.md" in text
    assert "Did this answer help? Worked" in text
    data = json.loads(exported(transcript, "json", "he"))
    assert data["schema_version"] == "palimpsest.conversation.v1"
    assert data["turns"][0]["feedback"] == "worked"
    assert data["turns"][0]["sources"][0]["passages"][0]["text"]
    assert "האם התשובה עזרה" in exported(transcript, "markdown", "he")


async def test_nobody_elses_conversation_is_exported(house: House) -> None:
    answer = await house.ask(QUESTION)
    with pytest.raises(PalimpsestError) as refused:
        await transcript_of(house.workbench, "bob", answer.asked.conversation.id)
    assert refused.value.problem.category == "not_found"
