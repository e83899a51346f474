"""Says in one sentence that nothing the person has can answer, and what the library covers.

If a search of the web is asked for, it says how to switch it on.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import PurePath

from core.errors import PalimpsestError
from core.events import Response
from core.graph.nodes.assess import mentioned_share
from core.graph.services import Services
from core.graph.state import Asked, State, TurnAnswer
from core.library.catalogue import LIVE
from core.library.records import Document
from core.messages import message
from core.question.destination import Destination
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.words import Words

log = logging.getLogger(__name__)

MOST_NAMED = 4
"""Number of subjects of the library that are named."""
LONGEST = 60
HELD = 0.7
"""Minimum share of the question's terms in one document for it to be searched."""
_NUMBERS = re.compile(r"(?:(?<![\s(,_-])[\s(,_-]+)?\b(?:v?\d[\d.\-/]*|q[1-4])\b[)\s,_-]*", re.IGNORECASE)


async def not_here(services: Services, state: State) -> State:
    """Refuses, unless a search finds the subject of the question in the documents: the question then goes to them."""
    language = state["asked"].language
    intent = state["asked"].intent
    listed = await services.turn.listed(state)
    if intent is not None and intent.web == "asked" and not services.tools.searches_web:
        words = message("graph.not_here.asked_web")
    elif listed and state["found"].searched is None and await _is_in_documents(services, state):
        return {"asked": Asked(question=state["asked"].question.sent_to(Destination(sure=False)))}
    else:
        words = what_is_missing(listed, is_on=services.tools.searches_web)
    response = Response(kind="nothing_found", text=words.to(language), language=language)
    return {"answer": TurnAnswer(response=response)}


async def _is_in_documents(services: Services, state: State) -> bool:
    """Returns whether the documents mention the subject, or whether some are still being read and may do so."""
    asked = state["asked"]
    if any(each.state in LIVE and not each.is_stored for each in await services.turn.listed(state)):
        return True
    query = DocumentQuery(asked.user_id, asked.text, asked.ask.mode, asked.conversation_id)
    try:
        found = await services.documents.find(query, Deadline(services.settings.deadlines.retrieval))
    except PalimpsestError:
        log.warning("the documents could not be searched before a refusal", exc_info=True)
        return False
    return mentioned_share(asked.text, found.sources) >= HELD


def what_is_missing(documents: Sequence[Document], *, is_on: bool) -> Words:
    """Returns the sentence; ``is_on``: the web can be searched."""
    web = "web_on" if is_on else "web_off"
    if not documents:
        return message(f"graph.not_here.empty.{web}")
    subjects = ", ".join(f"“{each}”" for each in subjects_of(documents))
    return message(f"graph.not_here.covers.{web}", count=len(documents), subjects=subjects)


def subjects_of(documents: Sequence[Document]) -> list[str]:
    """Returns names of documents; editions that differ only in numbers count once."""
    found: dict[str, str] = {}
    for each in documents:
        title = name_of(each)
        bare = " ".join(_NUMBERS.sub(" ", title).split())
        found.setdefault(bare.casefold(), bare or title)
    return [each[:LONGEST] for each in found.values()][:MOST_NAMED]


def name_of(document: Document) -> str:
    """Returns the title, or else the filename without its extension."""
    return document.metadata.title or PurePath(document.filename).stem
