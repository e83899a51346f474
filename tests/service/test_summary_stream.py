"""Tests that a model's summary is shown while the model writes it, below the opening lines."""

from __future__ import annotations

from core.events import AssistantDelta
from tests.servers.local import LocalServer, answering, chat_stream
from tests.service.conftest import Open

LEASE = "# Mill lease 2031\n\nThe yearly fee of the mill is $450 and is paid by the tenant.\n"


async def test_the_final_text_comes_piece_by_piece(open_house: Open) -> None:
    async with LocalServer(
        responder=answering(chat_stream("- The fee is $450 [1].", "\n- The tenant pays [1]."))
    ) as server:
        house = await open_house(model="openai:m", model_base_url=f"{server.url}/v1", openai_api_key="k")
        await house.read("lease.md", LEASE)
        answer = await house.ask('Summarize @"Mill lease 2031"', action="summarize")
    pieces = [each.event.text for each in answer.entries if isinstance(each.event, AssistantDelta)]
    assert "- The fee is $450 [1].\n- The tenant pays [1]." in "".join(pieces)
    assert answer.view.response is not None
    opening = answer.view.response.text.partition("\n\n")[0]
    assert "".join(pieces).startswith(opening)
    assert answer.view.response.kind == "generated"
