"""Decides whether a message needs information from the web."""

from __future__ import annotations

import re
from datetime import date

from core.graph.records import WebReason
from core.graph.understanding.mentions import MARK, without_mentions
from core.graph.understanding.wording import is_document_word, lists, names_document
from core.language.normalisation import fold

_TOKEN = re.compile(rf"[\w\"']+|{MARK}")
_NEAR = 2
"""Maximum words between a year and a word for a document, if the year is part of the document's name."""


def about_image(text: str) -> bool:
    """Returns whether ``text`` is about a picture; such a question never goes to the web."""
    return bool(lists().web["image"].search(fold(text)))


def asks_web(text: str) -> bool:
    """Returns whether ``text`` explicitly asks for a web search."""
    folded = fold(without_mentions(text, MARK))
    denied = about_image(text) or lists().web["denied"].search(folded)
    return not denied and bool(lists().web["asked"].search(folded))


def web_wish(text: str, today: date) -> WebReason | None:
    """Returns why ``text`` needs the web: it explicitly asks for a search, asks for a current fact, or contains a word
    or year that means the present.

    What "we" discussed "last time" is in the memory, and what "we" do today is in the user's documents; neither needs
    the web.
    """
    folded = fold(without_mentions(text, MARK))
    if about_image(text) or lists().web["denied"].search(folded):
        return None
    if asks_web(text):
        return "asked"
    if lists().web["talk"].search(folded):
        return None
    if _is_fact(folded):
        return "facts"
    if lists().web["temporal"].search(folded) or _named_year(folded, today.year):
        return "temporal"
    rest = lists().web["now_as_order"].sub(" ", folded)
    weak = lists().web["temporal_weak"].search(rest)
    return "temporal" if weak and not lists().web["household"].search(rest) else None


def _is_fact(folded: str) -> bool:
    if lists().web["facts"].search(folded):
        return True
    return bool(lists().web["prices"].search(folded)) and not names_document(folded)


def _named_year(folded: str, year: int) -> bool:
    """Returns whether this year or the next is in the text, not as part of a document's name."""
    tokens = _TOKEN.findall(folded)
    return any(
        token in (str(year), str(year + 1))
        and not any(is_document_word(near) for near in tokens[max(0, place - _NEAR) : place + _NEAR + 1])
        for place, token in enumerate(tokens)
    )
