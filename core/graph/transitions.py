"""Defines the edges of the graph of a turn: which step follows which, given the state.

listen → (ask_subject) → understand → (ask_action) → complete → correct → read_links → compute → (ask_reading) →
documents → (ask_documents) → validate → (ask_missing) → recall → (gate → consult) → the action → (supplement) → check →
(suggest, title and tone in parallel) → finish → offer → learn. A question that the memory cannot answer goes consult →
retrieve → (single_out → ask_documents) → (assess → reread → ask_retrieval) → answer. Before a tool that may change
something is used, consult, answer and supplement go to ask_tool and return. Paid work and a question to the user that
may follow it are always two nodes. A question whose right answer the user has typed goes correct → recall →
(retrieve) → answer. A question about earlier conversations goes understand → recollect; so does one for which the
documents have nothing, before its answer. Without a model, several questions of a message go recall → each_question →
check. A cancelled question goes to ``finish`` and ends there.
"""

from __future__ import annotations

from collections.abc import Callable

from langgraph.graph import END

from core.graph.memory.gating import knows
from core.graph.memory.recollection.wording import asks_of_library, speaks_of_talk
from core.graph.nodes.ask_retrieval import WEB
from core.graph.nodes.assess import touches
from core.graph.nodes.reread import MOST_DOCUMENTS
from core.graph.state import State
from core.graph.understanding.documents.anaphora import refers_back
from core.graph.understanding.documents.query_rewriting import depends_on_context
from core.graph.understanding.mentions import mentions
from core.question.destination import Place

ACTIONS = ("summarize", "compare", "audit")
"""Actions on whole documents."""
PLACES: dict[Place, str] = {"remember": "command", "forget": "command", "correct": "command"}
"""The node that answers a message with such a destination."""
SURE_PLACES: dict[Place, str] = {
    "web": "recall",
    "tool": "recall",
    "small_talk": "courtesy",
    "not_here": "recollect",
}
"""The node that answers a message that surely has such a destination; otherwise it is completed, and the documents are
searched too."""


def _after_listening(state: State) -> str:
    if state["answer"].response:
        return "check"
    return "ask_subject" if state["waiting"].missing == "subject" else "understand"


def _after_understanding(state: State) -> str:
    place, sure = state["asked"].question.destination.place, state["asked"].question.destination.sure
    if place in PLACES:
        return PLACES[place]
    if place in SURE_PLACES and _goes_there(state):
        intent = state["asked"].intent
        return "not_here" if place == "not_here" and intent and intent.web == "asked" else SURE_PLACES[place]
    if state["asked"].action == "memory":
        return "recollect" if _is_guessed_recall(state) else "command"
    if place == "memory" or ((place == "documents" or not sure) and speaks_of_talk(state["asked"].text)):
        return "recollect"
    return "ask_action" if state["waiting"].doubtful else "complete"


def _is_guessed_recall(state: State) -> bool:
    """Returns whether a message only resembles the command that lists what is known: it asks for something of it."""
    intent = state["asked"].intent
    return bool(intent and intent.how == "examples" and intent.command and intent.command.kind == "recall")


def _goes_there(state: State) -> bool:
    """Returns whether only the destination's place is asked: it is sure, and no document was chosen, mentioned or
    referred back to."""
    asked = state["asked"]
    refers = refers_back(asked.text) and not (asked.intent and asked.intent.web == "asked")
    chosen = asked.ask.web or asked.document_ids or mentions(asked.text) or refers
    return asked.question.destination.sure and asked.action == "inquire" and not chosen


def _goes_to(state: State, place: Place) -> bool:
    return state["asked"].question.destination.place == place and _goes_there(state)


def _after_computing(state: State) -> str:
    if state["answer"].response:
        return "check"
    if state["waiting"].data_readings:
        return "ask_reading"
    return "recall" if _is_computed(state) else "documents"


def _is_computed(state: State) -> bool:
    """Returns whether data files answer, or a model may query them."""
    return bool(state["found"].planned or state["found"].unsure_query)


def _after_documents(state: State) -> str:
    if state["answer"].response:
        return "check"
    return "ask_documents" if state["waiting"].doubts else "validate"


def _after_asking_documents(state: State) -> str:
    if state["waiting"].typed:
        return "documents"
    if state["waiting"].doubts:
        return "ask_documents"
    # The data of the chosen file may answer; "the budget" could not be computed before.
    is_new = state["waiting"].candidates and state["asked"].action == "inquire" and state["found"].searched is None
    return "compute" if is_new else "validate"


