"""A simulated model that answers with numbered words at fixed intervals, so that lost or doubled words are noticed."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass

from tests.servers.local import LocalServer, Reply, Request, _delta, _send, asks_for_json, judgement

_NUMBERED = re.compile(r"\bword(\d+)\b")


@dataclass
class SlowAnswers:
    """The model. ``words``: number of words per answer; ``seconds``: time between two words."""

    words: int
    seconds: float

    def server(self) -> LocalServer:
        return LocalServer(responder=self._answer)

    def settings(self, server: LocalServer) -> dict[str, str]:
        """Returns the settings with which a workbench uses this model."""
        return {
            "PALIMPSEST_MODEL": "openai:scripted",
            "OPENAI_BASE_URL": f"{server.url}/v1",
            "OPENAI_API_KEY": "none",
        }

    def _answer(self, request: Request) -> Reply:
        return judgement() if asks_for_json(request) else self._words

    async def _words(self, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(1, self.words + 1):
            await _send(writer, _delta({"content": f"word{number} "}), "done")
            await asyncio.sleep(self.seconds)
        await _send(writer, _delta({"content": "[1]."}, "stop"), "done")
        await _send(writer, "[DONE]", "done")
        writer.write(b"0\r\n\r\n")
        await writer.drain()


def misnumbered(text: str) -> tuple[int, int]:
    """Returns how many words below the highest number are missing, and how many appear twice or after a higher one."""
    numbers = [int(number) for number in _NUMBERED.findall(text)]
    highest, wrong = 0, 0
    for number in numbers:
        wrong += number <= highest
        highest = max(highest, number)
    return highest - len(set(numbers)), wrong
