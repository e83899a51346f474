"""Finds a document's names by their capitals, and decides what each one is: *sentence, the document's words* → spans.

A name has a word that is no common word, or a head that only names have ("Aircraft Evaluation Group"). Its kind is
shown by its head, its form, or what the sentence says of it; a name without such a sign is a term.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from core.knowledge.extraction.document_words import DocumentWords, opens
from core.knowledge.extraction.gazetteer import place_key, place_labels
from core.knowledge.extraction.heads import head_kind, heads, is_demonym, kind_of_name
from core.knowledge.extraction.known_entities import bare_key
from core.knowledge.extraction.laws import law_key
from core.knowledge.extraction.lexicon import organisations, places
from core.knowledge.extraction.name_context import Context, context_of, has_shape_of_person, is_person, said_kind
from core.knowledge.extraction.name_runs import Word, name_runs
from core.knowledge.extraction.patterns import Span
from core.knowledge.extraction.people import person_key
from core.knowledge.records import EntityKind
from core.language.entities.calendar_words import MONTHS, WEEKDAYS
from core.language.normalisation import fold

_GENERAL: frozenset[EntityKind | None] = frozenset(["organisation", "law", "programme"])
"""Kinds whose names may consist of common words."""
_LATIN = re.compile(r"[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ' -]{3,80}")
_ROMAN = re.compile(r"[IVX]{1,5}")
_ORDINAL = re.compile(r"\d{1,4}(?:st|nd|rd|th)")
_ADJECTIVE = re.compile(r"[A-Za-z]{3,30}(?:al|ic|ous|ive|ary|ern|ing|ed|ly)$")
_POST = frozenset(["PO", "P.O.", "P.O", "MC"])
_IN_ADDRESS = ("/", "=", "@", "#", "_", "&")
_TITLE = re.compile(r"^(?:(?:Mr|Ms|Mrs|Dr|Prof)\.? ?(?=[A-Z]))+")
_REGION = re.compile(r"^(?:State|City|Province|Commonwealth|Republic) of ")
_CALENDAR = frozenset((*MONTHS, *WEEKDAYS))
_LISTED = re.compile(r", (?:and |or )?| (?:and|or|&) ")
_CAMEL = re.compile(r"[A-Za-z]{1,20}[a-z][A-Z][A-Za-z]{1,20}")
SHORT = 5
"""Maximum letters of a word in capitals that counts as an abbreviation."""
LEAST_ALONE = 3
"""Minimum number of times that a document writes one word with a capital for it to be a name without another sign."""
LEAST_COMMON = 3
"""Minimum number of words of a name that has only common words."""
MOST_UNKNOWN = 4
"""Maximum number of words of a name without a sign of its kind."""
LONGEST = 80


def names_in(text: str, words: DocumentWords) -> Iterator[Span]:
    """Names in a sentence; those that another search has found are blanked."""
    for run in name_runs(text, words):
        if span := _name(text, run, words):
            yield span


def compounds_in(text: str, words: DocumentWords) -> Iterator[Span]:
    """Names that begin with a company's name or an abbreviation, and are of another kind: "Alder Health app"."""
    for run in name_runs(text, words):
        parts = [word.text for word in run]
        first = parts[0]
        if len(parts) < 2 or not (first.isupper() or fold(first) in organisations().well_known):
            continue
        name = " ".join(parts)
        context = context_of(text, run[0].start, parts, run[-1].end - run[0].start)
        kind = kind_of_name(parts) or head_kind(context.next_noun)
        whole = kind in ("programme", "law", "event") and len(parts) > 2
        made = kind == "product" and first not in words.short
        if (whole or made) and len(name) <= LONGEST and not _is_reference(parts, words):
            yield name_span(text[run[0].start : run[-1].end], kind or "term", run[0].start)


def with_listed_persons(text: str, spans: Sequence[Span], words: DocumentWords) -> list[Span]:
    """The names; one that stands in a list with a person, and can be one, is a person."""
    found = list(spans)
    for order in (range(1, len(found)), range(len(found) - 2, -1, -1)):
        for place in order:
            near = found[place - 1 if order.step > 0 else place + 1]
            one, other = sorted((near, found[place]), key=lambda span: span.start)
            listed = _LISTED.fullmatch(text[one.end : other.start])
            span = found[place]
            if (
                listed
                and near.kind == "person"
                and span.kind == "term"
                and has_shape_of_person(span.label.split(), words)
            ):
                found[place] = name_span(span.label, "person", span.start)
    return found


def name_span(name: str, kind: EntityKind, start: int = 0) -> Span:
    """The span of a name whose kind is known."""
    end = start + len(name)
    if kind == "person":
        bare = _TITLE.sub("", name)
        return Span(end - len(bare), end, kind, bare, person_key(bare))
    if kind == "product":
        kept = [word for word in name.split() if fold(word) not in heads().made]
        label = " ".join(kept or [name])
        return Span(start, end, kind, label, fold(label), spelled=name if name != label else "")
    if kind == "place":
        key = place_key(_REGION.sub("", name)) or fold(name)
        return Span(start, end, kind, place_labels(key).get("en", name), key)
    return Span(start, end, kind, name, law_key(name) if kind == "law" else bare_key(name))


def is_name(parts: Sequence[str], words: DocumentWords) -> bool:
    """Whether one of the words is no common one."""
    return any(_is_proper(part, words) for part in parts)


