"""Asks which document is meant, or for its name where none was found [003 Phase 3.3; spec P1]."""

from __future__ import annotations

from core.events import Choice
from core.graph.asking import ALL, Reply, Request, ask
from core.graph.state import Node, State
from core.words import Words

WHICH = Words(en="Which document do you mean?", he="לאיזה מסמך הכוונה?")
WHICH_NAMED = Words(en="Which document do you mean by “{}”?", he="לאיזה מסמך הכוונה ב„{}”?")
NO_MATCH = Words(
    en="I found no document called “{}”. Which one is it?",
    he="לא מצאתי מסמך בשם „{}”. באיזה מסמך מדובר?",
)
MOST_OFFERED = 8
"""Where more come into question, the name may be typed as well."""
ALL_OF_THESE = Words(en="All of these", he="כל אלה")


def ask_documents() -> Node:
    async def node(state: State) -> State:
        reply = ask(_choice(state) if state["candidates"] else _name(state))
        if reply is None:
            return {"cancelled": True}
        if reply.text:
            return {"typed": reply.text, "candidates": [], "unresolved": []}
        named = [*(state.get("document_ids") or []), *_chosen(state, reply)]
        return {"document_ids": list(dict.fromkeys(named)), "candidates": [], "unresolved": []}

    return node


def _choice(state: State) -> Request:
    language = state["language"]
    named = state["unresolved"][0] if state["unresolved"] else ""
    choices = [
        Choice(id=each.document_id, label=each.title, hint=each.hint) for each in state["candidates"][:MOST_OFFERED]
    ]
    return Request(
        kind="doc_choice",
        question=WHICH_NAMED.to(language).format(named) if named else WHICH.to(language),
        choices=[*choices, Choice(id=ALL, label=ALL_OF_THESE.to(language))],
        several=len(choices) > 2 or state["action"] == "compare",
        allows_text=len(state["candidates"]) > MOST_OFFERED,
    )


def _name(state: State) -> Request:
    return Request(
        kind="text_input",
        question=NO_MATCH.to(state["language"]).format(" / ".join(state["unresolved"])),
        allows_text=True,
    )


def _chosen(state: State, reply: Reply) -> list[str]:
    offered = [each.document_id for each in state["candidates"][:MOST_OFFERED]]
    return offered if ALL in reply.choice_ids else [each for each in offered if each in reply.choice_ids]
