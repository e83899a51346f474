"""Finds the documents that a question, or what was typed to name them, is about [spec A4]."""

from __future__ import annotations

from core.events import DocumentRef, DocumentsFound, Response
from core.graph.naming import Naming, implied, mentioned, typed
from core.graph.services import Services
from core.graph.state import Node, State
from core.graph.tracing import node_trace
from core.library.records import Document
from core.words import Words

MOST_TRIES = 3
"""How often one may be asked for a document before the run ends."""
GIVEN_UP = Words(
    en="I could not find that document, so I stopped here. Look in the Library for its title, and ask again with @.",
    he="לא מצאתי את המסמך, ולכן עצרתי כאן. חפשו את כותרתו בספרייה, ושאלו שוב עם @.",
)


def documents(services: Services) -> Node:
    async def node(state: State) -> State:
        emit, trace = node_trace("d")
        with trace.step("resolving") as step:
            library = [each for each in await services.library.find(state["user_id"]) if each.is_stored]
            naming = _naming(state, library)
            named = list(dict.fromkeys([*(state.get("document_ids") or []), *(each.id for each in naming.named)]))
            step.detail(_found(naming, len(named)))
        if naming.named:
            emit(DocumentsFound(documents=[_ref(each) for each in naming.named]))
        tries = state["tries"] + (1 if state["typed"] and naming.unknown else 0)
        if tries > MOST_TRIES:
            return {"response": _given_up(state), "candidates": [], "unresolved": [], "typed": ""}
        return {
            "document_ids": named or None,
            "candidates": [_ref(each) for each in naming.candidates],
            "unresolved": naming.unknown,
            "typed": "",
            "tries": tries,
        }

    return node


def _naming(state: State, library: list[Document]) -> Naming:
    if state["typed"]:
        return typed(state["typed"], library)
    found = mentioned(state["question"], library)
    if found.named or found.unknown:
        return found
    whole = state["action"] in ("summarize", "compare", "audit")
    found = implied(state["question"], library, state.get("conversation_docs", {}), whole=whole)
    if state["action"] == "compare" and len(found.candidates) == 2:
        return Naming(named=found.candidates)
    return found


def _ref(document: Document) -> DocumentRef:
    return DocumentRef(document_id=document.id, title=document.metadata.title, hint=document.filename)


def _given_up(state: State) -> Response:
    return Response(kind="told", text=GIVEN_UP.to(state["language"]), language=state["language"])


def _found(naming: Naming, named: int) -> Words:
    if naming.candidates:
        count = len(naming.candidates)
        return Words(en=f"{count} come into question", he=f"{count} באים בחשבון")
    if naming.unknown:
        return Words(en="none of that name", he="אין מסמך בשם הזה")
    return Words(en=f"{named} named", he=f"צוינו {named}") if named else Words(en="all of them", he="כולם")
