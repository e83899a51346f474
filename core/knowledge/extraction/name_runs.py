"""Cuts a sentence's capitalised words into names: *sentence, the document's words* → runs of words.

"Siemens Energy and the University of Aarhus" is two names, "Food and Drug Administration" is one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from core.knowledge.extraction.document_words import DocumentWords
from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.heads import head_kind, kind_of_name
from core.language.normalisation import fold
from core.language.vocabulary import words_of

_TOKEN = re.compile(r"(?:[A-Z]\.){2,5}|[A-Z]\.(?= [A-Z])|[^\W_](?:[\w'&-]|/(?![A-Za-z]{3})|\.(?=\w)){0,60}|&")
_JOINTS = frozenset(["of", "for", "and", "&", "de", "la", "del", "da", "du", "van", "von", "der", "bin", "al", "the"])
_FOREIGN = frozenset(["de", "la", "del", "da", "du", "van", "von", "der", "bin", "al"])
_BROKEN = re.compile(r"[A-Z]{2}[a-z]{3}|[\u02b0-\u02ff]")
"""Two words without the space between them, and accents that are apart from their letters."""
_LOWER_PART = re.compile(r"-[a-z]")
_INTRODUCE = frozenset(words_of("knowledge/heads.introduce"))
MOST_WORDS = 14


class Word(NamedTuple):
    start: int
    end: int
    text: str


def name_runs(text: str, words: DocumentWords) -> Iterator[list[Word]]:
    """The names' words, in order."""
    for run in _runs(text):
        for part in _parts(run, words):
            trimmed = _trimmed(part)
            if trimmed:
                yield trimmed


def _runs(text: str) -> Iterator[list[Word]]:
    run: list[Word] = []
    before = -2
    for match in _TOKEN.finditer(text):
        word = Word(match.start(), match.end(), match.group())
        joined = run and word.start - before == 1 and text[before] == " "
        if (
            joined
            and len(run) < MOST_WORDS
            and (_is_capital(word.text) or word.text in _JOINTS or _is_number(word.text))
        ):
            run.append(word)
        else:
            if run:
                yield run
            run = [word] if _is_capital(word.text) else []
        before = word.end
    if run:
        yield run


def _is_capital(word: str) -> bool:
    if word[0].isdigit():
        return any(sign.isupper() for sign in word)
    if _LOWER_PART.search(word) or _BROKEN.search(word):
        return False
    return word[0].isupper() or (word[0].islower() and word[1:2].isupper())


def _is_number(word: str) -> bool:
    return (
        len(word) <= (14 if "-" in word else 6)
        and word[0].isdigit()
        and word.replace("-", "").replace("/", "").isalnum()
    )


def _parts(run: list[Word], words: DocumentWords) -> Iterator[list[Word]]:
    """The run cut at "and", "of" and "for" where these do not belong to a name."""
    part: list[Word] = []
    for place, word in enumerate(run):
        if part and part[-1].text.endswith("'s") and _is_owner(part):
            yield part
            part = []
        if word.text in ("and", "&", "of", "for", "the") and not _holds(part, run[place + 1 :], word.text, words):
            if part:
                yield part
            part = []
        else:
            part.append(word)
    if part:
        yield part


def _holds(left: Sequence[Word], right: Sequence[Word], joint: str, words: DocumentWords) -> bool:
    """Whether the joint is within a name."""
    while right and right[0].text in _JOINTS:
        right = right[1:]
    if not left or not right:
        return False
    if joint == "the":
        return left[-1].text in ("of", "for")
    named = [word for word in left if word.text not in _JOINTS]
    if not named:
        return False
    if joint == "of":
        return head_kind(named[-1].text) is not None and not right[0].text[0].isdigit()
    if joint == "for":
        return head_kind(named[0].text) is not None or head_kind(named[-1].text) in ("organisation", "programme", "law")
    if joint == "&":
        return True
    texts = [word.text for word in left]
    if "of" in texts[1:] and head_kind(texts[texts.index("of") - 1]) and words.is_common(right[0].text):
        return True
    last = next((word for word in reversed(right) if word.text not in _JOINTS), right[-1])
    return (
        head_kind(last.text) in ("organisation", "law", "programme", "event", "company")
        and head_kind(named[-1].text) is None
        and words.is_common(named[-1].text)
        and words.is_common(right[0].text)
    )


def _is_owner(part: Sequence[Word]) -> bool:
    """Whether words in the genitive are no part of the name after them: "UK's", "Ministry of Health's"; not
    "Children's"."""
    words = [word.text.removesuffix("'s") for word in part]
    bare = words[-1]
    if len(words) > 1 and kind_of_name(words) == "organisation":
        return True
    return (
        head_kind(bare) in ("organisation", "company")
        or place_key(bare) is not None
        or (bare.isupper() and len(bare) > 1)
    )


def _trimmed(part: list[Word]) -> list[Word]:
    """Without words at its ends that only introduce or follow the name."""
    while part and (part[0].text in _JOINTS or _is_filler(part[0].text) or part[0].text.isdigit()):
        part = part[1:]
    while part and (part[-1].text in _JOINTS or _is_filler(part[-1].text)):
        part = part[:-1]
    return part


def _is_filler(word: str) -> bool:
    folded = fold(word).strip(".")
    return folded in _INTRODUCE and not word.isupper()
