"""Finds names in Latin script by their capital letters, and decides each one's kind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.knowledge.extraction.gazetteer import place_key
from core.knowledge.extraction.lexicon import blocked_english, organisations, people, places, terms
from core.knowledge.extraction.patterns import Span, blanked
from core.knowledge.records import EntityKind
from core.language.terms import is_stop_word

_WORD = r"(?:St\. )?[A-Z][\w'&]*(?:[-.][A-Z]?[\w']+)*"
_RUN = re.compile(rf"{_WORD}(?: (?:of the|of|for the|for|and|&|de|da|van|von|der|del|la|el|bin|ben) {_WORD}| {_WORD})*")
_JOINTS = frozenset(["of", "the", "for", "and", "&", "de", "da", "van", "von", "der", "del", "la", "el", "bin", "ben"])
_TITLE = re.compile(r"(?:^|\s)([A-Za-z]+)\.?\s*$")
_STREET = re.compile(
    rf"\b\d{{1,4}} (?:{_WORD} ){{1,3}}(?:Street|Avenue|Road|Lane|Square|Boulevard|Drive|Court|Way|Terrace|St|Ave|Rd)\b"
)
_OPENS = re.compile(r"(?:^|[.!?:;\n|>•]\s*|[\"'(\[*_]+|^\s*[-*\d.()]+\s+)$")
_WHERE = frozenset(
    ["in", "from", "to", "at", "near", "through", "via", "between", "outside", "into", "around", "across"]
)
_BEHIND_PERSON = re.compile(
    r" (?:said|says|wrote|reports|reported|signed|joined|leads|led|will lead|owns|works|worked|lives|lived|moved"
    r"|proposed|presented|chaired|plays|prefers|likes|asked|told|agreed|manages|expects|starts|studies|knows|thinks|wants"
    r"|believes|left|and I|is (?:a|the|our|my|allergic|married))\b"
)
_EMPLOYER = re.compile(
    r"(?:works? (?:for|at)|employed by|joined|contract with|agreement with|shipment to|on behalf of|client|customer"
    r"|vendor|supplier)\s*(?:the )?$"
)

REACH = 40
"""Number of characters around a name that are read to decide its kind."""


def find(text: str) -> list[Span]:
    """Names in the prepared ``text``, in order and without overlaps."""
    found = list(_streets(text))
    text = blanked(text, found, " ")
    for match in _RUN.finditer(text):
        found += _split_names(text, match.start(), match.group())
    return sorted(found, key=lambda span: span.start)


def _streets(text: str) -> Iterator[Span]:
    for match in _STREET.finditer(text):
        yield Span(match.start(), match.end(), "place", match.group(), match.group().lower())


def _split_names(text: str, start: int, run: str) -> Iterator[Span]:
    """The separate names in a run of capitalised words: "Siemens Energy and the University of Aarhus" is two."""
    for part in _parts_at_and(run):
        offset = start + run.index(part)
        words = part.split()
        while words and _leads_in(words[0], _text_before(text, offset), words):
            offset += len(words[0]) + 1
            words = words[1:]
        while words and (words[0] in _JOINTS or words[-1] in _JOINTS):
            if words[0] in _JOINTS:
                offset += len(words[0]) + 1
                words = words[1:]
            else:
                words = words[:-1]
        if words and (span := _name_span(text, offset, words)):
            yield span


def _text_before(text: str, place: int) -> str:
    """The text before the name, up to ``REACH`` characters."""
    return text[max(0, place - REACH, text.rfind("\n", 0, place) + 1) : place]


def _parts_at_and(run: str) -> list[str]:
    """The words split at "and", unless both sides are parts of one name ("Food and Drug Administration")."""
    whole = run.split()
    if "and" not in whole and "&" not in whole:
        return _of_parts(run)
    sides = re.split(r" and ", run)
    heads = organisations().heads
    if whole[0].lower() in heads and whole[1:2] == ["of"]:
        return [run]
    if len(sides) == 2 and len(sides[0].split()) == 1 and len(sides[1].split()) > 1:
        first, last = sides[0].lower(), sides[1].split()[-1].lower()
        if last in organisations().ends and first not in people().given_latin | organisations().well_known:
            return [run]
    return [part for side in sides for part in _of_parts(side)]


def _of_parts(run: str) -> list[str]:
    """The words split at "of" and "for". "for" joins two parts only after an organisation's head word, "of" also after
    the word that ends its name."""
    words = run.split()
    if not any(word in ("of", "for") for word in words):
        return [run]
    head = words[0].lower()
    if head in organisations().heads or head in organisations().ends or words[1:2] == ["of"]:
        return [run]
    return re.split(r" (?:of the|of|for the|for) ", run)


def _leads_in(word: str, before: str, words: Sequence[str]) -> bool:
    """Whether a capitalised word is not part of the name, but a title or the sentence's first word."""
    lower = word.lower().rstrip(".")
    if lower in people().titles_latin and (len(words) > 1 or word.endswith(".")):
        return True
    opens = bool(_OPENS.search(before)) or not before.strip()
    return opens and not _is_known(words) and (is_stop_word(lower) or lower in blocked_english() or lower in _WHERE)


