"""Decides which sentences are self-contained enough for a summary, and whether they open a paragraph.

A sentence that begins with a pronoun depends on the one before. Table rows and contents lines are not sentences. Text
that was damaged in parsing, that only warns, or that refers to another place carries no information.
"""

from __future__ import annotations

import re
from functools import cache

from core.language.normalisation import fold
from core.language.vocabulary import phrase_of
from core.review.actions.records import Statement
from core.review.actions.summary.shapes import is_boilerplate, vocabulary

LONGEST = 420
_LEAST_WORDS = 4
_MOST_DIGITS = 0.35
_MOST_CAPITALS = 0.9
_LONGEST_TITLE = 16
_ENDS = re.compile(r"[.!\u2026][\"'\u201d\u2019\u05f4)\]*_]*$")
_LABELLED = re.compile(r"^[^\W\d_][^:.]{1,40}:\s+\S+")
_OPENS = re.compile(phrase_of("graph/actions.sentences.opens"))
_WORD = re.compile(r"[^\W\d_]+")
_FUNCTION = re.compile(r"(?<!\w)(?:the|a|an|of|to|in|and|for|by|on|with|or|as|at|from)(?!\w)", re.IGNORECASE)
_NOTE = re.compile(r"\w{1,3}\)\s")
"""Matches a footnote mark that lost its opening bracket."""
_BACK = re.compile(r"(?<!\w)(?:this|these|those|such)(?!\w)")
_FIRST_WORDS = 3
_CELLS = re.compile(r"\S · \S.* · \S")
_BULLET = re.compile(r"(?:^|\s)[-–•*] (?=[^\W\d_])")
_BRACKETS = (("(", ")"), ("[", "]"), ("\u201c", "\u201d"))


def stands_alone(statement: Statement, *, labelled: bool = False, longest: int = LONGEST) -> bool:
    """Returns whether it is a whole sentence with a subject, clear without the sentences around it."""
    text = " ".join(statement.text.split())
    if len(text) > longest or _begins_with_heading(text, statement.section):
        return False
    return (
        _is_whole(text, statement, labelled) and not _leans(text) and not is_debris(text) and not is_boilerplate(text)
    )


def _begins_with_heading(text: str, heading: str) -> bool:
    """Returns whether it repeats its section's heading or continues it."""
    head = heading.strip(" .:")
    if not head or not text.lower().startswith(head.lower()):
        return False
    after = text[len(head) :].lstrip(" .:-–—")
    return not after or (" " in head and after[0].isupper())


def is_sentence(text: str) -> bool:
    """Returns whether the text begins and ends like a sentence."""
    return _ENDS.search(text) is not None and _OPENS.match(text) is not None


def is_debris(text: str) -> bool:
    """Returns whether it is rows, cells or lists on one line, runs of figures, dotted lines or damaged text."""
    if is_run_together(text):
        return True
    digits = sum(map(str.isdigit, text))
    letters = sum(map(str.isalpha, text))
    return digits > _MOST_DIGITS * max(1, digits + letters) or is_damaged(text)


def is_damaged(text: str) -> bool:
    """Returns whether letters were lost in parsing."""
    return _damage().search(text) is not None


def is_run_together(text: str) -> bool:
    """Returns whether it is several cells or list items on one line."""
    return _CELLS.search(text) is not None or len(_BULLET.findall(text)) > 1


def is_own_paragraph(statement: Statement) -> bool:
    """Returns whether it is a paragraph by itself: authors often sum up the following text in one."""
    before, after = _text_before_and_after(statement)
    return _is_paragraph_start(before) and (not after or after.startswith("\n\n"))


def opens_paragraph(statement: Statement) -> bool:
    """Returns whether it is the first sentence of its paragraph."""
    before, _ = _text_before_and_after(statement)
    return _is_paragraph_start(before)


def _is_paragraph_start(before: str) -> bool:
    return not before.strip(" *•-–") or before.rstrip(" *•-–").endswith("\n")


def _text_before_and_after(statement: Statement) -> tuple[str, str]:
    text, quote = statement.passage.text, statement.quote
    return text[: quote.start], text[quote.end :].rstrip(" ")


def _is_whole(text: str, statement: Statement, labelled: bool) -> bool:
    if statement.quote.columns is not None or len(text.split()) < _LEAST_WORDS - labelled:
        return False
    if any(text.count(opening) != text.count(closing) for opening, closing in _BRACKETS):
        return False
    if labelled and _LABELLED.match(text):
        return True
    return _ENDS.search(text) is not None and _OPENS.match(text) is not None and not _is_title(text)


def _is_title(text: str) -> bool:
    """Returns whether all content words are capitalized, as in a heading or an address."""
    words: list[str] = [word for word in _WORD.findall(_FUNCTION.sub(" ", text)) if word.isascii()]
    if not 1 < len(words) <= _LONGEST_TITLE:
        return False
    capitals = [word for word in words if word[0].isupper()]
    return len(capitals) >= _MOST_CAPITALS * len(words)


def _leans(text: str) -> bool:
    """Returns whether it starts with a reference to earlier text, or has one in its first words ("As these ...")."""
    folded = fold(text).lstrip("\"'“‘(")
    if _NOTE.match(folded):
        return True
    if _name_pattern().search(" ".join(folded.split()[:_FIRST_WORDS])):
        return False
    return _leaning().match(folded) is not None or _BACK.search(" ".join(folded.split()[:_FIRST_WORDS])) is not None


@cache
def _leaning() -> re.Pattern[str]:
    phrases = sorted((each.strip() for each in vocabulary().leaning.split(" ; ")), key=len, reverse=True)
    return re.compile(rf"(?:{'|'.join(map(re.escape, phrases))})(?!\w)")


@cache
def _name_pattern() -> re.Pattern[str]:
    nouns = "|".join(each.strip() for each in vocabulary().naming.split(" ; "))
    return re.compile(rf"(?:this|these) (?:[\w-]+ )?(?:{nouns})s?(?!\w)")


@cache
def _damage() -> re.Pattern[str]:
    return re.compile("|".join(each.strip() for each in vocabulary().damage.split(" ; ")))
