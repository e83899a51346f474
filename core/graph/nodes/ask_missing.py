"""Asks for what an action still lacks: documents, or the text to audit."""

from __future__ import annotations

from core.graph.interrupts import Request, ask
from core.graph.state import Node, State
from core.words import Words

_QUESTIONS: dict[str, Words] = {
    "document": Words(en="Which document should I summarize?", he="איזה מסמך לסכם?"),
    "second": Words(
        en="Two documents are needed to compare. Which is the other one?",
        he="להשוואה נדרשים שני מסמכים. מהו המסמך השני?",
    ),
    "both": Words(
        en="Two documents are needed to compare. Which two?",
        he="להשוואה נדרשים שני מסמכים. אילו שניים?",
    ),
    "target": Words(en="Which document should the text be held against?", he="מול איזה מסמך לבדוק את הטקסט?"),
    "text": Words(en="Paste the text to be audited.", he="הדביקו את הטקסט לבדיקה."),
    "tag": Words(en="Which documents should I look in?", he="באילו מסמכים לחפש?"),
}


def ask_missing() -> Node:
    async def node(state: State) -> State:
        missing = state["missing"]
        question = "both" if missing == "second" and not state.get("document_ids") else missing
        reply = ask(Request(kind="text_input", question=_QUESTIONS[question].to(state["language"]), allows_text=True))
        if reply is None:
            return {"cancelled": True}
        if missing == "text":
            return {"source_text": reply.text, "missing": ""}
        return {"typed": reply.text, "missing": ""}

    return node
