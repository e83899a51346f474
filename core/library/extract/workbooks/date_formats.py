"""Formats dates and times of a spreadsheet: *a number of days and a format* → ``2024-05-02 10:30``.

If the format has a day and a month, the result is the ISO date, so that dates do not depend on a format's order and
language. Other formats are applied as they are, with four-digit years.
"""

from __future__ import annotations

import datetime
import locale
import math
import re
from functools import cache

from babel.core import Locale, UnknownLocaleError
from babel.dates import get_day_names, get_month_names

from core.library.extract.workbooks.format_tokens import FormatSection, Token

_EPOCH_1900 = datetime.datetime(1899, 12, 30)
_EPOCH_1904 = datetime.datetime(1904, 1, 1)
_LAST = 2_958_466.0
"""The number of days to the year 10000."""
_LEAP_1900 = 60
"""29 February 1900, which spreadsheets count although it did not exist."""
_DAY = 86_400
_APART = re.compile(r"[-./' ]*")


def date_of(days: float, epoch_1904: bool = False) -> datetime.datetime | None:
    """The time that a spreadsheet counts as ``days``, to the millisecond; ``None`` outside its calendar."""
    if not 0 <= days < _LAST:
        return None
    whole = math.floor(days)
    milliseconds = round((days - whole) * _DAY * 1000)
    if not epoch_1904 and whole < _LEAP_1900:
        whole += 1
    try:
        return (_EPOCH_1904 if epoch_1904 else _EPOCH_1900) + datetime.timedelta(whole, 0, 0, milliseconds)
    except OverflowError:
        return None


def iso(moment: datetime.datetime) -> str:
    """The date, with hours and minutes unless they are midnight."""
    return moment.date().isoformat() if moment.time() == datetime.time() else moment.isoformat(" ", "minutes")


def shown_date(days: float, section: FormatSection, epoch_1904: bool) -> str | None:
    """The formatted date; ``None`` if the number is not a date, for which spreadsheets show only fill characters."""
    tokens = _with_minutes(section.tokens)
    letters = {token.text[0].lower() for token in tokens if token.kind == "date"}
    if "[" in letters:
        return _elapsed(days, tokens)
    moment = date_of(days, epoch_1904)
    if moment is None:
        return None
    has_day = any(token.kind == "date" and token.text[0] in "dD" and len(token.text) <= 2 for token in tokens)
    if has_day and "m" in letters:
        has_time = bool(letters & {"h", "s", "n"})
        if not epoch_1904 and days < 1:
            return moment.time().isoformat("minutes") if has_time else "1900-01-00"
        return iso(moment) if has_time else moment.date().isoformat()
    return "".join(_part(token, moment, section.language, tokens) for token in _with_whole_years(tokens))


def _with_minutes(tokens: list[Token]) -> list[Token]:
    """``m`` after hours or before seconds means minutes; it is replaced by ``n`` here."""
    found = list(tokens)
    places = [place for place, token in enumerate(tokens) if token.kind == "date"]
    for index, place in enumerate(places):
        text = tokens[place].text
        if text[0] in "mM" and len(text) <= 2:
            before = tokens[places[index - 1]].text.strip("[]")[0].lower() if index else ""
            after = tokens[places[index + 1]].text.strip("[]")[0].lower() if index + 1 < len(places) else ""
            if before == "h" or after == "s":
                found[place] = Token("date", "n" * len(text))
    return found


def _with_whole_years(tokens: list[Token]) -> list[Token]:
    """``mmm-yy`` as ``mmm yyyy``: a two-digit year after a month's name looks like a day."""
    found: list[Token] = []
    for token in tokens:
        if token.kind == "date" and token.text[0] in "yY" and len(token.text) <= 2:
            while found and found[-1].kind == "text" and found[-1].text in ("'", "’"):
                found.pop()
            named = [each for each in found if each.kind == "date"]
            if named and len(named[-1].text) >= 3 and named[-1].text[0] in "mM":
                while found[-1] is not named[-1] and _APART.fullmatch(found[-1].text):
                    found.pop()
                if found[-1] is named[-1]:
                    found.append(Token("text", " "))
        found.append(token)
    return found


def _part(token: Token, moment: datetime.datetime, language: int, tokens: list[Token]) -> str:
    """The text for one token of a format; times are truncated and not rounded, as clocks do."""
    text = token.text
    if token.kind == "half":
        return ("AM" if moment.hour < 12 else "PM")[: 2 if len(text) > 3 else 1]
    if token.kind != "date":
        return text if token.kind in ("text", "slash", "comma", "point") else ""
    letter, length = text[0].lower(), len(text)
    if letter in "ye":
        return f"{moment.year:04d}"
    if letter == "m":
        names = _names(language)[0 if length == 3 else 1]
        return str(moment.month).zfill(length) if length < 3 else _month(names, moment.month, length)
    if letter == "d":
        names = _names(language)[2 if length == 3 else 3]
        return str(moment.day).zfill(length) if length < 3 else names[moment.weekday()]
    if letter == "h":
        hour = moment.hour
        if any(each.kind == "half" for each in tokens):
            hour = hour % 12 or 12
        return str(hour).zfill(length)
    if letter == "n":
        return str(moment.minute).zfill(length)
    if letter == "s":
        return _seconds(moment.second + moment.microsecond / 1e6, text)
    return ""


def _month(names: dict[int, str], month: int, length: int) -> str:
    return names[month][:1] if length == 5 else names[month]


def _seconds(seconds: float, text: str) -> str:
    whole, _, parts = text.partition(".")
    digits = len(parts)
    shown = math.floor(seconds * 10**digits + 1e-6) / 10**digits
    return f"{shown:0{len(whole) + (digits + 1 if digits else 0)}.{digits}f}"


def _elapsed(days: float, tokens: list[Token]) -> str:
    """Hours, minutes or seconds over more than a day: ``30:00``."""
    has_parts = any("." in token.text for token in tokens if token.kind == "date")
    seconds = abs(days) * _DAY
    seconds = round(seconds, 3) if has_parts else float(math.floor(seconds + 0.5))
    rest = seconds
    parts: list[str] = []
    for token in tokens:
        text = token.text.strip("[]").lower()
        if token.kind != "date":
            parts.append(token.text if token.kind in ("text", "slash", "comma", "point") else "")
            continue
        size = {"h": 3600, "m": 60, "n": 60, "s": 1}.get(text[:1], 0)
        if not size:
            continue
        if size == 1:
            parts.append(_seconds(rest, text))
            continue
        whole, rest = divmod(rest, size)
        parts.append(str(int(whole)).zfill(len(text)))
    return ("-" if days < 0 and seconds else "") + "".join(parts)


@cache
def _names(language: int) -> tuple[dict[int, str], dict[int, str], dict[int, str], dict[int, str]]:
    """Returns (short months, months, short days, days) in the format's language, otherwise in English."""
    name = locale.windows_locale.get(language, "en_US")
    try:
        found = Locale.parse(name)
    except (UnknownLocaleError, ValueError):
        found = Locale.parse("en_US")
    return (
        dict(get_month_names("abbreviated", locale=found)),
        dict(get_month_names("wide", locale=found)),
        dict(get_day_names("abbreviated", locale=found)),
        dict(get_day_names("wide", locale=found)),
    )
