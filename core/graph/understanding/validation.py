"""Checks whether an action has all its inputs, and which of them it takes from the conversation's attachments.

Uses only rules: nothing is looked up and no model is called. Document sets have already been replaced by their
documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from core.events import Action
from core.graph.state import Missing
from core.graph.understanding.intent.rules import checks_document, read
from core.graph.understanding.mentions import without_mentions
from core.language.normalisation import fold
from core.language.vocabulary import pattern_of
from core.messages import message
from core.words import Words

LEAST_WORDS = 5
"""Minimum words, not counting mentions and commands, for a message to contain a text to audit."""

_LEAD = re.compile(r"[^\n:.!?]*[\n:.!?]\s*")
"""Matches the sentence with the instruction, which comes before the text to audit."""
_QUOTE = re.compile(r"[\"“„']([^\"”“\n]{12,})[\"”“']")

_SET_AGAINST = pattern_of("graph/consistency.set_against")

NO_WEB = message("graph.validation.no_web")


class Inputs(BaseModel, frozen=True):
    """The inputs with which an action would start.

    ``insisted``: the user selected the action, or chose it when asked. ``named`` are the documents that the message
    refers to, ``there`` all readable ones, ``attached`` the readable ones that belong to the conversation, ``reading``
    the filenames of attachments that are not readable yet. ``source_text`` was typed for the audit; if there is none,
    the text to audit is taken from ``text``. ``asks_web``: the message itself asks for the web (not only the switch on
    the page). ``narrows``: the user chose to name the documents to search.
    """

    action: Action
    text: str = ""
    insisted: bool = False
    named: tuple[str, ...] = ()
    there: frozenset[str] = frozenset()
    attached: tuple[str, ...] = ()
    reading: tuple[str, ...] = ()
    source_text: str = ""
    wants_web: bool = False
    asks_web: bool = False
    narrows: bool = False


class Validated(BaseModel, frozen=True):
    """The result of the check; ``missing`` says what the action lacks and is empty if it can start; then
    ``document_ids`` are its documents.

    ``action`` may have changed to a question. ``source_ids`` are attachments whose text is audited. ``empty``: there
    are no documents at all; ``unread``: the missing input may be in an attachment that is still being processed.
    """

    action: Action
    document_ids: tuple[str, ...] = ()
    source_text: str = ""
    source_ids: tuple[str, ...] = ()
    missing: Missing = ""
    web: bool = False
    empty: bool = False
    unread: bool = False
    notices: tuple[Words, ...] = ()


def validate(inputs: Inputs) -> Validated:
    """Checks ``inputs`` against the rules of their action."""
    named = tuple(each for each in dict.fromkeys(inputs.named) if each in inputs.there)
    named = named or _only_ones(inputs, inputs.action)
    action = _possible(inputs, named)
    text = inputs.source_text or (_typed(inputs, named) if action == "audit" else "")
    is_self_audit = action == "audit" and not text and bool(named) and not audits_against(inputs.text)
    sources, documents = _shared_out(action, named, inputs.attached, has_text=bool(text))
    if is_self_audit:
        sources, documents = (), named
    missing: Missing = "" if is_self_audit else _missing(inputs, action, documents, has_text=bool(text or sources))
    web = inputs.wants_web and (action != "compare" or inputs.asks_web)
    return Validated(
        action=action,
        document_ids=documents,
        source_text=text,
        source_ids=sources,
        missing=missing,
        web=web,
        empty=action in ("summarize", "compare", "audit") and not inputs.there and not inputs.reading,
        unread=bool(missing and inputs.reading),
        notices=(NO_WEB,) if inputs.wants_web and not web else (),
    )


def audits_against(message: str) -> bool:
    """Returns whether ``message`` sets a text against a document, so that the document itself is not audited."""
    return bool(_SET_AGAINST.search(fold(without_mentions(message))))


def source_text(message: str) -> str:
    """Returns the text to audit in ``message``: the text after the instruction, or in quotation marks; empty if there
    is only an instruction."""
    text = without_mentions(message)
    lead = _LEAD.match(text)
    if lead and "audit" in read(lead.group()).wanted:
        text = text[lead.end() :]
    elif "audit" in read(text).wanted:
        quoted = _QUOTE.search(text)
        text = quoted[1] if quoted else ""
    return text.strip() if len(text.split()) >= LEAST_WORDS else ""


def _typed(inputs: Inputs, named: Sequence[str]) -> str:
    """Returns the text in the message, unless the whole message is about a named attachment."""
    text = source_text(inputs.text)
    about_attachment = any(each in inputs.attached for each in named)
    return "" if about_attachment and text == without_mentions(inputs.text).strip() else text


def _possible(inputs: Inputs, named: Sequence[str]) -> Action:
    """Changes the action to a question if it is a comparison without documents, or of one document with the web, unless
    the user insisted on comparing."""
    least = 2 if inputs.wants_web and inputs.asks_web else 1
    nothing = len(named) < least and len({*named, *inputs.attached}) < 2
    return "inquire" if inputs.action == "compare" and nothing and not inputs.insisted else inputs.action


def _shared_out(
    action: Action, named: tuple[str, ...], attached: tuple[str, ...], *, has_text: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Divides the attachments: returns those to audit, and the documents to use; attachments are used if no documents
    were named."""
    match action:
        case "summarize":
            return (), named or attached
        case "compare":
            return (), named if len(named) > 1 else tuple(dict.fromkeys([*named, *attached]))
        case "audit" if has_text:
            return (), named or attached
        case "audit":
            return _audited(named, attached)
    return (), named


def _audited(named: tuple[str, ...], attached: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Chooses what is audited: attachments against other documents; if there are only attachments, the first against
    the others."""
    named_attached = tuple(each for each in named if each in attached)
    targets = tuple(each for each in named if each not in attached)
    if targets:
        return named_attached or attached, targets
    source = (named_attached or attached)[:1]
    return source, tuple(each for each in named_attached if each not in source)


def _only_ones(inputs: Inputs, action: Action) -> tuple[str, ...]:
    """Returns the documents that an action can only mean: there are no more than it needs, and none is attached. A text
    to audit names what it is checked against."""
    if action == "audit" and (inputs.source_text or _typed(inputs, ())):
        return ()
    needed = {"summarize": 1, "audit": 1, "compare": 2}.get(action, 0)
    is_plain = not (inputs.attached or inputs.reading or inputs.insisted)
    return tuple(sorted(inputs.there)) if is_plain and len(inputs.there) == needed else ()


def _missing(inputs: Inputs, action: Action, documents: Sequence[str], *, has_text: bool) -> Missing:
    match action:
        case "summarize":
            return "" if documents else "document"
        case "compare":
            return "" if len(documents) > 1 else "second"
        case "audit":
            if not has_text:
                return "audited" if checks_document(inputs.text) else "text"
            return "" if documents else "target"
    return "tag" if inputs.narrows and not documents else ""
