"""Rewrites dates of other languages in English, or as ISO dates.

"30. Juni 2023" becomes "30 June 2023", "2023年6月30日" becomes "2023-06-30", so that parsers of English dates can read
them. Only months with a year are rewritten, since many of these words have other meanings in English ("mars", "mai").
"""

from __future__ import annotations

import re
from functools import cache

from core.language.entities.calendar_words import NAMES, YEAR
from core.language.vocabulary import by_word, file_of

_MONTHS = file_of("calendar_other", dict[int, str])
_MARKED = re.compile(
    rf"(?P<year>{YEAR})\s?[年년]\s?(?P<month>0?[1-9]|1[0-2])\s?[月월](?:\s?(?P<day>[0-3]?\d)\s?[日일号號])?"
)
_YEAR_MARK = re.compile(rf"(?<!\d)(?P<year>{YEAR})\s?(?=[年년])")
_PARTED = re.compile(rf"(?<![\d.])(?P<year>{YEAR})\.\s(?P<month>0?[1-9]|1[0-2])\.\s(?P<day>[0-3]?\d)\.(?!\d)")
_NUMBERED_QUARTER = re.compile(rf"(?P<year>{YEAR})\s?[年년]\s?第?\s?(?P<quarter>[一二三四1-4])\s?(?:季度|四半期|분기)")
_FIGURES = {"一": "1", "二": "2", "三": "3", "四": "4"}
_QUARTER = re.compile(
    rf"(?<!\w)(?P<quarter>[1-4])(?:\.|er|e|ème|eme|º|°|-е|-й)?\s?(?:quartal|trimestre|kwartaal|kwartał|квартал)\s"
    rf"(?:de\s|del\s)?(?P<year>{YEAR})(?!\d)",
    re.IGNORECASE,
)


def with_english_dates(text: str) -> str:
    """Returns ``text`` with dates of other languages in a form that an English parser finds."""
    if not any(character.isdigit() for character in text):
        return text
    text = _NUMBERED_QUARTER.sub(_quarter, text)
    marked = _PARTED.sub(_iso, _MARKED.sub(_iso, text))
    marked = _YEAR_MARK.sub(r" \g<year> ", marked)
    return _written().sub(_english, _QUARTER.sub(r"Q\g<quarter> \g<year>", marked))


@cache
def _written() -> re.Pattern[str]:
    months = "|".join(sorted(map(re.escape, by_word(_MONTHS())), key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W_])(?:(?P<day>[0-3]?\d)(?:\.|er|º|°)?\s{{1,3}}(?:de\s|d[’']|di\s)?)?(?P<month>{months})\.?"
        rf"\s{{1,3}}(?:de\s|del\s)?(?P<year>{YEAR})(?!\d)",
        re.IGNORECASE,
    )


def _english(match: re.Match[str]) -> str:
    month = NAMES[by_word(_MONTHS())[match["month"].lower()] - 1].capitalize()
    day = f"{match['day']} " if match["day"] else ""
    return f"{day}{month} {match['year']}"


def _quarter(match: re.Match[str]) -> str:
    return f" Q{_FIGURES.get(match['quarter'], match['quarter'])} {match['year']} "


def _iso(match: re.Match[str]) -> str:
    day = f"-{int(match['day']):02d}" if match["day"] else ""
    return f" {match['year']}-{int(match['month']):02d}{day} "
