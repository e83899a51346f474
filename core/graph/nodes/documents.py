"""Finds the documents that a question, or what was typed to name them, is about [spec A4]."""

from __future__ import annotations

import re

from core.events import DocumentRef, DocumentsFound, Response
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.library.records import Document
from core.words import Words

MOST_TRIES = 3
"""How often one may be asked for a document before the run ends."""
_QUOTED = re.compile(r'@"([^"\n]+)"')


def documents(services: Services) -> Node:
    async def node(state: State) -> State:
        emit, trace = node_trace("d")
        with trace.step("resolving") as step:
            library = await services.library.find(state["user_id"])
            text = state["typed"] or state["question"]
            found = _mentioned(text, library)
            already = state.get("document_ids") or []
            named = list(dict.fromkeys([*already, *(each.id for each in found)]))
            step.detail(Words(en=f"{len(named)} named", he=f"צוינו {len(named)}"))
        if found:
            emit(DocumentsFound(documents=[DocumentRef(document_id=d.id, title=d.metadata.title) for d in found]))
        unresolved = [state["typed"]] if state["typed"] and not found else []
        tries = state["tries"] + (1 if unresolved else 0)
        if tries > MOST_TRIES:
            return {"response": _given_up(state), "unresolved": [], "typed": ""}
        return {
            "document_ids": named or None,
            "candidates": [],
            "unresolved": unresolved,
            "typed": "",
            "tries": tries,
        }

    return node


GIVEN_UP = Words(
    en="I could not find that document, so I stopped here. Look in the Library for its title, and ask again with @.",
    he="לא מצאתי את המסמך, ולכן עצרתי כאן. חפשו את כותרתו בספרייה, ושאלו שוב עם @.",
)


def _given_up(state: State) -> Response:
    return Response(kind="told", text=GIVEN_UP.to(state["language"]), language=state["language"])


def _mentioned(text: str, library: list[Document]) -> list[Document]:
    named = {title.casefold() for title in _QUOTED.findall(text)}
    return [document for document in library if document.metadata.title.casefold() in named]
