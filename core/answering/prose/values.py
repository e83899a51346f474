"""Extracts the values in a text: amounts, percentages, counts, dates, durations and names with positions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from core.answering.prose.tokens import Token, tokens
from core.answering.prose.vocabulary import vocabulary
from core.language.decimal_marks import with_decimal_points
from core.language.entities.dates import DateReading, dates_in
from core.language.entities.periods import periods_in
from core.language.hebrew import LETTER
from core.language.normalisation import fold
from core.language.note_marks import note_marks_blanked
from core.language.vocabulary import phrases
from core.library.tables.cells import CURRENCIES

_phrase = phrases("answering/prose.values")

_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d{1,2}(?:,\d\d){1,4},\d{3}(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+"
_GAP = r"[\s\u00a0-]{0,2}"
_LETTER_BEFORE = r"(?<![^\W_])(?<![\d.,])"
_DAY_OF_MONTH = DateReading(("month_day", "day_month"))
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d\d(?:\s?[ap]\.?m\.?)?(?!\d)", re.IGNORECASE)
_QUOTED = re.compile(r"(?<![^\W\d_])[\"“„״«]([^\"“”„״«»]{2,80})[\"”״»](?![^\W\d_])")
"""Quotation marks; those inside a word belong to it, as in Hebrew abbreviations."""
_JOINING = frozenset({"of", "and", "&", "the", "for", "de", "van", "von", "der", "la", ".", ",", "'", "-", "in", "on"})
_TAILS = frozenset(
    {"inc", "inc.", "ltd", "ltd.", "llc", "corp", "corp.", "co", "co.", "plc", "l.p", "l.p.", "n.v", "s.a", "jr", "jr."}
)
LEGAL_FORMS = (_TAILS - {"jr", "jr."}) | {"company", "corporation", "limited", "lp", "gmbh", "ag", "sa", "nv"}
_PRONOUNS = frozenset({"i", "we", "our", "it", "the", "in", "as", "this", "these"})
_UNNAMED = _PRONOUNS | CURRENCIES.keys()


@dataclass(frozen=True)
class Value:
    """A value: ``text[start:end]`` of the source. ``number`` is the number to be multiplied by ``scale``; ``None`` for
    dates, durations and names."""

    kind: str
    start: int
    end: int
    number: float | None = None
    scale: float = 1.0
    unit: str | None = None
    currency: str | None = None
    key: str | None = None


def values_in(text: str) -> list[Value]:
    """Returns values in text order. If two overlap, amounts win, then percentages, durations, dates, counts."""
    text = with_decimal_points(note_marks_blanked(text))
    found: list[Value] = []
    taken: list[tuple[int, int]] = []
    for read in (_amounts, _percents, _durations, _date_values, _frequencies, _count_values):
        new = [value for value in read(text) if _is_free(value.start, value.end, taken)]
        found += new
        taken += [(value.start, value.end) for value in new]
    found += [value for value in _name_values(text) if _is_free(value.start, value.end, taken)]
    found += [Value("quoted", match.start(1), match.end(1)) for match in _QUOTED.finditer(text)]
    return sorted(found, key=lambda value: (value.start, value.end))


def _is_free(first: int, last: int, taken: Sequence[tuple[int, int]]) -> bool:
    return not any(first < end and start < last for start, end in taken)


def _either(words: Iterable[str]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


@cache
def _amount() -> tuple[re.Pattern[str], re.Pattern[str]]:
    scales = rf"(?:{_GAP}(?P<scale>{_either(vocabulary().scales)})(?![^\W_]))?"
    signs = _either(vocabulary().currencies)
    before = (
        rf"(?<![^\W_])(?P<sign>-|–|\()?(?P<currency>{signs})\s?(?P<bracket>\()?(?P<minus>-|–)?(?P<number>{_NUMBER})"
        rf"{scales}\)?"
    )
    names = _either([sign for sign in vocabulary().currencies if len(sign) > 2])
    after = rf"{_LETTER_BEFORE}(?P<number>{_NUMBER}){scales}\s(?P<currency>{names})(?![^\W_])"
    return re.compile(before, re.IGNORECASE), re.compile(after, re.IGNORECASE)


def _amounts(text: str) -> Iterator[Value]:
    before, after = _amount()
    spans: list[tuple[int, int]] = []
    for pattern in (before, after):
        for match in pattern.finditer(text):
            if _is_free(*match.span(), spans):
                value = _amount_of(match, text)
                spans.append((value.start, value.end))
                yield value
    for match in _scaled().finditer(text):
        if _is_free(*match.span(), spans):
            scale = vocabulary().scales[fold(match["scale"])]
            yield Value("amount", match.start(), match.end(), _float(match["number"]), scale)


@cache
def _scaled() -> re.Pattern[str]:
    words = [word for word in vocabulary().scales if len(word) > 2]
    return re.compile(
        rf"{_LETTER_BEFORE}(?P<number>{_NUMBER})[\s\u00a0-]{{1,2}}(?P<scale>{_either(words)})(?![^\W_])", re.IGNORECASE
    )


def _amount_of(match: re.Match[str], text: str) -> Value:
    part = match.groupdict()
    start, end = match.span()
    negative = bool(part.get("minus") or part.get("bracket") or part.get("sign") in ("-", "–"))
    if part.get("sign") == "(":
        # "($5.2 million)" is negative only if the brackets contain nothing else.
        negative = text[end - 1 : end] == ")"
        start += 0 if negative else 1
    elif text[end - 1 : end] == ")" and not part.get("bracket"):
        end -= 1
    number = _float(part["number"])
    scale = vocabulary().scales[fold(part["scale"])] if part["scale"] else 1.0
    currency = vocabulary().currencies[" ".join(fold(part["currency"]).split())]
    return Value("amount", start, end, -number if negative else number, scale, currency=currency)


def _float(digits: str) -> float:
    return float(digits.replace(",", ""))


_PERCENT = re.compile(
    rf"{_LETTER_BEFORE}(?P<sign>\()?(?P<number>{_NUMBER})\)?(?:\s?%|\s+(?:per\s?cent(?:age)?(?:\s+points?)?|basis\s+points|"
    rf"{_phrase('percent')}))\)?",
    re.IGNORECASE,
)


def _percents(text: str) -> Iterator[Value]:
    for match in _PERCENT.finditer(text):
        start, end = match.span()
        bracket = bool(match["sign"])
        closed = text[start:end].count("(") == text[start:end].count(")")
        if bracket and not closed:
            start, bracket = start + 1, False
        elif not bracket and text[end - 1] == ")":
            end -= 1
        number = _float(match["number"])
        unit = "basis points" if "basis" in match.group().lower() else "%"
        yield Value("percent", start, end, -number if bracket else number, unit=unit)


@cache
def _duration() -> tuple[re.Pattern[str], re.Pattern[str]]:
    numbers = rf"(?:{_NUMBER}|{_either(vocabulary().numbers)})"
    units = _either(vocabulary().durations)
    whole = _either(vocabulary().whole_durations)
    counted = (
        rf"{_LETTER_BEFORE}(?P<number>{LETTER}{{0,2}}-?{numbers})(?:\s+(?:to|-|or|and|{_phrase('to_or')})\s+{numbers})?(?:\s?\(\d+\))?[\s\u00a0-]+"
        rf"(?P<unit>{units})(?:,?\s+(?:and\s+|{_phrase('and')})?{numbers}\s+(?:{units}))*(?![^\W_])"
    )
    return re.compile(counted, re.IGNORECASE), re.compile(
        rf"(?<![^\W_]){_phrase('prefixes')}{{0,2}}-?(?:{whole})(?![^\W_])"
    )


def _durations(text: str) -> Iterator[Value]:
    for match in _duration()[0].finditer(text):
        if re.match(r"\s+(?:ended|ending)\b", text[match.end() :]):
            continue
        yield Value("duration", match.start(), match.end(), unit=fold(match["unit"]))
    for match in _duration()[1].finditer(text):
        yield Value("duration", match.start(), match.end())


def _date_values(text: str) -> Iterator[Value]:
    ends: list[tuple[int, int]] = []
    for period in periods_in(text):
        if _is_free(period.start, period.end, ends):
            ends.append((period.start, period.end))
            yield Value("date", period.start, period.end, key=period.key)
    days = [(span.start, span.end) for span in dates_in(text, _DAY_OF_MONTH)]
    for first, last in (*days, *(match.span() for match in _CLOCK.finditer(text))):
        if _is_free(first, last, ends):
            yield Value("date", first, last)


@cache
def _frequency() -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_])(?:{_either(vocabulary().frequencies)})(?![^\W_])", re.IGNORECASE)


def _frequencies(text: str) -> Iterator[Value]:
    for match in _frequency().finditer(text):
        yield Value("frequency", match.start(), match.end())


@cache
def _count_pattern() -> re.Pattern[str]:
    words = [word for word, number in vocabulary().numbers.items() if number >= 2 or not word.isascii()]
    return re.compile(
        rf"(?<![^\W_])(?<![\d.,$€£])(?P<number>{_NUMBER})(?![\d%])(?![.,]\d)|(?<![^\W_])(?:{_phrase('word_prefix')})?(?P<word>{_either(words)})(?![^\W_])",
        re.IGNORECASE,
    )


def _count_values(text: str) -> Iterator[Value]:
    for match in _count_pattern().finditer(text):
        number = _float(match["number"]) if match["number"] else vocabulary().numbers[fold(match["word"])]
        yield Value("count", match.start(), match.end(), number)


def _name_values(text: str) -> Iterator[Value]:
    """Yields sequences of capitalised words; the first word of the text only as part of a longer sequence."""
    words = tokens(text)
    place = 0
    while place < len(words):
        if not _is_name(words[place].text):
            place += 1
            continue
        last = place
        step = place + 1
        while step < len(words) and step - last <= 2:
            if _is_name(words[step].text) or (words[step].folded in _TAILS):
                last = step
            elif not _joins(words, step):
                break
            step += 1
        if last > place or (place > 0 and words[place].folded not in _UNNAMED):
            yield Value("name", words[place].start, _with_stop(text, words[last].end))
        place = last + 1


def _joins(words: Sequence[Token], place: int) -> bool:
    """Returns whether a name may continue after this word or sign; after a comma it continues only with a legal form
    ("Inc.")."""
    if words[place].text == ",":
        return place + 1 < len(words) and words[place + 1].folded in _TAILS
    return words[place].folded in _JOINING


def _with_stop(text: str, end: int) -> int:
    return end + 1 if text[end : end + 1] == "." and text[max(0, end - 4) : end].lower().strip(" ,") in _TAILS else end


def _is_name(word: str) -> bool:
    return word[:1].isupper() and (len(word) > 1 or word == "A") and fold(word) not in _PRONOUNS
