"""Finds the acronyms that a text explains: *text* → "DOT" from "Department of Transportation (DOT)"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from core.language.normalisation import fold
from core.language.terms import is_stop_word

_IN_BRACKETS = re.compile(r"\(\s*(?:the\s+)?[\"“'‘]?(?P<acronym>[A-Z][A-Za-z&.]{1,9})[\"”'’]?\s*\)")
_BEFORE = 160
"""Number of characters before the brackets that are searched for the name."""
_MOST = 60
"""Maximum number of acronyms of one text."""
_WORD = re.compile(r"[^\W\d_][\w'’]*|&")


def explained(text: str) -> dict[str, str]:
    """Acronyms in brackets, each with the preceding words that have its initials, at its first explanation."""
    found: dict[str, str] = {}
    for match in _IN_BRACKETS.finditer(text):
        acronym = match["acronym"].replace(".", "")
        if acronym in found or sum(map(str.isupper, acronym)) < 2:
            continue
        if name := _name_before(text[max(0, match.start() - _BEFORE) : match.start()], acronym):
            found[acronym] = name
        if len(found) == _MOST:
            break
    return found


def _name_before(text: str, acronym: str) -> str | None:
    """The shortest sequence of words at the end of ``text`` that ``acronym`` abbreviates; small words may be
    skipped."""
    words = list(_WORD.finditer(text.rsplit("\n\n", 1)[-1]))
    if not words or text[words[-1].end() :].strip(" ,\n\"”'"):
        return None
    letters = [letter.lower() for letter in acronym if letter.isupper() or letter == "&"]
    place = len(words) - 1
    left = len(letters) - 1
    while place >= 0 and left >= 0:
        word = words[place].group()
        if word[0].lower() == letters[left] and (word[0].isupper() or word == "&" or is_stop_word(fold(word))):
            left -= 1
        elif not (word == "&" or is_stop_word(fold(word))):
            return None
        place -= 1
    if left >= 0:
        return None
    start = words[place + 1].start()
    name = " ".join(text.rsplit("\n\n", 1)[-1][start : words[-1].end()].split())
    return name if name[:1].isupper() else None


def spelled_out(acronym: str, text: str) -> str | None:
    """The capitalised words that ``acronym`` abbreviates, if they occur in ``text`` at least twice."""
    counts: Counter[str] = Counter()
    words = list(_WORD.finditer(text))
    for place, word in enumerate(words):
        if word.group()[0] == acronym[0] and (end := _reached(acronym, words, place)):
            whole = text[word.start() : words[end].end()]
            if re.fullmatch(r"[\w'’& \n-]+", whole):
                counts[" ".join(whole.split())] += 1
    name, count = next(iter(counts.most_common(1)), ("", 0))
    return name if count > 1 else None


def _reached(acronym: str, words: Sequence[re.Match[str]], place: int) -> int | None:
    """The last of the words from ``place`` on whose initials form ``acronym``; small words in between may be
    skipped."""
    wanted = 0
    for number in range(place, min(place + 2 * len(acronym), len(words))):
        word = words[number].group()
        if word[0] == acronym[wanted] and word[0].isupper() and not word.isupper():
            wanted += 1
            if wanted == len(acronym):
                return number
        elif not (word == "&" or is_stop_word(word)):
            return None
    return None


def acronyms_of(name: str) -> set[str]:
    """The initials of ``name``, with its small words and without ("DOT", "DT"); "&" is kept."""
    parts = [each.group() for each in _WORD.finditer(name)]
    every = "".join(part[0] for part in parts).upper()
    most = "".join(part[0] for part in parts if part == "&" or not is_stop_word(fold(part))).upper()
    return {made for made in (every, most, most.replace("&", ""), every.replace("&", "")) if len(made) > 1}
