"""The memory's tools as a model calls them in a turn."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from core.errors import PalimpsestError, explain
from core.language.tokens import count_tokens
from core.memory.items.records import OutcomeEffect, ToolRun
from core.memory.memory import Memory
from core.memory.recall.records import Insights, MemoryHit
from core.memory.recall.turn import Turn
from core.memory.tools import ARGUMENTS, PROGRESS, Found, MemoryTools, ToolName
from core.models.stream import ToolCall, ToolSpec
from core.words import Language, Words

log = logging.getLogger(__name__)

DESCRIPTIONS: dict[ToolName, str] = {
    "get_context_insights": "What past outcomes say about a question: what worked, what failed, which tier helps.",
    "search_memory": "Search earlier conversations and known facts again, in other words than the question's. At most "
    "once, unless the user asks for more.",
    "record_response": "When the user has said how an earlier answer did: note the takeaway, the outcome, and which "
    "memories ([M1] as 1) it was about.",
    "add_to_memory_bank": "Keep a lasting fact that the user has stated outright about themselves or their work.",
    "update_memory": "Correct a fact of the memory bank that the user says has changed.",
    "archive_memory": "Put a fact of the memory bank away that the user says no longer holds.",
}
_NO_ROOM = "The result is longer than the room that is left."
NAMES: tuple[ToolName, ...] = get_args(ToolName)


FEWER: tuple[ToolName, ...] = ("search_memory", "record_response")
"""What is offered where the memory has brought what is fairly close: to look once more, and to say how it did."""


def specs(names: Sequence[ToolName] = NAMES) -> list[ToolSpec]:
    """Tools of the memory."""
    return [ToolSpec(name, DESCRIPTIONS[name], ARGUMENTS[name].model_json_schema()) for name in names]


class MemoryToolbox:
    """Runs calls for one turn. Nothing is raised: a model is told what went wrong, and may answer without."""

    def __init__(self, memory: Memory, turn: Turn, *, narrowed: bool = False) -> None:
        self.specs = specs(FEWER if narrowed else NAMES)
        self._turn = turn
        self._tools = MemoryTools(memory, turn)

    @property
    def turn(self) -> Turn:
        return self._turn

    def progress(self, call: ToolCall) -> Words:
        """What is being done, for the trace."""
        return PROGRESS[call.name] if call.name in NAMES else Words.alike(call.name)

    async def run(self, call: ToolCall, language: Language, most_tokens: int) -> str:
        """The result as the model reads it: whole memories by rank, as far as there is room."""
        began = time.monotonic()
        result, note = await self._run_tool(call, language, most_tokens)
        milliseconds = (time.monotonic() - began) * 1000
        self._turn.tool_runs.append(ToolRun(name=call.name, run_id=call.id, result=result, milliseconds=milliseconds))
        return note

    async def _run_tool(self, call: ToolCall, language: Language, most_tokens: int) -> tuple[Any, str]:
        offered = [each.name for each in self.specs]
        if call.name not in NAMES or call.name not in offered:
            return "error", json.dumps({"error": f"There is no such tool; there are: {', '.join(offered)}."})
        try:
            arguments = ARGUMENTS[call.name].model_validate(call.arguments)
            method: Callable[[BaseModel], Awaitable[BaseModel]] = getattr(self._tools, call.name)
            return "ok", _tool_result(await method(arguments), most_tokens)
        except ValidationError as error:
            wrong = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in error.errors())
            return "error", json.dumps({"error": wrong}, ensure_ascii=False)
        except PalimpsestError as error:
            what, why, remedy = explain(error).to(language)
            kind = "timeout" if error.problem.category == "timeout" else "error"
            return kind, json.dumps({"error": f"{what} {why} {remedy}"}, ensure_ascii=False)
        except Exception as error:
            log.warning("a tool of the memory failed", exc_info=True)
            return "error", json.dumps({"error": explain(error).what.to(language)}, ensure_ascii=False)


def _tool_result(result: BaseModel, most_tokens: int) -> str:
    """What a model needs of a result, with full texts."""
    if isinstance(result, Found):
        return _memories(result, most_tokens)
    if isinstance(result, Insights):
        insights = result.model_dump_json(exclude={"milliseconds"})
        return insights if count_tokens(insights) <= most_tokens else json.dumps({"error": _NO_ROOM})
    if isinstance(result, OutcomeEffect):
        return json.dumps({"noted": result.outcome, "memories_scored": len(result.moved)})
    return json.dumps({"done": True})


def _memories(found: Found, most_tokens: int) -> str:
    hits = [_described(hit) for hit in found.hits]
    text = json.dumps({"memories": hits}, ensure_ascii=False)
    while hits and count_tokens(text) > most_tokens:
        hits.pop()
        text = json.dumps({"memories": hits, "left_out": len(found.hits) - len(hits)}, ensure_ascii=False)
    return text


def _described(hit: MemoryHit) -> dict[str, object]:
    """A memory by its number and id, with how it was scored and where it comes from."""
    score = {"final_score": round(hit.score, 3), "wilson_score": round(hit.wilson_score, 3), "uses": hit.uses}
    outcome = {"last_outcome": hit.last_outcome, "proven": hit.proven} if hit.uses else {}
    return {
        "M": hit.position,
        "memory_id": hit.memory_id,
        "tier": hit.tier,
        "age": hit.age,
        "score_summary": {**score, **outcome},
        "citation": hit.citation.model_dump(exclude_none=True),
        "text": hit.text,
    }