def _is_known(words: Sequence[str]) -> bool:
    return _place_key(" ".join(words)) is not None or " ".join(words).lower() in organisations().well_known


def _name_span(text: str, start: int, words: Sequence[str]) -> Span | None:
    name = " ".join(words).rstrip(".'")
    bare = re.sub(r"'s?$", "", name)
    end = start + len(bare)
    before = _text_before(text, start)
    kind = _name_kind(bare, before, text[end : end + REACH])
    if kind is None:
        return None
    if bare.endswith((" Inc", " Ltd", " Co", " Corp")) and text[end : end + 1] == ".":
        bare, end = f"{bare}.", end + 1
    key = (_place_key(bare) or bare.lower()) if kind == "place" else bare.lower()
    return Span(start, end, kind, bare, key)


def _name_kind(name: str, before: str, behind: str) -> EntityKind | None:
    words = name.lower().replace(".", "").split()
    title = _TITLE.search(before)
    if title and title[1].lower() in people().titles_latin and title[1][0].isupper():
        return "person"
    if _is_organisation(name, words):
        return "organisation"
    given = words[0].split("-")[0] in people().given_latin
    if _place_key(name) and not (words[0] in places().doubtful and not _led_to(before)):
        return "place"
    if (
        given
        and len(words) <= 4
        and (len(words) > 1 or _BEHIND_PERSON.match(behind) or not _opens(before) or len(words[0]) > 2)
    ):
        return "person"
    if _EMPLOYER.search(before):
        return "organisation"
    if len(words) == 1:
        return _single(name, before)
    if any(word.isupper() and not word.endswith(".") for word in name.split()):
        return "term"  # such as "Series B", "Hip-Hop MC"
    return _pair(words, before, behind)


def _is_organisation(name: str, words: Sequence[str]) -> bool:
    known = organisations()
    if " ".join(words) in known.well_known or (words[0] in known.well_known and len(words) > 1):
        return name.isupper() or len(words[0]) > 3
    return len(words) > 1 and (words[-1] in known.ends or (words[0] in known.heads and words[1] == "of"))


def _pair(words: Sequence[str], before: str, behind: str) -> EntityKind | None:
    """Kind of a name with two or more words that are in no list: a person, unless texts usually capitalise such
    words."""
    plain = [word for word in words if is_stop_word(word) or word in blocked_english()]
    if plain or len(words) > 3 or any(any(letter.isdigit() for letter in word) for word in words):
        return "term" if len(words) <= 3 and not plain else None
    if _BEHIND_PERSON.match(behind) or _looks_like_a_name(words):
        return "person"
    return "term"


_NOUN_END = re.compile(
    r"(?:tion|ment|ity|ness|ance|ence|ing|ics|ical|al|ive|ery|ure|ship|age|sis|ers)$",
)


def _looks_like_a_name(words: Sequence[str]) -> bool:
    """Whether the words can be a person's name. Words of prose end like nouns and adjectives; names rarely do, and
    never end like titles."""
    if len(words) not in (2, 3) or words[-1] in terms().title_nouns or words[0] in terms().title_nouns:
        return False
    return not any(_NOUN_END.search(word) for word in words) and not (words[-1].endswith("s") and len(words[-1]) > 5)


def _single(name: str, before: str) -> EntityKind | None:
    """Kind of one capitalised word that is in no list: a topic of the text; none if it begins a sentence."""
    if len(name) < 2 or is_stop_word(name.lower()) or name.lower() in blocked_english():
        return None
    capitals = sum(letter.isupper() for letter in name)
    if _opens(before) and capitals < 2:
        return None
    return "term" if len(name) > 2 else None


def _opens(before: str) -> bool:
    return not before.strip() or bool(_OPENS.search(before))


def _led_to(before: str) -> bool:
    return before.rstrip().rpartition(" ")[2].lower() in _WHERE


def _place_key(name: str) -> str | None:
    """A place's key, the same for every spelling."""
    if known := place_key(name):
        return known
    first, _, rest = name.lower().replace(".", "").partition(", ")
    return f"{first}, {rest}" if rest and first in places().latin and rest in places().latin else None
