"""Whether an action has what it needs, and what it takes from the conversation's attachments.

Pure rules: nothing is looked up and nothing is paid for. Sets have become documents before.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pydantic import BaseModel

from core.events import Action
from core.graph.state import Missing
from core.graph.understanding.intent.rules import read
from core.graph.understanding.mentions import without_mentions
from core.messages import message
from core.words import Words

LEAST_WORDS = 5
"""Words beyond mentions and orders from which there is a text to audit."""

_LEAD = re.compile(r"[^\n:.!?]*[\n:.!?]\s*")
"""The sentence that says what to do with the text after it."""
_QUOTE = re.compile(r"[\"“„']([^\"”“\n]{12,})[\"”“']")

NO_WEB = message("graph.validation.no_web")


class Inputs(BaseModel, frozen=True):
    """What an action would start with.

    ``insisted``: the action was picked by hand, or chosen when asked. ``named`` are the documents that were resolved,
    ``there`` all that can be read, ``attached`` those of them that belong to the conversation, ``reading`` the
    filenames of attachments that cannot be read yet. ``source_text`` was typed to be audited; otherwise it is looked
    for in ``text``. ``asks_web``: the message itself says that the web is to be looked at; the switch of the page does
    not. ``narrows``: somebody chose to name the documents to look in.
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
    """``missing`` is empty when the action can start; then ``document_ids`` are what it works on.

    ``action`` may have become an inquiry. ``source_ids`` are attachments whose text is audited. ``empty``: there is
    nothing to work on at all; ``unread``: what is missing may be in an attachment that is still being read.
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
    """Hold ``inputs`` against the rules of their action."""
    named = tuple(each for each in dict.fromkeys(inputs.named) if each in inputs.there)
    action = _possible(inputs, named)
    text = inputs.source_text or (_typed(inputs, named) if action == "audit" else "")
    sources, documents = _shared_out(action, named, inputs.attached, has_text=bool(text))
    missing = _missing(inputs, action, documents, has_text=bool(text or sources))
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


def source_text(message: str) -> str:
    """The text that ``message`` asks to audit: behind the order, or in quotation marks; the order alone is none."""
    text = without_mentions(message)
    lead = _LEAD.match(text)
    if lead and "audit" in read(lead.group()).wanted:
        text = text[lead.end() :]
    elif "audit" in read(text).wanted:
        quoted = _QUOTE.search(text)
        text = quoted[1] if quoted else ""
    return text.strip() if len(text.split()) >= LEAST_WORDS else ""


def _typed(inputs: Inputs, named: Sequence[str]) -> str:
    """The text in the message, unless the whole message is about an attachment that was named."""
    text = source_text(inputs.text)
    about_attachment = any(each in inputs.attached for each in named)
    return "" if about_attachment and text == without_mentions(inputs.text).strip() else text


def _possible(inputs: Inputs, named: Sequence[str]) -> Action:
    """A comparison of nothing in particular is a question, unless somebody insisted on it; so is one of a single
    document with the web."""
    least = 2 if inputs.wants_web and inputs.asks_web else 1
    nothing = len(named) < least and len({*named, *inputs.attached}) < 2
    return "inquire" if inputs.action == "compare" and nothing and not inputs.insisted else inputs.action


def _shared_out(
    action: Action, named: tuple[str, ...], attached: tuple[str, ...], *, has_text: bool
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The attachments whose text is audited, and the documents to work on: an attachment stands in for what was not
    named."""
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
    """What is attached is held against what is not; of attachments alone the first against the others."""
    named_attached = tuple(each for each in named if each in attached)
    targets = tuple(each for each in named if each not in attached)
    if targets:
        return named_attached or attached, targets
    source = (named_attached or attached)[:1]
    return source, tuple(each for each in named_attached if each not in source)


def _missing(inputs: Inputs, action: Action, documents: Sequence[str], *, has_text: bool) -> Missing:
    match action:
        case "summarize":
            return "" if documents else "document"
        case "compare":
            return "" if len(documents) > 1 else "second"
        case "audit":
            return "text" if not has_text else ("" if documents else "target")
    return "tag" if inputs.narrows and not documents else ""