def _after_validation(state: State) -> str:
    if state["answer"].response:
        return "check"
    if state["waiting"].missing:
        return "ask_missing"
    return "retrieve" if state["found"].sources or state["found"].meta else "recall"


def _after_asking_missing(state: State) -> str:
    return "documents" if state["waiting"].typed else "validate"


def _after_recall(state: State) -> str:
    if state["found"].correction:
        return "answer" if state["found"].sources or state["found"].from_memory else "retrieve"
    if _is_computed(state):
        return "answer"
    if state["asked"].action in ACTIONS:
        return state["asked"].action
    if _goes_to(state, "web"):
        return "web"
    if _goes_to(state, "tool"):
        return "consult"
    if state["found"].questions:
        return "each_question"
    return "gate" if knows(state["found"].meta) else "consult"


def _after_gating(state: State) -> str:
    return "answer" if state["found"].from_memory else "consult"


def _after_consulting(state: State) -> str:
    if _asks_about_tool(state):
        return "ask_tool"
    if state["answer"].response:
        return "check"
    return "answer" if state["found"].planned else "retrieve"


def _after_answer(state: State) -> str:
    return "ask_tool" if _asks_about_tool(state) else "check"


def _after_asking_about_tool(state: State) -> str:
    """After the user decided on a tool call, returns to the node that made it: a document action, the model's answer,
    or the node for calls made by rules."""
    consultation = state["waiting"].consultation
    if _asks_about_tool(state):
        return "ask_tool"
    if state["asked"].action in ACTIONS:
        return "supplement"
    return "answer" if consultation and consultation.by_model else "consult"


def _asks_about_tool(state: State) -> bool:
    consultation = state["waiting"].consultation
    return bool(consultation and consultation.wants)


def _after_planning(state: State) -> str:
    """In Deep, the user agrees to a plan before it runs."""
    found = state["found"]
    if found.correction:
        return "answer"
    if not found.plan or found.planned or any(step.passages for step in found.plan):
        return _after_search(state)
    waits = state["asked"].ask.mode == "deep" and not state["found"].agreed_plan
    return "ask_plan" if waits else "look_up"


def _after_looking_up(state: State) -> str:
    found = state["found"]
    return "answer" if found.planned or any(step.passages for step in found.plan) else _after_search(state)


def _after_search(state: State) -> str:
    """Decides first, once per turn, whether one of several similar documents must be chosen; then the passages are
    assessed."""
    settled = state["asked"].document_ids or state["found"].reread or state["waiting"].asked_retrieval
    return _after_retrieval(state) if settled else "single_out"


def _after_singling_out(state: State) -> str:
    if state["waiting"].doubts:
        return "ask_documents"
    return "retrieve" if state["asked"].document_ids else _after_retrieval(state)


def _after_retrieval(state: State) -> str:
    """Goes directly to the answer if the results are certain enough, or if nothing relevant was found (the answer then
    says so)."""
    if _wants_web(state) and (state["asked"].web_asked or state["found"].confidence == "none"):
        return "web"
    if state["found"].confidence == "none" and _may_hold_it(state):
        return "reread"
    if _is_unanswered(state):
        return "recollect"
    if state["found"].confidence in ("high", "none") or state["waiting"].asked_retrieval or knows(state["found"].meta):
        return "answer"
    return "assess"


def _is_unanswered(state: State) -> bool:
    """Returns whether nothing was found, and the earlier conversations were not searched yet; a question about the
    documents as such has no answer there."""
    found = state["found"]
    return found.confidence == "none" and not found.recollecting and not asks_of_library(state["asked"].text)


def _after_recollecting(state: State) -> str:
    """Goes on to the documents if the earlier conversations have no answer, unless these were searched before."""
    if state["answer"].response:
        return "check"
    if state["found"].recollected or state["found"].searched:
        return "not_here" if _is_elsewhere(state) else "answer"
    if _goes_to(state, "not_here"):
        return "not_here"
    return "ask_action" if state["waiting"].doubtful else "complete"


def _is_elsewhere(state: State) -> bool:
    """Returns whether a message only goes on in form, and neither the documents nor the conversations have it."""
    is_outside = state["asked"].question.destination.place == "not_here"
    return is_outside and state["found"].confidence == "none" and depends_on_context(state["asked"].text)


