"""The words with which a message asks for a web search, which say nothing about its subject [spec A11]."""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"^(?:please,? |can you |could you )*(?:search|look|check|browse|google)(?: for)?(?: it)?(?: (?:on|in|up on))? "
    r"(?:the )?(?:web|internet|online)(?: (?:for|about|and))?[:,]?\s*"
    r"|^(?:בבקשה,? |נא )*(?:חפשו?|תחפשו?|בדקו?|תבדקו?)(?: לי)? (?:באינטרנט|ברשת|בגוגל)(?: את| על| האם)?[:,]?\s*",
    re.IGNORECASE,
)


def without_web_order(text: str) -> str:
    """``text`` without the order to search the web at its beginning; as it is when nothing else would be left."""
    bare = text.strip()
    return _ORDER.sub("", bare) or bare
