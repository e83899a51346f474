"""Records the answers to the test questions from the model that the environment configures, in a file in this folder.

``python -m tests.recordings.record anthropic`` writes ``anthropic.jsonl``. If no model is configured, it records a
local test server that streams like OpenAI-compatible servers.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from core.settings import Settings
from core.workbench import Workbench
from tests.contract.providers.wire import WIRES, Wire, stream
from tests.servers.local import LocalServer, Reply, Request, Responder, asks_for_json, judgement
from tests.service.house import CONTRACT, POLICY, Answer, House, settings

FOLDER = Path(__file__).parent
QUESTIONS = ("What is reimbursed for a night in a hotel in Haifa?", "כמה מוחזר על לילה במלון בחיפה?")


def speaking(wire: Wire) -> Responder:
    """A test server that streams answers in the provider's wire format, with thinking if the provider sends any. When
    it is asked whether the sources suffice, it answers yes."""

    def respond(request: Request) -> Reply:
        if asks_for_json(request):
            return judgement()
        return stream(wire, wire.recorded("thinking" if wire.thinks else "answer"), "done")

    return respond


async def asked(house: House, questions: Sequence[str] = QUESTIONS) -> list[Answer]:
    """Asks the test questions over two short documents, each in a separate conversation; returns the answers."""
    await house.read("policy.md", POLICY)
    await house.read("contract.md", CONTRACT)
    return [await house.ask(question) for question in questions]


async def record(file: Path, **model: object) -> list[Answer]:
    with tempfile.TemporaryDirectory() as home:
        workbench = Workbench(settings(Path(home), model_record=file, **model))
        await workbench.start()
        try:
            return await asked(House(workbench, Path(home) / "uploads"))
        finally:
            await workbench.stop()


async def main(name: str) -> None:
    given = Settings().model_dump(exclude_unset=True, exclude={"home", "model_record"})
    file = FOLDER / f"{name}.jsonl"
    file.unlink(missing_ok=True)
    if given.get("model"):
        answers = await record(file, **given)
    else:
        async with LocalServer(responder=speaking(WIRES["compatible"])) as server:
            answers = await record(file, model="qwen3:8b", model_base_url=f"{server.url}/v1")
    for answer in answers:
        print(answer.view.response.text if answer.view.response else answer.notices)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "loopback"))