def _name(text: str, run: list[Word], words: DocumentWords) -> Span | None:
    run = _without_opening(text, run, words)
    if not run:
        return None
    name = re.sub(r"'s?$", "", text[run[0].start : run[-1].end].rstrip(".'-/&"))
    start, parts = run[0].start, name.split()
    if not 3 <= len(name) <= LONGEST or _is_date(parts) or text[start - 1 : start] in _IN_ADDRESS:
        return None
    kind = _kind(context_of(text, start, parts, len(name)), words)
    return name_span(name, kind, start) if kind else None


def _without_opening(text: str, run: list[Word], words: DocumentWords) -> list[Word]:
    """Without the word that begins the sentence, if it is a common one before a name."""
    while run and (_is_code(run[0].text) or (len(run) > 1 and run[0].text.isupper() and run[0].text in _POST)):
        run = run[1:]
    if not run:
        return run
    begins = opens(text[: run[0].start])
    if begins and len(run) > 1 and words.is_common(run[0].text) and not kind_of_name([word.text for word in run]):
        return _without_opening(text, run[1:], words)
    return run


def _kind(name: Context, words: DocumentWords) -> EntityKind | None:
    parts = name.parts
    proper = [part for part in parts if _is_proper(part, words)]
    if head_kind(name.next_noun) == "term" and (proper or place_key(name.name)) and not _ADJECTIVE.match(name.name):
        return "term"
    if place_key(name.name) is not None or (place_key(parts[0]) and "".join(parts[1:]).isdigit()):
        return None  # the search for places reads it, with what is around it
    if (
        fold(parts[-1]) in places().streets
        or _is_reference(parts, words)
        or any(_ORDINAL.fullmatch(part) for part in parts)
    ):
        return None
    if len(parts) <= 3 and not name.name.isupper() and name.is_address:
        return "place"
    kind = kind_of_name(list(parts))
    if kind == "person" or (kind == "programme" and head_kind(parts[-1]) != "programme"):
        kind = None
    return _kind_with_name(name, proper, kind, words) if proper else _kind_of_common(name, kind, words)


def _kind_of_common(name: Context, kind: EntityKind | None, words: DocumentWords) -> EntityKind | None:
    """The kind of a name without an uncommon word: "Ethiopian Airlines", "Federal Aviation Administration"."""
    parts = name.parts
    if kind in ("company", "organisation") and len(parts) > 1 and is_demonym(parts[0]):
        return kind
    if kind == "event":
        return kind if parts[-1].isdigit() and len(parts) > LEAST_COMMON else None
    cut = next((at for at, part in enumerate(parts) if part in ("of", "for") and at), len(parts))
    plural = (parts[-1].endswith("s") and cut == len(parts)) or head_kind(parts[-1]) == "person"
    general = kind in _GENERAL and not plural and len(parts) >= LEAST_COMMON and not name.name.isupper()
    return kind if general and not opens(name.before) and fold(name.name) not in words.owned else None


def _kind_with_name(
    name: Context, proper: Sequence[str], kind: EntityKind | None, words: DocumentWords
) -> EntityKind | None:
    if name.is_cited and kind is None:
        return None
    if is_person(name, words):
        return "person"
    if kind is not None:
        return kind
    alone = len(name.parts) == 1
    if alone and _CAMEL.fullmatch(name.name):
        return said_kind(name) or (None if _is_glued(name.name, words) else "term")
    if alone and not _stands_as_name(name, words):
        return None
    if said := said_kind(name):
        return said
    if alone:
        often = words.capital.get(fold(name.name), 0) >= LEAST_ALONE and not name.name.endswith("s")
        return "term" if often else None
    return "term" if len(name.parts) <= MOST_UNKNOWN and len(proper) > 1 else None


def _is_glued(word: str, words: DocumentWords) -> bool:
    """Whether two words have lost the space between them."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", word)
    return place_key(parts) is not None or all(fold(part) in words.lower for part in parts.split())


def _stands_as_name(name: Context, words: DocumentWords) -> bool:
    """Whether one capitalised word is a name: no abbreviation, whose meaning the document would say, and not only
    capitalised because it begins a sentence."""
    word = name.name
    if not _LATIN.fullmatch(word) or word.isupper() or is_demonym(word) or _ADJECTIVE.match(word):
        return False
    return not opens(name.before) or words.capital.get(fold(word), 0) > 0


def _is_code(word: str) -> bool:
    return any(sign.isdigit() for sign in word) and "-" in word and word.upper() == word


def _is_proper(part: str, words: DocumentWords) -> bool:
    bare = part.strip(".'")
    return (
        len(bare) > 1
        and bare[0].isalpha()
        and not words.is_common(bare)
        and not is_demonym(bare)
        and fold(bare) not in _CALENDAR
        and head_kind(bare) is None
        and not (bare.removesuffix("s").isupper() and len(bare) <= SHORT)
        and not (len(bare) <= 3 and bare[1:] != bare[1:].lower())
    )


def _is_reference(parts: Sequence[str], words: DocumentWords) -> bool:
    """Whether the words only refer to a part of a text: "Exhibit 32.1", "Table B"."""
    last = parts[-1]
    short = bool(_ROMAN.fullmatch(last)) or len(last) <= 2
    if len(parts) > 1 and short and fold(parts[-2]) in words.numbered:
        return True
    numbered = any(sign.isdigit() for sign in last) or len(last) == 1
    return numbered and not any(_is_proper(part, words) for part in parts[:-1]) and kind_of_name(list(parts)) is None


def _is_date(parts: list[str]) -> bool:
    return all(fold(part).strip(".") in _CALENDAR or part.strip(".,").isdigit() for part in parts)
