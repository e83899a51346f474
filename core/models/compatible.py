"""The client of OpenAI-compatible servers: what they say beside OpenAI's own protocol is read, too."""

from __future__ import annotations

from typing import Any

from langchain_core.outputs import ChatGenerationChunk
from langchain_openai import ChatOpenAI

_FIELDS = ("reasoning_content", "reasoning")
"""DeepSeek, llama.cpp and vLLM send thinking under the first name, newer vLLM and Ollama under the second."""


class CompatibleChat(ChatOpenAI):
    """Keeps thinking as ``additional_kwargs["reasoning_content"]``, and names the answer's limit as servers know it."""

    def _convert_chunk_to_generation_chunk(
        self, chunk: dict[str, Any], default_chunk_class: type, base_generation_info: dict[str, Any] | None
    ) -> ChatGenerationChunk | None:
        made = super()._convert_chunk_to_generation_chunk(chunk, default_chunk_class, base_generation_info)
        choices = chunk.get("choices") or []
        delta = (choices[0].get("delta") if choices else None) or {}
        thought = next((delta[name] for name in _FIELDS if isinstance(delta.get(name), str)), "")
        if made is not None and thought:
            made.message.additional_kwargs["reasoning_content"] = thought
        return made

    def _get_request_payload(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        """``max_completion_tokens`` is OpenAI's alone; servers that do not know it would answer without a limit."""
        payload: dict[str, Any] = super()._get_request_payload(*args, **kwargs)
        if "max_completion_tokens" in payload:
            payload["max_tokens"] = payload.pop("max_completion_tokens")
        return payload
