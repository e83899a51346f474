"""Splits a compound question ("how many ..., and for how long?") into parts, and joins their answers.

A later part usually omits words that the first part contains, so the first part's words are appended to it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.figures.records import Candidate
from core.language.hebrew import NO_LETTER_AFTER
from core.language.vocabulary import phrase_of
from core.messages import message
from core.records.answer import Answer

_ENGLISH = r"(?:for |in |on |at |by |to )?(?:how|when|what|who|whom|whose|where|which|why)\b"
_HEBREW = rf"{phrase_of('answering/questions.compound.asking')}{NO_LETTER_AFTER}"
_JOINT = re.compile(
    rf",\s+(?:and\s+(?={_ENGLISH})|{phrase_of('answering/questions.compound.and')}(?={_HEBREW}))", re.IGNORECASE
)
_ASKING = re.compile(rf"^(?:{_ENGLISH}(?:\s(?:many|much|long|often|far))?|{_HEBREW})\s*", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+")
_IN_PART = message("answering.compound.in_part")
_SHORT = 1
"""Maximum number of content words in a part that is not a complete question."""


def parts_of(question: str) -> list[str]:
    """Returns the question itself if it has one part, otherwise each part in order."""
    first, *others = (part.strip() for part in _JOINT.split(question.strip().rstrip("?؟")))
    if not others or (not _ASKING.match(first.lower()) and not _asks(first)):
        return [question]
    about = _ASKING.sub("", first)
    return [f"{first}?", *(_completed_part(part, about) for part in others)]


def _asks(text: str) -> bool:
    return re.search(rf"(?:^|\s)(?:{_ENGLISH}|{_HEBREW})", text, re.IGNORECASE) is not None


def _completed_part(part: str, about: str) -> str:
    return f"{part} {about}?" if len(_WORD.findall(_ASKING.sub("", part))) <= _SHORT else f"{part}?"


def combined_candidate(answers: Sequence[Candidate | None]) -> Candidate | None:
    """Joins the answers to the parts; the certainty is the lowest of them. Says so if a part has no answer."""
    found = [each for each in answers if each is not None]
    if not found:
        return None
    first, surest = found[0], min(each.sureness for each in found)
    doubts = [each.answer.doubt for each in found if each.answer.doubt]
    if len(found) == 1:
        return first.doubted(_IN_PART)
    answer = Answer(
        kind="spans",
        line="; ".join(each.answer.line.rstrip(".") for each in found),
        value=[_value_words(each.answer) for each in found],
        entity=first.answer.entity,
        cells=[cell for each in found for cell in each.answer.cells],
        more_cells=sum(each.answer.more_cells for each in found),
        others=[cell for each in found for cell in each.answer.others],
        calculation="; ".join(each.answer.calculation for each in found if each.answer.calculation),
        doubt=(_IN_PART if len(found) < len(answers) else None) or next(iter(doubts), None),
        decided=all(each.answer.decided for each in found),
    )
    return Candidate(answer, surest, first.reasons)


def _value_words(answer: Answer) -> str:
    """Returns the value as text, so that values of different units can be joined."""
    values = answer.value if isinstance(answer.value, list) else [answer.value]
    return ", ".join(f"{value:,g}" if isinstance(value, float) else str(value) for value in values)
