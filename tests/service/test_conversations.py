from __future__ import annotations

import pytest

from core.errors import PalimpsestError
from pages.run_view import RunView
from tests.service.conftest import Open
from tests.service.house import POLICY, House

QUESTION = "What is reimbursed for a night in a hotel in Haifa?"


async def test_a_finished_run_redraws_identically_after_a_restart(open_house: Open) -> None:
    house = await open_house()
    await house.read("policy.md", POLICY)
    asked = await house.workbench.ask("ada", QUESTION)
    before = RunView.of(asked.run_id, asked.message_id, await house.entries("ada", asked.run_id))
    await house.workbench.stop()
    again = await open_house()
    entries = await again.workbench.ledger.entries("ada", asked.run_id)
    after = RunView.of(asked.run_id, asked.message_id, entries)
    assert before.sources
    assert after.html(None) == before.html(None)


async def test_a_deleted_conversation_leaves_nothing_once_it_cannot_be_undone(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    await house.read("policy.md", POLICY)
    asked = await house.workbench.ask("ada", QUESTION)
    await house.entries("ada", asked.run_id)
    gone = asked.conversation.id
    with pytest.raises(PalimpsestError):
        await house.workbench.delete_conversation("bob", gone)
    await house.workbench.delete_conversation("ada", gone)
    with pytest.raises(PalimpsestError):
        await house.workbench.ask("ada", QUESTION, conversation_id=gone)
    await house.workbench._conversation_removal.finish(undo_seconds=0.0)
    for name in ("conversations", "messages", "runs"):
        of_it = {"_id": gone} if name == "conversations" else {"conversation_id": gone}
        assert await house.workbench.truth.collection(name).count(of_it) == 0
    assert await house.workbench.truth.collection("run_events").count({"run_id": asked.run_id}) == 0


async def test_a_deleted_conversations_run_is_nobodys_to_see_until_it_is_back(house: House) -> None:
    answer = await house.ask("What is reimbursed for a night in a hotel in Haifa?")
    workbench, conversation = house.workbench, answer.asked.conversation.id
    assert (await workbench.run("ada", answer.asked.run_id)).conversation_id == conversation
    await workbench.delete_conversation("ada", conversation)
    with pytest.raises(PalimpsestError) as refused:
        await workbench.run("ada", answer.asked.run_id)
    assert refused.value.problem.category == "not_found"
    await workbench.conversations.restore("ada", conversation)
    assert await workbench.run("ada", answer.asked.run_id)
