"""Finds the phrases that request a web search; they say nothing about the subject of the search."""

from __future__ import annotations

import re

from core.language.vocabulary import phrases

_phrase = phrases("graph/understanding.web_phrases")

_WHERE = r"(?:on|in|up on) (?:the )?(?:web|internet)|online"
_HEBREW = _phrase("search")
_ORDER = re.compile(
    r"^(?:please,? |can you |could you )*(?:search|look up|look|check|browse|google)(?: for)?(?: it)? (?:the )?"
    rf"(?:{_WHERE}|web|internet)(?: (?:for|about|and))?[:,]?\s*"
    rf"|^(?:{_phrase('lead')})*{_HEBREW}(?:{_phrase('about')})?[:,]?\s*",
    re.IGNORECASE,
)
_AFTER = re.compile(
    r"(?:(?<![\s,.;?])[\s,.;?]++)?+(?:\(?(?:please )?(?:search|look|check)(?: it)?(?: up)? (?:the )?"
    rf"(?:{_WHERE}|web|internet)\)?|{_WHERE})[.?!\s]*$"
    rf"|(?:(?<![\s,.;?])[\s,.;?]++)?+{_HEBREW}[.?!\s]*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^(?:please,? )?(?:search|look) for ", re.IGNORECASE)
_BESIDE = re.compile(
    r"^(.*)\b(?:what (?:does )?(?:the )?(?:web|internet) (?:says?|has|tells?|knows?|writes?)"
    rf"|what (?:is|can be) (?:said|found|known|written|published) (?:{_WHERE})) (?:to say )?(?:about|on|of|for) "
    rf"|^(.*){_phrase('beside')}"
    rf"|^(.*)\b(?:search|look up|look|check|browse)(?: for)?(?: it)? (?:the )?(?:{_WHERE}|web|internet)"
    r"(?: (?:for|about|and))?[:,]?\s+(?=\S)"
    rf"|^(.*){_HEBREW}(?:{_phrase('about')})?[:,]?\s+(?=\S)",
    re.IGNORECASE | re.DOTALL,
)
"""Words that lead to the subject of the web search, if the message asks for something else as well; its only
groups contain what precedes them."""


_JOINING = re.compile(rf"(?<!\w)(?:{_phrase('joining')})$", re.IGNORECASE)
"""A word that joins what is asked of the documents with what is asked of the web."""
_STOPS = " ,;:\n"


def web_part_of(text: str) -> str:
    """Returns the part of a request about documents that is meant for the web; returns the whole request if no part
    is."""
    return _BESIDE.sub("", text.strip()) or text


def documents_part_of(text: str) -> str:
    """Returns the part of a request about documents that is meant for the documents; returns the whole request if none
    of it is meant for the web.

    >>> documents_part_of("Compare the two leases, and what the web says about rents")
    'Compare the two leases'
    """
    bare = text.strip()
    found = _BESIDE.match(bare)
    before = found[found.lastindex].rstrip(_STOPS) if found and found.lastindex else ""
    return _JOINING.sub("", before).rstrip(_STOPS) or text


def without_web_order(text: str) -> str:
    """Returns ``text`` without the web search request at its start or end; unchanged if nothing else would remain."""
    bare = text.strip()
    rest = _ORDER.sub("", bare)
    ended = _AFTER.sub("", rest)
    if ended != rest:
        rest = _BEFORE.sub("", ended)
    return rest or bare
