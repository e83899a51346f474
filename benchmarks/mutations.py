"""Changes one thing in a sentence: a number, a date, a name, or a negation."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from core.words import Language

_MONTHS = {
    "en": ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
           "December"],
    "he": ["ינואר", "פברואר", "מרץ", "אפריל", "מאי", "יוני", "יולי", "אוגוסט", "ספטמבר", "אוקטובר", "נובמבר", "דצמבר"],
}  # fmt: skip
_STRANGERS = {"en": ["Gavrin", "Norwick", "Tolbane", "Ashkerr"], "he": ["מרגליתון", "שמעונוב", "גלבשטיין", "אורנקוב"]}
_AUXILIARY = re.compile(r"\b(is|are|was|were|will|must|can|has|have|had|may|should|could|would)\b(?! not)")
_ENGLISH_NO = re.compile(r"\b(?:not|never) ")
_HEBREW_NO = re.compile(r"(?<![א-ת])(?:לא|אינו|אינה|אינם) ")
_HEBREW_WORD = re.compile(r"(?<![א-ת\"'])[א-ת]{4,}(?![א-ת\"'])")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]{2,}\b")
_DIGITS = re.compile(r"(?<![\d.,/:\w-])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\d/:\w-]|[.,]\d)")

Mutator = Callable[[str, Language, random.Random], str | None]


def number(text: str, language: Language, dice: random.Random) -> str | None:
    found = list(_DIGITS.finditer(text))
    if not found:
        return None
    match = dice.choice(found)
    value = float(match.group().replace(",", ""))
    changed = f"{int(value) + dice.choice([1, 2, 10, 100]) + 7:,}"
    return text[: match.start()] + changed + text[match.end() :]


def date(text: str, language: Language, dice: random.Random) -> str | None:
    months = _MONTHS[language]
    found = list(re.finditer(rf"(?<!\w)(?P<prefix>[במל]?)(?P<month>{'|'.join(months)})(?!\w)", text))
    found = [match for match in found if match["month"] not in ("May", "March", "מאי") or re.search(r"\d", text)]
    if not found:
        return None
    match = dice.choice(found)
    other = dice.choice([month for month in months if month != match["month"]])
    return text[: match.start("month")] + other + text[match.end("month") :]


def name(text: str, language: Language, dice: random.Random) -> str | None:
    found = list((_NAME if language == "en" else _HEBREW_WORD).finditer(text))
    if not found:
        return None
    match = dice.choice(found)
    stranger = dice.choice([each for each in _STRANGERS[language] if each not in text])
    return text[: match.start()] + stranger + text[match.end() :]


def negation(text: str, language: Language, dice: random.Random) -> str | None:
    negator = _ENGLISH_NO if language == "en" else _HEBREW_NO
    if match := negator.search(text):
        return text[: match.start()] + text[match.end() :]
    if language == "en":
        found = _AUXILIARY.search(text)
        return text[: found.end()] + " not" + text[found.end() :] if found else None
    words = list(_HEBREW_WORD.finditer(text))
    return f"{text[: words[-1].start()]}לא {text[words[-1].start() :]}" if words else None


MUTATORS: dict[str, Mutator] = {"number": number, "date": date, "name": name, "negation": negation}
