"""Finds an organisation's other names: *name, cover* → short name, ticker, initials, defined names, the filename's.

Questions may use an alias in place of the name, so an ordinary word of the language is never an alias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.language.hebrew import LETTER
from core.language.normalisation import fold
from core.language.terms import is_stop_word
from core.language.vocabulary import pattern_of
from core.library.identity.acronyms import acronyms_of, explained
from core.library.identity.cover import Cover
from core.library.identity.wording import words

_DEFINED = pattern_of("library/identity.aliases.defined")
_TICKER = re.compile(
    r"(?:NASDAQ|NYSE(?: American)?|New York Stock Exchange|LSE|TSX|ASX|TASE)[^():\n]{0,20}:\s*(?P<ticker>[A-Z]{1,6})\b",
    re.IGNORECASE,
)
_SHARES = re.compile(
    r"(?:common\s*stock|ordinary\s*shares|common\s*shares|class\s*a)(?P<rest>[^\n]{0,120})", re.IGNORECASE
)
_NO_TICKER = frozenset(
    {"NYSE", "LLC", "NASDAQ", "INC", "PAR", "USD", "US", "CUSIP", "THE", "NEW", "YORK", "N/A", "NA", "OR", "PER"}
)
_TWO_NAMES = re.compile(r"(?P<first>[^\W\d_][\w'’.-]*)\s+(?:&|and)\s+(?P<second>[^\W\d_][\w'’.-]*)(?:\s+[\w'’.-]+)?")
_LEAST_ALONE = 3
"""How often the first word of a name must be used as a separate name to become an alias."""


def bare_name(name: str) -> str:
    """The name without its legal form and article: "Hill Farm" from "Hill Farm Co., Inc."."""
    bare = re.sub(r"^the\s+(?=\S)", "", name.strip(), flags=re.IGNORECASE)
    while (shorter := _suffix().sub("", bare).strip(" ,.&")) != bare and shorter:
        bare = shorter
    return bare


def has_suffix(name: str) -> bool:
    """Whether the name ends in a legal form: Inc., plc, Ltd., GmbH, or the Hebrew one."""
    return bool(_suffix().search(name.strip()))


@cache
def _suffix() -> re.Pattern[str]:
    forms = "|".join(re.escape(form) for form in sorted(words().suffixes, key=len, reverse=True))
    return re.compile(rf"(?:,\s*+|(?<!\s)\s++(?:&\s*+)?)(?:{forms})\.?$", re.IGNORECASE)


def cased(name: str, cover: Cover) -> str:
    """A name in all capitals, in the spelling that the running text uses, if it contains the name."""
    name = " ".join(name.split())
    if not name.isupper() or re.search(LETTER, name):
        return name
    pattern = re.compile(r"(?<!\w)" + r"\s+".join(re.escape(word) for word in name.split()) + r"(?!\w)", re.IGNORECASE)
    for match in pattern.finditer(cover.early):
        written = " ".join(match.group().split())
        if not written.isupper() and written[0].isupper():
            return written
    shaped = [
        word.lower() if place and is_stop_word(word.lower()) else _shaped(word)
        for place, word in enumerate(name.split())
    ]
    return " ".join(shaped)


def _shaped(word: str) -> str:
    letters = re.sub(r"[^A-Z]", "", word)
    if letters in ("PLC",):
        return word.lower()
    if letters in ("LLC", "LLP", "LP", "AG", "SA", "NV", "BV", "AB", "SE") or any(sign.isdigit() for sign in word):
        return word
    return word[:1] + word[1:].lower()


def aliases_of(name: str, cover: Cover) -> list[str]:
    """Other names of ``name``, the most similar first, each once."""
    bare = bare_name(name)
    found = [bare, *_defined(name, cover), *_explained(bare, cover), *_tickers(name, cover), *_initials(bare, cover)]
    found += [*_joined_initials(bare), *_first_word(bare, cover)]
    found += _of_filename(bare, cover)
    unique: dict[str, str] = {}
    for alias in found:
        if len(alias) > 1 and fold(alias) != fold(name) and not is_stop_word(fold(alias)):
            unique.setdefault(fold(alias), alias)
    return list(unique.values())


def _defined(name: str, cover: Cover) -> Iterator[str]:
    """From '("3M" or the "Company")' after the name: the terms that share a word or the initials with it."""
    own = {fold(word) for word in re.findall(r"[\w'’&]+", bare_name(name)) if not is_stop_word(fold(word))}
    for match in re.finditer(re.escape(bare_name(name)), cover.early, re.IGNORECASE):
        after = cover.early[match.end() : match.end() + 220]
        if not _ends_here(after):
            continue
        defined = _DEFINED.search(after)
        if defined and bare_name(name).lower() not in after[: defined.start()].lower():
            for alias in (defined["first"], defined["second"]):
                if alias and (own & set(re.findall(r"[\w'’&]+", fold(alias))) or fold(alias) == fold(_acronym(name))):
                    yield alias.strip(" ,.")


def _ends_here(after: str) -> bool:
    """Whether the name ends here: followed by its legal form or by no word ("Acme UK Finance" is another company)."""
    following = re.match(r"[\s,]*(?P<word>[^\s,()\"“]*)", after)
    word = following["word"].strip(".").lower() if following else ""
    return not word or word in words().suffixes or after.startswith((",", "\n", ".", " (", "("))


def full_name(name: str, cover: Cover) -> str:
    """ "Acme" as "Acme Inc." if the text gives its legal form."""
    if has_suffix(name):
        return name
    forms = "|".join(re.escape(form) for form in sorted(words().suffixes, key=len, reverse=True))
    pattern = re.compile(rf"(?<!\w){re.escape(name)},?\s+(?:{forms})\.?(?!\w)", re.IGNORECASE)
    match = pattern.search(cover.early)
    return " ".join(match.group().split()) if match and match.group()[0] == name[0] else name


def _tickers(name: str, cover: Cover) -> Iterator[str]:
    place = cover.text.lower().find(bare_name(name).lower())
    if place >= 0 and (listed := _TICKER.search(cover.text[place : place + 300])) and len(listed["ticker"]) > 1:
        yield listed["ticker"].upper()
    if not re.search(r"trading\s*symbol", cover.text, re.IGNORECASE):
        return
    for shares in _SHARES.finditer(cover.text):
        symbols = [
            word for word in re.findall(r"(?<![\w.])[A-Z]{2,5}(?![\w.])", shares["rest"]) if word not in _NO_TICKER
        ]
        if symbols:
            yield symbols[0]
            return


def _acronym(name: str) -> str:
    return "".join(
        word[0] for word in re.findall(r"[^\W\d_]+", bare_name(name)) if not is_stop_word(fold(word))
    ).upper()


def _initials(bare: str, cover: Cover) -> Iterator[str]:
    """Initials that the text uses as a name, with or without the small words."""
    for initials in sorted(acronyms_of(bare)):
        used = len(re.findall(rf"(?<!\w){re.escape(initials)}(?!\w)", cover.early))
        if len(initials) > 2 and used > 1:
            yield initials


def _explained(bare: str, cover: Cover) -> Iterator[str]:
    """ "Department of Transportation (DOT)": the acronym for the name, or the full name of an acronym."""
    for acronym, name in explained(cover.early).items():
        if fold(name) == fold(bare):
            yield acronym
        elif acronym == bare:
            yield name


def _joined_initials(bare: str) -> Iterator[str]:
    """The short form of a two-part name with "&": "P&G", and "JnJ" if both initials are the same."""
    joined = next((made for made in acronyms_of(bare) if "&" in made), None)
    if joined and len(joined) > 3:
        yield joined
    match = _TWO_NAMES.fullmatch(bare)
    if match:
        first, second = match["first"][0].upper(), match["second"][0].upper()
        yield f"{first}&{second}"
        yield f"{first}n{second}"
        yield f"{first}N{second}"


def _first_word(bare: str, cover: Cover) -> Iterator[str]:
    """The first word, if the text uses it as a separate name and never as an ordinary word."""
    parts = bare.split()
    if len(parts) < 2 or len(parts[0]) < 3 or re.search(LETTER, bare):
        return
    word = parts[0].strip(",.")
    written = word[:1] + word[1:].lower() if word.isupper() else word
    alone = len(
        re.findall(rf"(?<!\w){re.escape(written)}(?!\w)(?!\s+{re.escape(parts[1])})", cover.early, re.IGNORECASE)
    )
    common = len(re.findall(rf"(?<![\w@./]){re.escape(word.lower())}(?![\w@.]*\.\w)(?!\w)", cover.early))
    if alone >= _LEAST_ALONE and not common and len(written) > 3:
        yield written


def _of_filename(bare: str, cover: Cover) -> Iterator[str]:
    """The words of the filename that spell the name as one word, or the beginning of the name if it is no ordinary word
    of the text."""
    squashed = re.sub(r"[\W_]+", "", fold(bare))
    for token in re.findall(r"[^\W_]+", cover.stem):
        word = fold(token)
        whole = word == squashed
        begins = (
            len(word) > 3
            and squashed.startswith(word)
            and not re.search(rf"(?<![\w@./]){re.escape(word)}(?![\w.@])", cover.early)
        )
        if len(word) > 1 and (whole or begins) and fold(bare) != word:
            yield token
