"""Parses cells: printed text → its kind and value (brackets, dashes, percentages, currencies, footnote marks)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from core.language.decimal_marks import EASTERN
from core.language.entities import dates
from core.language.entities.calendar_words import YEAR
from core.language.entities.fractions import FRACTIONS, digits_value
from core.language.note_marks import MARK, without_note_marks
from core.language.vocabulary import numbers_of, phrases, words_of
from core.library.extract.text import normalise_line
from core.library.tables.records import Box, Cell, CellKind

_phrase = phrases("library/tables.cells")

CURRENCIES = {
    "us$": "USD", "$": "USD", "usd": "USD", "€": "EUR", "eur": "EUR", "£": "GBP", "gbp": "GBP", "₪": "ILS",
    "nis": "ILS", "ils": "ILS", "¥": "JPY", "jpy": "JPY", "chf": "CHF",
    **dict.fromkeys(words_of("library/tables.cells.shekels"), "ILS"),
    "c$": "CAD", "cad": "CAD", "a$": "AUD", "aud": "AUD", "₹": "INR", "inr": "INR", "rs.": "INR", "rmb": "CNY",
}  # fmt: skip
_REMEMBERED = 8192
"""Number of cached results; a page looks up each of its cells several times."""
SIGNS = frozenset("$€£₪¥₹")
_CURRENCY = "|".join(sorted(map(re.escape, CURRENCIES), key=len, reverse=True))
_MARKS = rf"(?:\s*+(?:\((?:\d{{1,2}}|[a-z])\)|\[(?:\d{{1,3}}|[a-z])\]|[*†‡§]++|{MARK}))*+"
_SCALES = numbers_of("library/tables.cells.scales")
_BARE_SCALES = frozenset("kKMB")
"""Letters that scale an amount even without a currency: "45.2M"."""
_SURE_DIGITS = 3
_MONTHS = frozenset(("12", "15", "18", "24", "30", "36", "48", "60"))
_DIGITS = rf"(?:\d[\d,.'’]*(?:[ \u00a0]\d{{3}}(?!\d))*(?:[.,]\d+)?(?:\s?[{FRACTIONS}])?|\.\d+|[{FRACTIONS}])"
_FIGURE = re.compile(
    rf"(?P<open>\()?\s*+(?P<before>%)?(?P<sign>[-−–+])?\s*+(?P<c1>{_CURRENCY})?\s*+(?P<open2>\()?\s*+(?P<sign2>[-−–])?\s*+"
    rf"(?P<digits>{_DIGITS})(?P<power>E[+-]?\d{{1,2}})?"
    rf"(?P<apart>\s*+)(?P<scale>(?:thousand|million|billion)\b|{_phrase('scale')}|(?:{_phrase('short_scale')})(?!\w)|"
    rf"(?P<letter>k|(?-i:[MB])|mm?|b|t)(?![^\W\d_]))?\s*+(?P<minus>[-−](?!\d))?"
    rf"\s*+(?P<unit>%|percent|bps|pts|x|×)?\s*+(?P<c2>{_CURRENCY})?\s*+(?P<close>\))?\s*+(?P<after>%|pts)?"
    rf"\s*+(?P<close2>\))?{_MARKS}",
    re.IGNORECASE,
)
_BLANKS = re.compile("[\\s'’]")
_COMMA_GROUPS = re.compile(r"[1-9]\d{0,2}(,\d{2,3})*,\d{3}")
_POINT_GROUPS = re.compile(r"\d{1,3}(\.\d{3})+")
_ONE_MARK = re.compile(r"([1-9]\d{0,2})([.,])(\d{3})")
"""Ambiguous numbers such as ``1.200``: the mark may separate thousands or decimals, depending on the language."""
Marks = Literal["point", "comma", "groups"]
"""The decimal mark; ``groups``: a mark before three digits separates thousands."""
_GROUPING = {".": ("comma", "groups"), ",": ("point", "groups")}
_NIL = re.compile(
    rf"(?P<c>{_CURRENCY})?\s*\(?[-—–−‒―]+(?:\s[-—–−‒―]+)?\)?\s*(?P<share>%|pts)?\)?{_MARKS}", re.IGNORECASE
)
_NO_FIGURE = re.compile(
    rf"(?:n\s?/?\s?m|n\s?/?\s?a|n\.[ma]\.?|not meaningful|nil|{_phrase('no_reading')}|\*++){_MARKS}[%]?",
    re.IGNORECASE,
)
_AMOUNT = rf"[$€£₪]?\d[\d.,]*\s?(?:thousand|million|billion|trillion|{_phrase('scale')})?\s?(?:%|years|x)?"
_RANGE = re.compile(
    rf"(?!{YEAR}\s?[-–]\s?{YEAR}){_AMOUNT}\s?(?:[-–—]|to|{_phrase('to')})\s?{_AMOUNT}|"
    rf"(?:approximately|approx\.|about|around|nearly|up to|at least|at most|more than|less than|over|under|~|"
    rf"{_phrase('about')})\s?"
    rf"(?!{YEAR}\b){_AMOUNT}",
    re.IGNORECASE,
)
_DATES = dates.DateReading((*dates.DAYS, "month_year"))
_CLOCK = re.compile(r" \d\d:\d\d")
_PLAIN = re.compile(r"[1-9]\d{0,6}(?:\.\d\d)?|0\.\d\d")
"""Matches numbers as data files write them: never a date, and mostly without need for further checks."""
_YEAR = re.compile(rf"{YEAR}[A-Z]?{_MARKS}")
_CODE = re.compile(r"0+[1-9]\d*")
"""Matches a number with leading zeros, which is a code and not an amount: 00417."""
_TURNED = re.compile(r"^\)\s*([\d.,%$€£₪ ]+?)\s*\($")
"""Brackets that a right-to-left line has mirrored."""
_INNER_SPACE = re.compile(r"(?<=[($€£₪¥₹])\s+(?=[\d(.—–-])|(?<=[\d)—–-])\s+(?=[)%])")


def cell(text: str, numeric: bool = True, box: Box | None = None, marks: Marks | None = None) -> Cell:
    """The typed cell of ``text``.

    Args:
        numeric: its column contains numbers, so a dash means zero and is not a text.
        marks: the column's decimal marks, which decide the meaning of ``1.200`` and ``1,200``.
    """
    if box is None and _PLAIN.fullmatch(text):
        return Cell(text=text, kind="number", value=float(text))
    shown = tidy(text)
    if not shown:
        return Cell(box=box)
    if numeric and (nil := _NIL.fullmatch(shown)):
        kind: CellKind = "share" if nil["share"] else "money" if nil["c"] else "number"
        return Cell(text=shown, kind=kind, value=0.0, currency=_code(nil["c"]), box=box)
    if is_date(shown):
        return Cell(text=shown, kind="date", box=box)
    found = _figure(shown) if any(map(str.isnumeric, shown)) else None
    value = _signed_value(found, marks) if found else None
    if found is None or value is None:
        return Cell(text=shown, kind="text", box=box)
    currency = _code(found["c1"] or found["c2"])
    is_share = "%" in (found["before"], found["unit"], found["after"]) or (found["unit"] or "").lower() == "percent"
    return Cell(
        text=shown, kind="share" if is_share else "money" if currency else "number", value=value, currency=currency,
        box=box,
    )  # fmt: skip


@lru_cache(maxsize=_REMEMBERED)
def tidy(text: str) -> str:
    """A cell's text on one line, with separate signs joined to their number: ``$ (12 )`` becomes ``$(12)``."""
    line = _TURNED.sub(r"(\1)", normalise_line(text))
    return _INNER_SPACE.sub("", line) if any(map(str.isdigit, line)) or line[:1] in SIGNS else line


