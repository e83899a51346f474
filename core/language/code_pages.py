"""Detects a text's code page: takes words with bytes above ASCII; finds the one that gives the most likely letters.

The text is decoded with each candidate, and the result is scored for each language that uses this code page
(``letter_costs``): each letter costs a number of bits, depending on the letter before it. A capital within a word,
signs between letters and unprintable characters cost more. The candidate with the lowest total cost wins. The choice is
certain if the next candidate that gives a different text costs clearly more.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from core.language.letter_costs import LetterCosts, character_cost, letter_costs


class Encoding(NamedTuple):
    """A detected encoding; ``name`` is Python's name for it; ``is_sure``: no other encoding fits nearly as well."""

    name: str
    is_sure: bool = True


@dataclass(frozen=True)
class _Candidate:
    """A candidate code page; ``doubt``: bits by which its text must cost less than that of a more common code page to
    be preferred."""

    name: str
    languages: tuple[str, ...]
    doubt: float = 0.0


_WESTERN = ("en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "fi", "ca", "af", "sq")
_CENTRAL = ("pl", "cs", "hu", "sk", "hr", "sl", "ro", "de", "sq")
_CYRILLIC = ("ru", "uk", "bg", "mk")
_BALTIC = ("lt", "lv", "et")
_CANDIDATES = (
    _Candidate("cp1252", _WESTERN),
    _Candidate("cp1255", ("he",)),
    _Candidate("cp1251", _CYRILLIC, 2),
    _Candidate("cp1250", _CENTRAL, 3),
    _Candidate("cp1256", ("ar", "fa", "ur"), 3),
    _Candidate("cp1253", ("el",), 3),
    _Candidate("cp1254", ("tr",), 4),
    _Candidate("cp1257", _BALTIC, 5),
    _Candidate("cp1258", ("vi",), 6),
    _Candidate("cp874", ("th",), 5),
    _Candidate("cp932", ("ja",), 4),
    _Candidate("gb18030", ("zh",), 4),
    _Candidate("cp950", ("zh",), 5),
    _Candidate("cp949", ("ko",), 4),
    _Candidate("euc_jp", ("ja",), 6),
    _Candidate("koi8_r", ("ru", "bg"), 5),
    _Candidate("koi8_u", ("uk",), 6),
    _Candidate("iso8859_2", _CENTRAL, 6),
    _Candidate("iso8859_5", _CYRILLIC, 8),
    _Candidate("iso8859_6", ("ar",), 7),
    _Candidate("iso8859_7", ("el",), 6),
    _Candidate("iso8859_13", _BALTIC, 8),
    _Candidate("iso8859_15", _WESTERN, 7),
    _Candidate("cp862", ("he",), 8),
    _Candidate("cp866", _CYRILLIC, 7),
    _Candidate("cp850", _WESTERN, 9),
    _Candidate("cp852", _CENTRAL, 9),
    _Candidate("cp737", ("el",), 10),
    _Candidate("cp857", ("tr",), 11),
    _Candidate("mac_roman", _WESTERN, 9),
    _Candidate("mac_latin2", _CENTRAL, 11),
    _Candidate("mac_cyrillic", ("ru", "uk"), 10),
)
_LATIN = tuple(dict.fromkeys((*_WESTERN, *_CENTRAL, *_BALTIC, "tr")))
_PLAIN_WORD = re.compile("[a-z]+")
_MOST_HINT = 8.0
_CLEAR = 5.0
"""Minimum bits by which the next candidate must cost more for the choice to be certain."""
_RARE = 6.0
"""Minimum ``doubt`` (in bits) of a code page that counts as rare."""
_RARE_RIVAL = 3.0
"""Factor on the extra bits of a rare code page; so it makes the choice uncertain only if it is much closer."""
_LIKELY = 13.0
"""A text that costs more than this number of bits per letter is unlikely; text in a known language costs about half."""
_BELIEVED = 30.0
"""Minimum bits, and minimum share of all bits, by which another code page must cost less to replace the declared one.
"""
_BELIEVED_SHARE = 0.15
_UPPER_WITHIN = 5.0
_SIGN = 9.0
_BLANK = 7.0
_RARE_SIGN = 13.0
_UNPRINTABLE = 20.0
_ACCENT = 3.0
_NEXT_TO_ASCII = 4.0
_FAR_SCRIPT = 14.0
_OTHER_SCRIPT = 12.0
"""Bits for a letter that follows a letter of another alphabet within a word."""
_MIXED = 2.0
"""Extra bits per letter if the text is scored as a mixture of several languages."""
_MISPLACED = 5.0
"""Extra bits for a sign after a letter that it never follows, for a letter after a final form, and for a letter next to
a digit."""
_OPENING = frozenset("„‚¿¡§£©±×¼½¾´")
_CLOSING = frozenset("”»…°€®™º‰²³½¼¾")
_SIGNS = frozenset("“”„‘’‚–—…•°€£§©®«»·№¿¡×½¼¾²³ºª±´µ™\xa0")
_WIDE_SIGNS = frozenset("、。，．・：；？！（）「」『』【】〜～ー―…“”‘’《》〈〉％￥〒々〇　·—")
_POINTS = re.compile("(?<=[\u05d0-\u05ea\u0621-\u064a])[\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u0652]{1,2}")
"""Hebrew and Arabic vowel marks after letters."""
_WITHIN_WORD = re.compile("(?<=[^\\W\\d_])[\x80-\x9f¡-§©¬®-³´-¶¸-º¼-¿×÷„‚“”†‡‰‹›™€‗▀-▟─-╬](?=[^\\W\\d_])")
"""Matches a sign between two letters that no language writes there."""
_HALF_WIDTH = re.compile("[\uff66-\uff9f]+")
"""Half-width Kana, which form their own words."""
_WITHIN = 9.0
_HALF_WIDTH_WORD = 6.0
_SCRIPT_BITS: dict[str, dict[str, float]] = {
    "ja": {"kana": 1.0, "han": 1.0}, "zh": {"han": 0.2}, "ko": {"hangul": 0.2, "han": 7.0},
}  # fmt: skip
_BROKEN = "\ufffd"


def likeliest(data: bytes, plain: str = "", declared: str | None = None) -> Encoding:
    """Returns the code page of ``data``: words with bytes above ASCII, one per line.

    Args:
        plain: words of the same text without such bytes; they show which Latin-script languages it may be in.
        declared: Python's name of a declared encoding, used unless another is much more likely.
    """
    found = sorted(_judged(data, _hints(plain), declared), key=lambda each: each.bits)
    best = found[0]
    own = next((each for each in found if each.name == declared), None)
    if own and own.bits - best.bits <= max(_BELIEVED, _BELIEVED_SHARE * best.bits):
        return Encoding(own.name)
    others = (
        (each.bits - best.bits) * (1 if each.is_common else _RARE_RIVAL) for each in found if each.text != best.text
    )
    high = [character for character in best.text if character >= "\x80"]
    if _WITHIN_WORD.search(best.text):
        return Encoding(best.name, False)
    is_clear = min(others, default=_CLEAR) >= _CLEAR and best.bits <= _LIKELY * max(len(high), 1)
    return Encoding(best.name, is_clear or (best.name == "cp1252" and _SIGNS.issuperset(high)))


class _Judged(NamedTuple):
    name: str
    is_common: bool
    text: str
    bits: float


def _hints(plain: str) -> Mapping[str, float]:
    """Returns, for each language, by how many bits other Latin-script languages fit ``plain`` better, up to a limit."""
    pairs = Counter(map("".join, pairwise(f" {' '.join(_PLAIN_WORD.findall(plain.lower()))} ")))
    bits = {
        language: sum(count * costs.of(pair) for pair, count in pairs.items())
        for language, costs in ((each, letter_costs(each)) for each in _LATIN)
    }
    least = min(bits.values())
    hints = {language: min(own - least, _MOST_HINT) for language, own in bits.items()}
    # English words occur in texts of any alphabet; words of other languages rarely do.
    foreign = _MOST_HINT if hints["en"] == _MOST_HINT else 0.0
    return defaultdict(lambda: foreign, hints)


def _judged(data: bytes, hints: Mapping[str, float], declared: str | None) -> Iterator[_Judged]:
    known = {each.name for each in _CANDIDATES}
    extra = (_Candidate(declared, _WESTERN),) if declared and declared not in known else ()
    for candidate in (*_CANDIDATES, *extra):
        try:
            text = data.decode(candidate.name, errors="replace")
        except (LookupError, ValueError):
            continue
        yield _Judged(
            candidate.name, candidate.doubt < _RARE, text, candidate.doubt + _bits(text, candidate.languages, hints)
        )


def _bits(text: str, languages: tuple[str, ...], hints: Mapping[str, float]) -> float:
    """Returns the bits of characters above ASCII and of those after them, in the most likely of ``languages``."""
    if languages[0] in _SCRIPT_BITS:
        return hints[languages[0]] + _bits_of_characters(text, languages[0])
    text, points = _POINTS.subn("", text) if languages[0] in ("he", "ar") else (text, 0)
    pairs = {
        pair: count
        for pair, count in Counter(map("".join, zip("\n" + text, text + "\n", strict=True))).items()
        if not pair.isascii()
    }
    models = [letter_costs(language) for language in languages]
    sums = [
        hints[language] + sum(count * _pair_bits(pair, model) for pair, count in pairs.items())
        for language, model in zip(languages, models, strict=True)
    ]
    if languages == ("he",):  # Old files may store the text in visual order, from left to right.
        sums.append(sum(count * _pair_bits(pair[::-1], models[0]) for pair, count in pairs.items()))
    if len(models) > 1:
        hint = sum(hints[language] for language in languages) / len(languages)
        mixed = (count * (min(_pair_bits(pair, model) for model in models) + _MIXED) for pair, count in pairs.items())
        sums.append(hint + sum(mixed))
    return min(sums) + points * _ACCENT + len(_WITHIN_WORD.findall(text)) * _WITHIN


def _pair_bits(pair: str, model: LetterCosts) -> float:
    """Returns the bits of the second character of ``pair`` after the first."""
    before, character = pair[0], pair[1]
    kind, kind_before = _kind(character, model), _kind(before, model)
    if kind == "letter":
        lower, lower_before = character.lower()[:1], before.lower()[:1]
        if kind_before != "letter":
            return model.of(" " + lower) + (_MISPLACED if before in _CLOSING or before.isdigit() else 0.0)
        if not model.knows("a") and (before < "\x80") != (character < "\x80"):
            return _OTHER_SCRIPT + (model.of(" " + lower) if character >= "\x80" else 0.0)
        cost = model.of(lower_before + lower)
        return cost + _UPPER_WITHIN if character.isupper() and before.islower() else cost
    if kind == "edge":
        if kind_before == "letter":
            return model.of(before.lower()[:1] + " ") + (_MISPLACED if character.isdigit() else 0.0)
        return 1.0
    if kind == "sign":
        return (_BLANK if character == "\xa0" else _SIGN) + (
            _MISPLACED if kind_before == "letter" and character in _OPENING else 0.0
        )
    return _UNPRINTABLE if kind == "unprintable" else _RARE_SIGN


def _kind(character: str, model: LetterCosts) -> str:
    if character < "\x80":
        return "letter" if character.isalpha() else "edge"
    if character in _SIGNS:
        return "sign"
    if character.isalpha() or model.knows(character):
        return "letter"
    if character == _BROKEN or unicodedata.category(character)[0] == "C":
        return "unprintable"
    return "rare"


def _bits_of_characters(text: str, language: str) -> float:
    """Returns the bits of the non-ASCII characters of a Chinese, Japanese or Korean text."""
    total = 0.0
    bits = _SCRIPT_BITS[language]
    for character, count in Counter(text).items():
        if character >= "\x80":
            total += count * _character_bits(character, bits)
    neighbours = sum(
        (before < "\x80") != (after < "\x80") and _is_ascii_letter(before, after) for before, after in pairwise(text)
    )
    return total + neighbours * _NEXT_TO_ASCII + len(_HALF_WIDTH.findall(text)) * _HALF_WIDTH_WORD


def _is_ascii_letter(before: str, after: str) -> bool:
    return (before if before < "\x80" else after).isalpha()


def _character_bits(character: str, bits: Mapping[str, float]) -> float:
    script = _script(character)
    if script:
        return bits.get(script, _FAR_SCRIPT) + character_cost(character, script)
    if character in _WIDE_SIGNS:
        return 6.0
    if "\uff01" <= character <= "\uff5e":  # Full-width ASCII.
        return 8.0
    if "\uff66" <= character <= "\uff9f":  # Half-width Kana.
        return 6.5 if "kana" in bits else _RARE_SIGN
    if character == _BROKEN or unicodedata.category(character)[0] == "C":
        return 2 * _UNPRINTABLE  # Counted twice, since it represents two bytes.
    return _RARE_SIGN


def _script(character: str) -> str:
    if "\u4e00" <= character <= "\u9fff":
        return "han"
    if "\u3041" <= character <= "\u30fe":
        return "kana"
    return "hangul" if "\uac00" <= character <= "\ud7a3" else ""
