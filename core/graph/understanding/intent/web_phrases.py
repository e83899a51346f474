"""The words with which a message asks for a web search, which say nothing about its subject."""

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
    r"[\s,.;?]*(?:\(?(?:please )?(?:search|look|check)(?: it)?(?: up)? (?:the )?"
    rf"(?:{_WHERE}|web|internet)\)?|{_WHERE})[.?!\s]*$"
    rf"|[\s,.;?]*{_HEBREW}[.?!\s]*$",
    re.IGNORECASE,
)
_BEFORE = re.compile(r"^(?:please,? )?(?:search|look) for ", re.IGNORECASE)


def without_web_order(text: str) -> str:
    """``text`` without the order to search the web, before or after; as it is when nothing else would be left."""
    bare = text.strip()
    rest = _ORDER.sub("", bare)
    ended = _AFTER.sub("", rest)
    if ended != rest:
        rest = _BEFORE.sub("", ended)
    return rest or bare
