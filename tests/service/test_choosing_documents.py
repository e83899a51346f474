"""Tests a request that names its documents in words that no title has: a model chooses them from the list."""

from __future__ import annotations

import json

from core.events import Interrupted
from tests.servers.local import LocalServer
from tests.service.conftest import Open
from tests.service.house import POLICY, Answer
from tests.service.test_model_calls import Scripted

CHOOSING = "Choose the documents that a message refers to"
LEASE = "# Mill lease 2031\n\nThe yearly fee of the mill is $450 and is paid by the tenant.\n"
ASKED = "Summarize the paper on renting the grinding works"


async def asked_with(open_house: Open, confidence: str, documents: list[int]) -> tuple[Answer, int]:
    reply = json.dumps({"documents": documents, "confidence": confidence})
    async with LocalServer(responder=Scripted({CHOOSING: reply})) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("policy.md", POLICY)
        await house.read("lease.md", LEASE)
        answer = await house.ask(ASKED, action="summarize")
    return answer, sum(CHOOSING in str(each.body) for each in server.requests)


async def test_the_chosen_document_is_summarized_without_a_question(open_house: Open) -> None:
    answer, calls = await asked_with(open_house, "high", [1])
    assert calls == 1
    assert len(answer.view.sources) == 1
    assert answer.view.response is not None


async def test_an_unsure_model_leads_to_a_choice_of_its_candidates(open_house: Open) -> None:
    answer, _ = await asked_with(open_house, "low", [1, 2])
    assert isinstance(answer.entries[-1].event, Interrupted)
    assert answer.pending.kind == "doc_choice"
    assert answer.choice("Mill lease 2031")