@lru_cache(maxsize=_REMEMBERED)
def is_figure(text: str) -> bool:
    """Whether the text is a number, percentage or amount, with its signs; or a dash for zero."""
    shown = tidy(text)
    if not shown or not (shown[-1:] in "*" or not shown.isalpha()):
        return False
    if is_date(shown):
        return False
    found = _figure(shown)
    return bool(found and _signed_value(found) is not None) or is_nil(shown)


@lru_cache(maxsize=_REMEMBERED)
def is_nil(text: str) -> bool:
    return bool(_NIL.fullmatch(text.strip()))


@lru_cache(maxsize=_REMEMBERED)
def is_no_figure(text: str) -> bool:
    """Whether the text is a placeholder for a missing number: ``n/m``, ``N/A``, ``*``, a range, or an approximate
    amount."""
    return bool(_NO_FIGURE.fullmatch(text.strip()) or _RANGE.fullmatch(text.strip()))


@lru_cache(maxsize=_REMEMBERED)
def is_year(text: str) -> bool:
    return bool(_YEAR.fullmatch(text.strip()))


@lru_cache(maxsize=_REMEMBERED)
def is_date(text: str) -> bool:
    """Whether ``text`` is a single date, possibly with a time, and nothing else."""
    bare = without_note_marks(text).strip()
    span = dates.date_at(bare, 0, _DATES)
    return span is not None and (span.end == len(bare) or bool(_CLOCK.fullmatch(bare, span.end)))