def _may_hold_it(state: State) -> bool:
    """Returns whether the few documents that were searched mention the question's subject, although no passage matches
    closely."""
    few = 0 < state["found"].reach.documents <= MOST_DOCUMENTS
    worth = state["asked"].ask.mode != "quick" and not state["found"].reread and not state["waiting"].asked_retrieval
    return few and worth and touches(state["asked"].text, state["found"].sources)


def _after_supplement(state: State) -> str:
    """Goes to the web after a whole-document action only if the user asked for the web."""
    if _asks_about_tool(state):
        return "ask_tool"
    return "web" if _wants_web(state) and state["asked"].web_asked else "check"


def _wants_web(state: State) -> bool:
    """Returns whether to search the web; a web search that was only inferred is skipped if the memory is certain."""
    wished = state["asked"].web_asked or not knows(state["found"].meta)
    return state["asked"].web and bool(wished) and not state["found"].searched_web


def _after_web(state: State) -> str:
    """If the web search found nothing, continues as if the web had not been searched."""
    if state["answer"].response:
        return "blend"
    if any(source.kind in ("web", "tool") for source in state["found"].sources):
        return "answer"
    if _goes_to(state, "web") and state["found"].searched is None:
        intent = state["asked"].intent
        return "complete" if intent is not None and intent.web == "asked" else "not_here"
    inferred = not state["asked"].web_asked and state["found"].confidence != "none"
    return _after_assessment(state) if inferred and not state["waiting"].asked_retrieval else _after_retrieval(state)


def _after_assessment(state: State) -> str:
    if state["found"].sufficient:
        return "answer"
    if _wants_web(state):
        return "web"
    if not state["found"].bears:
        return "answer"
    return _how_to_go_on(state) if state["found"].reread else "reread"


def _after_rereading(state: State) -> str:
    if state["found"].confidence == "none":
        return "retrieve" if state["found"].added else "recollect" if _is_unanswered(state) else "answer"
    return "assess" if state["found"].added else _how_to_go_on(state)


def _how_to_go_on(state: State) -> str:
    """Answers from what was found if an organisation or a document in the question limited the search; otherwise asks
    the user how to continue."""
    chosen = state["found"].bound or state["asked"].document_ids
    return "answer" if chosen else "ask_retrieval"


def _after_asking_retrieval(state: State) -> str:
    if state["waiting"].typed:
        return "documents"
    if state["waiting"].retrieval_choice == WEB:
        return "web"
    return "validate" if state["waiting"].retrieval_choice == "tag" else "answer"


def _unless_cancelled(after: Callable[[State], str]) -> Callable[[State], str]:
    return lambda state: "finish" if state["answer"].cancelled else after(state)


TRANSITIONS: dict[str, Callable[[State], str | list[str]]] = {
    "listen": _after_listening,
    "ask_subject": _unless_cancelled(lambda _: "understand"),
    "understand": _after_understanding,
    "ask_action": _unless_cancelled(lambda _: "complete"),
    "correct": lambda state: "recall" if state["found"].correction else "read_links",
    "not_here": lambda state: "check" if state["answer"].response else "complete",
    "compute": _after_computing,
    "ask_reading": _unless_cancelled(lambda _: "compute"),
    "documents": _after_documents,
    "ask_documents": _unless_cancelled(_after_asking_documents),
    "validate": _after_validation,
    "ask_missing": _unless_cancelled(_after_asking_missing),
    "recollect": _after_recollecting,
    "recall": _after_recall,
    "gate": _after_gating,
    "consult": _after_consulting,
    "answer": _after_answer,
    "ask_tool": _unless_cancelled(_after_asking_about_tool),
    "retrieve": _after_planning,
    "ask_plan": _unless_cancelled(lambda _: "look_up"),
    "look_up": _after_looking_up,
    "single_out": _after_singling_out,
    "assess": _after_assessment,
    "reread": _after_rereading,
    "web": _after_web,
    "supplement": _after_supplement,
    "ask_retrieval": _unless_cancelled(_after_asking_retrieval),
    "check": lambda _: ["suggest", "title", "tone"],
    "finish": lambda state: END if state["answer"].cancelled else "offer",
}
EDGES = {
    **dict.fromkeys(ACTIONS, "supplement"),
    "complete": "correct",
    "read_links": "compute",
    "blend": "check",
    "each_question": "check",
    "courtesy": "check",
    "command": "check",
    "suggest": "finish",
    "title": "finish",
    "tone": "finish",
    "offer": "learn",
    "learn": END,
}
