"""Says in one sentence that nothing the person has can answer, and what the library covers.

If a search of the web is asked for, it says how to switch it on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath

from core.events import Response
from core.graph.services import Services
from core.graph.state import State, TurnAnswer
from core.library.records import Document
from core.messages import message
from core.words import Words

MOST_NAMED = 4
"""Number of subjects of the library that are named."""
LONGEST = 60
_NUMBERS = re.compile(r"(?:(?<![\s(,_-])[\s(,_-]+)?\b(?:v?\d[\d.\-/]*|q[1-4])\b[)\s,_-]*", re.IGNORECASE)


async def not_here(services: Services, state: State) -> State:
    language = state["asked"].language
    intent = state["asked"].intent
    if intent is not None and intent.web == "asked" and not services.tools.searches_web:
        words = message("graph.not_here.asked_web")
    else:
        words = what_is_missing(await services.turn.listed(state), is_on=services.tools.searches_web)
    response = Response(kind="nothing_found", text=words.to(language), language=language)
    return {"answer": TurnAnswer(response=response)}


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