def dates_in(text: str) -> list[str]:
    """The dates of a text that contains nothing else."""
    text = without_note_marks(text)
    spans = dates.dates_in(text, _DATES)
    rest = dates.without_dates(text, spans)
    return [] if _CLOCK.sub("", rest).strip() else [text[span.start : span.end] for span in spans]


def _code(sign: str | None) -> str | None:
    return CURRENCIES.get(sign.lower()) if sign else None


def _figure(shown: str) -> re.Match[str] | None:
    found = _FIGURE.fullmatch(shown if shown.isascii() else shown.translate(EASTERN))
    return None if found and (_is_name(found) or not _may_be_power(found)) else found


def _is_name(found: re.Match[str]) -> bool:
    """Whether a letter after digits may belong to a name, a unit or a number of months, and scales no amount: "4B", "45
    m", "12M"."""
    letter = found["letter"]
    if not letter or found["c1"] or found["c2"]:
        return False
    if found["apart"] or letter not in _BARE_SCALES:
        return True
    digits = found["digits"]
    if not digits.isdigit() or len(digits) >= _SURE_DIGITS:
        return False
    return letter != "M" or len(digits) == 1 or digits in _MONTHS


def _may_be_power(found: re.Match[str]) -> bool:
    """Whether a possible power of ten is one: "1.23E+04" is, the code "3E4" is not."""
    power = found["power"]
    return not power or (not found["scale"] and (power[1] in "+-" or "." in found["digits"]))


def _signed_value(found: re.Match[str], marks: Marks | None = None) -> float | None:
    """The value with its sign; ``None`` if brackets are unbalanced or the digits are not a number."""
    opened = bool(found["open"]) + bool(found["open2"])
    if opened != bool(found["close"]) + bool(found["close2"]):
        return None
    number = _parsed_number(found["digits"], marks)
    if number is None:
        return None
    number *= _SCALES.get((found["scale"] or "").lower(), 1.0)
    if found["power"]:
        number = float(f"{number!r}{found['power']}")
    signs = f"{found['sign'] or ''}{found['sign2'] or ''}{found['minus'] or ''}"
    negative = bool(opened) or any(sign in "-−–" for sign in signs)
    return -number if negative and number else number


def _parsed_number(digits: str, marks: Marks | None) -> float | None:
    plain = _BLANKS.sub("", digits)
    if plain[-1] in FRACTIONS:
        return digits_value(plain) if not plain[:-1] or plain[:-1].isdecimal() else None
    if plain[-1:] in ".," or _CODE.fullmatch(plain):
        return None
    if "," in plain and "." in plain:
        decimal = max(plain.rfind(","), plain.rfind("."))
        plain = f"{re.sub('[.,]', '', plain[:decimal])}.{plain[decimal + 1 :]}"
    elif one := _ONE_MARK.fullmatch(plain):
        grouped = marks in _GROUPING[one[2]] if marks else one[2] == ","
        plain = one[1] + one[3] if grouped and len(plain) == len(digits) else f"{one[1]}.{one[3]}"
    elif "," in plain:
        plain = plain.replace(",", "" if _COMMA_GROUPS.fullmatch(plain) else ".")
    elif plain.count(".") > 1:
        if not _POINT_GROUPS.fullmatch(plain):
            return None
        plain = plain.replace(".", "")
    try:
        return float(plain)
    except ValueError:
        return None


@lru_cache(maxsize=_REMEMBERED)
def digits_of(text: str) -> str:
    """A number's digits with the marks between them, without sign, currency and unit; empty for other text."""
    found = _figure(tidy(text)) if any(map(str.isdigit, text)) and not is_date(text) else None
    return found["digits"].strip() if found else ""


def printed_decimals(text: str, value: float) -> int:
    """The number of printed decimals: two for ``1.187,50`` (1187.5), none for ``1,200`` (1200)."""
    found = _figure(tidy(text))
    digits = found["digits"] if found else ""
    place = max(map(digits.rfind, ".,"))
    if place < 0 or not digits[place + 1 :].isdecimal():
        return 0
    behind = len(digits) - place - 1
    number = int(re.sub(r"\D", "", digits))
    scale = _SCALES.get((found["scale"] or "").lower(), 1.0) if found else 1.0
    meant = abs(value) / scale
    return behind if number == 0 or abs(number / 10**behind - meant) <= abs(number - meant) else 0
