"""Checks whether quotations were found only by embeddings: returns the question's words that none of them contains.

A user who asks for "vacation" and gets "annual leave" should see why, and so should a user who gets something
unrelated.
"""

from __future__ import annotations

from collections.abc import Sequence

from core.language.detection import detect
from core.language.expansions import expand
from core.language.normalisation import fold
from core.language.terms import content_terms, covers, weak_words
from core.messages import message
from core.words import Language, Words

MOST_TOLD = 3
"""Maximum number of the question's words to report."""


def unmatched_terms(asked: str, language: Language, quoted: Sequence[str], found: Sequence[str]) -> Words | None:
    """Returns ``None`` if a quoted passage contains a word of the question, or is in another language, so that its
    words cannot match. ``quoted`` and ``found`` are passages with title and heading; words found only in passages
    that are not quoted are not reported."""
    spans = [text for text in quoted if detect(text) == language]
    said = dict.fromkeys(content_terms(asked))
    sought = [term for term in said if term not in weak_words() and not any(map(str.isdigit, term))]
    if not sought or not spans or len(spans) < len(quoted):
        return None
    folded = [fold(text) for text in spans]
    if any(covers(term, text) for term in sought for text in folded):
        return None
    everywhere = [fold(text) for text in found]
    missing = [term for term in sought if not any(covers(term, text) for text in everywhere)]
    return _notice(missing[:MOST_TOLD], _other_name(asked, folded)) if missing else None


def unmentioned_words(words: Sequence[str]) -> Words | None:
    """Returns the remark that no passage mentions these ``words``; ``None`` without words."""
    return _notice(words[:MOST_TOLD], None) if words else None


def quoted_words(words: Sequence[str]) -> Words:
    """Returns the first of ``words`` (one or more) in quotation marks: “solar” or “panel”."""
    *first, last = [message("answering.unmatched_terms.quoted", word=word) for word in words[:MOST_TOLD]]
    return message("answering.unmatched_terms.either", first=Words.joined(first, ", "), last=last) if first else last


def _other_name(asked: str, names: Sequence[str]) -> str | None:
    """Returns another name for something that the question names, if a quoted passage contains that name."""
    for name in expand(asked).added:
        terms = content_terms(name)
        if terms and any(all(covers(term, text) for term in terms) for text in names):
            return name
    return None


def _notice(missing: Sequence[str], instead: str | None) -> Words:
    names = quoted_words(missing)
    if instead:
        return message("answering.unmatched_terms.taken_for_it", names=names, instead=instead)
    return message("answering.unmatched_terms.nearest_in_meaning", names=names)
