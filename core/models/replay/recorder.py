"""Records what a model streams: LangChain's *callbacks* of a call → a line of a recording."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler
from langchain_core.messages import AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk, GenerationChunk, LLMResult

from core.models.capabilities import Capabilities
from core.models.replay.recording import RecordedCall, RecordedChunk, Recording, request_digest


class Recorder(AsyncCallbackHandler):
    """Records the model ``id``; a call that failed or was abandoned is not kept."""

    def __init__(self, recording: Recording, id: str, capabilities: Callable[[], Capabilities]) -> None:
        self._recording = recording
        self._id = id
        self._capabilities = capabilities
        self._running: dict[UUID, tuple[float, RecordedCall]] = {}

    async def on_chat_model_start(
        self, serialized: dict[str, Any], messages: list[list[BaseMessage]], *, run_id: UUID, **kwargs: Any
    ) -> None:
        digest = request_digest(messages[0], tool_names(kwargs.get("invocation_params", {})))
        call = RecordedCall(request=digest, model=self._id, capabilities=self._capabilities(), chunks=[])
        self._running[run_id] = (time.monotonic(), call)

    async def on_llm_new_token(
        self,
        token: str | list[str | dict[str, Any]],
        *,
        chunk: GenerationChunk | ChatGenerationChunk | None = None,
        run_id: UUID,
        **kwargs: Any,
    ) -> None:
        if run_id in self._running and isinstance(chunk, ChatGenerationChunk):
            began, call = self._running[run_id]
            call.chunks.append(RecordedChunk(after=round(time.monotonic() - began, 3), message=_fields(chunk.message)))

    async def on_llm_end(self, response: LLMResult, *, run_id: UUID, **kwargs: Any) -> None:
        _, call = self._running.pop(run_id, (0.0, None))
        if call is not None:
            await asyncio.to_thread(self._recording.append, call)

    async def on_llm_error(self, error: BaseException, *, run_id: UUID, **kwargs: Any) -> None:
        self._running.pop(run_id, None)


def tool_names(parameters: Mapping[str, Any]) -> list[str]:
    """Names of the tools that a call offers; the providers' clients have two formats."""
    return [str(each.get("function", each).get("name")) for each in parameters.get("tools") or []]


def _fields(message: BaseMessage) -> dict[str, Any]:
    """The message's fields, without those computed from others and without the call's id."""
    assert isinstance(message, AIMessageChunk)
    made_of_others = {"id", "type", "tool_calls", "invalid_tool_calls"}
    return message.model_dump(mode="json", exclude=made_of_others, exclude_defaults=True)
