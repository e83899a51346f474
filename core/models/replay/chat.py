"""Answers from a recording of a chat model: *messages* → the chunks that a provider's model once streamed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, NoReturn

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import PrivateAttr

from core.errors import fail
from core.models.capabilities import Capabilities
from core.models.replay.recorder import tool_names
from core.models.replay.recording import RecordedCall, Recording, request_digest


class ReplayedChat(BaseChatModel):
    """A chat model that replays a recording. ``pace`` is a factor on the recorded waits between chunks; 0 does not
    wait.

    A request that was recorded several times gets these answers in order, and after that always the last one.

    Raises:
        PalimpsestError: at construction, the recording cannot be read; at a call, the request is not in it.
    """

    recording: Recording
    pace: float = 1.0
    _calls: dict[str, list[RecordedCall]] = PrivateAttr(default_factory=dict)

    def model_post_init(self, context: Any) -> None:
        super().model_post_init(context)
        able = Capabilities()
        for call in self.recording.calls():
            self._calls.setdefault(call.request, []).append(call)
            able = call.capabilities
        # Prompts are sized for the model's limits, so these must be the recorded model's, or the requests would not
        # match.
        self.profile = {"max_input_tokens": able.window, "tool_calling": able.tools}
        if able.answer:
            self.profile["max_output_tokens"] = able.answer

    @property
    def _llm_type(self) -> str:
        return "replay"

    def bind_tools(
        self,
        tools: Sequence[dict[str, Any] | type | Callable[..., Any] | BaseTool],
        *,
        tool_choice: str | None = None,
        **kwargs: Any,
    ) -> Runnable[Any, AIMessage]:
        return self.bind(tools=list(tools), **kwargs)

    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        waited = 0.0
        for chunk in self._take(messages, tool_names(kwargs)).chunks:
            await asyncio.sleep((chunk.after - waited) * self.pace)
            waited = chunk.after
            yield ChatGenerationChunk(message=AIMessageChunk.model_validate(chunk.message))

    def _take(self, messages: Sequence[BaseMessage], tools: Sequence[str]) -> RecordedCall:
        calls = self._calls.get(request_digest(messages, tools))
        if not calls:
            raise fail("not_found", "models.replay.not_recorded")
        return calls.pop(0) if len(calls) > 1 else calls[0]

    def _generate(self, *_: Any, **__: Any) -> NoReturn:
        raise NotImplementedError("answers are streamed")
