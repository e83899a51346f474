"""Calls OpenAI and compatible servers, and also reads the fields of a stream that LangChain's client drops."""

from __future__ import annotations

from typing import Any

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

_FIELDS = ("reasoning_content", "reasoning")
"""Response fields for thinking: DeepSeek, llama.cpp and vLLM use the first name, newer vLLM and Ollama the second."""


class OpenAIChat(ChatOpenAI):
    """A ``ChatOpenAI`` that keeps a streamed refusal in ``additional_kwargs["refusal"]``, where the client keeps that
    of an answer in one piece, and the model's thinking in ``additional_kwargs["reasoning_content"]``."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or []
        delta = (choices[0].get("delta") if choices else None) or {}
        thought = next((delta[name] for name in _FIELDS if isinstance(delta.get(name), str)), "")
        if made is not None and thought:
            made.message.additional_kwargs["reasoning_content"] = thought
        if made is not None and (refusal := delta.get("refusal")):
            made.message.additional_kwargs["refusal"] = refusal
        return made


class CompatibleChat(OpenAIChat):
    """An ``OpenAIChat`` that sends ``max_tokens``."""

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """Only OpenAI knows ``max_completion_tokens``; other servers would ignore it and answer without a limit."""
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        if "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload
