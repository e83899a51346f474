"""Determines a document's metadata from its text by rules."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Annotated, NamedTuple

from pydantic import BeforeValidator

from core.language import hebrew
from core.language.detection import document_language
from core.language.entities.foreign_dates import with_english_dates
from core.language.expansions import domains
from core.language.normalisation import fold, normalise
from core.language.sentences import split_sentences, width
from core.language.terms import content_terms, stem
from core.language.vocabulary import file_of, pattern_of, phrase_of
from core.library.chunking.paragraphs import Paragraph, paragraphs
from core.library.description.bounded import bounded
from core.library.description.keywords import keywords
from core.library.description.mentions import citations, dates
from core.library.extracted import Extracted
from core.library.identity.cover import words_of_filename, written_date
from core.library.identity.identity import identify
from core.library.records import Metadata
from core.library.structure.sections import Structure, structure_of

_TOP_OF_DOCUMENT = 20
"""Number of paragraphs, from the first one, that are searched for an author."""

_AUTHOR_BLOCKS = 200
_EVIDENCE = 400_000
"""Characters that are analysed for class, subject and summary; a longer book repeats itself."""

_NO_AUTHOR = re.compile(
    r"^(?:user|admin|administrator|owner|author|unknown|microsoft.*|python-docx|openpyxl|root|pc)$", re.IGNORECASE
)
_AUTHOR = re.compile(phrase_of("library/description.description.author"), re.IGNORECASE | re.MULTILINE)
_SUBJECT = re.compile(phrase_of("library/description.description.subject"), re.IGNORECASE | re.MULTILINE)
_SUMMARY_SECTION = pattern_of("library/description.description.summary_section")

_LEAST_EVIDENCE = 3
"""Smallest number of different words that must indicate a class or subject."""

_LEAST_DENSITY = 0.005
"""Smallest share of these words among all words, because a long text has a few words of every subject."""

_ENOUGH_WORDS = 50
"""A text of at least this length without evidence gets the class "other"."""

_SUMMARY_SENTENCES = 3
_ENDS = ".!?\"')\u3002\u06d4\u00bb"
_SUMMARY_LENGTH = 600


def describe(extracted: Extracted, filename: str, structure: Structure | None = None) -> Metadata:
    """The catalogue's description of a document; fields that the text does not give are ``None`` or ``[]``.
    ``structure`` is that of its blocks, if it is known."""
    given, extracted = extracted, bounded(_without_comments(extracted))
    found = paragraphs(extracted.blocks[: 4 * _TOP_OF_DOCUMENT])
    if structure is None or extracted is not given:
        structure = structure_of(extracted.blocks, extracted.bookmarks)
    placed = structure.paragraphs
    body = [paragraph for paragraph in placed if paragraph.kind != "citation"]
    texts = [paragraph.text for paragraph in body]
    text = "\n\n".join(texts)
    folded = fold(text[:_EVIDENCE])
    words, grams = len(folded.split()), _grams(folded)
    identity = identify(extracted, filename)
    return Metadata(
        **{**dict(identity), "title": identity.title or readable(filename)},
        author=_author(extracted, found),
        language=document_language(text),
        keywords_en=keywords(texts, "en"),
        keywords_he=keywords(texts, "he"),
        subject=_document_subject(text, words, grams),
        classification=_classification(words, grams),
        dates=list(dict.fromkeys([*dates(written_date(extracted)), *dates(with_english_dates(text[:_EVIDENCE]))])),
        citations=_citations(placed, text),
        summary=_summary([paragraph for paragraph in body if paragraph.role == "body"]),
    )


def _without_comments(extracted: Extracted) -> Extracted:
    if not any(block.is_comment for block in extracted.blocks):
        return extracted
    return extracted.model_copy(update={"blocks": [block for block in extracted.blocks if not block.is_comment]})


def readable(filename: str) -> str:
    """A file's name as a title: no folder, no extension, spaces for separators."""
    words = words_of_filename(filename)
    return words[:1].upper() + words[1:] if words else filename


def _author(extracted: Extracted, found: Sequence[Paragraph]) -> str | None:
    own = normalise(extracted.author or "")
    if own and not _NO_AUTHOR.match(own) and _is_told(own, extracted):
        return own
    for paragraph in found[:_TOP_OF_DOCUMENT]:
        match = _AUTHOR.search(paragraph.text)
        if match and (name := match["name"].strip(" *_")) and (name[0].isupper() or hebrew.is_hebrew(name[0])):
            return normalise(name)
    return None


def _is_told(author: str, extracted: Extracted) -> bool:
    """Whether a PDF's text contains the name in the file's author property; otherwise the name may be the typesetter's
    or sender's."""
    if extracted.mime != "application/pdf":
        return True
    words = [fold(word) for word in re.findall(r"\w{2,}", author)]
    # Some documents print the letters of a name with spaces in between.
    text = "".join(fold(" ".join(block.text for block in extracted.blocks[:_AUTHOR_BLOCKS])).split())
    return bool(words) and all(word in text for word in words)


def _phrase(words: str) -> tuple[str, ...]:
    return tuple(_form(word) for word in _WORD.findall(fold(words)))


_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")


def _form(word: str) -> str:
    return word if hebrew.is_hebrew(word) else stem(word)


class _Evidence(NamedTuple):
    """Evidence for a class or subject. ``weight`` is the summed log frequency of the phrases that occur; ``enough``
    tells whether it suffices."""

    weight: float
    enough: bool


def _evidence(phrases: Iterable[tuple[str, ...]], grams: Counter[tuple[str, ...]], words: int) -> _Evidence:
    counts = [grams[phrase] for phrase in set(phrases) if grams[phrase]]
    dense = sum(counts) >= _LEAST_DENSITY * words
    return _Evidence(sum(map(math.log1p, counts)), dense and len(counts) >= _LEAST_EVIDENCE)


def _best_evidenced(
    named: Mapping[str, list[tuple[str, ...]]], words: int, grams: Counter[tuple[str, ...]]
) -> str | None:
    """The name with the strongest evidence, if that is enough."""
    scores = {name: _evidence(phrases, grams, words) for name, phrases in named.items()}
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best].enough else None


def _grams(folded: str) -> Counter[tuple[str, ...]]:
    """Sequences of one to three words; Hebrew ones also without their prefix letter."""
    words = [_form(word) for word in _WORD.findall(folded)]
    counts: Counter[tuple[str, ...]] = Counter()
    for length in (1, 2, 3):
        counts.update(zip(*(words[offset:] for offset in range(length)), strict=False))
    bare: Counter[tuple[str, ...]] = Counter()
    for gram, count in counts.items():
        if gram[0][0] in hebrew.PREFIXES and len(gram[0]) > 3:
            bare[(gram[0][1:], *gram[1:])] += count
    return counts + bare


def _classification(words: int, grams: Counter[tuple[str, ...]]) -> str | None:
    """The class with the strongest evidence; ``"other"`` when none has enough, ``None`` for a very short text."""
    return _best_evidenced(_classes(), words, grams) or ("other" if words >= _ENOUGH_WORDS else None)


def _document_subject(text: str, words: int, grams: Counter[tuple[str, ...]]) -> str | None:
    """The document's own subject line, otherwise the subject area with the strongest evidence."""
    stated = _SUBJECT.search(text[:5000])
    if stated:
        return normalise(stated["subject"])
    key = _best_evidenced(_fields(), words, grams)
    if key is None:
        return None
    domain = domains()[key]
    return domain.he if document_language(text) == "he" else domain.en


@cache
def _fields() -> dict[str, list[tuple[str, ...]]]:
    return {key: [_phrase(name) for group in domain.groups for name in group] for key, domain in domains().items()}


def _citations(found: Sequence[Paragraph], text: str) -> list[str]:
    listed = [normalise(paragraph.text)[:300] for paragraph in found if paragraph.kind == "citation"]
    return list(dict.fromkeys([*listed, *citations(text)]))[:50]


def _summary(body: Sequence[Paragraph]) -> str | None:
    """Up to three whole sentences in reading order: the document's own summary, otherwise its most informative
    sentences."""
    prose = [paragraph for paragraph in body if paragraph.kind == "paragraph" and not paragraph.has_code]
    own = [paragraph for paragraph in prose if _SUMMARY_SECTION.match(paragraph.section or "")]
    found = (sentence for paragraph in own or prose for sentence in split_sentences(paragraph.text[:5000]))
    sentences = [normalise(sentence.text) for sentence in islice(found, 400)]
    sentences = [sentence for sentence in sentences if 40 <= width(sentence) <= 400 and sentence[-1] in _ENDS]
    if not sentences:
        return None
    chosen = list(range(len(sentences)))[:_SUMMARY_SENTENCES] if own else _telling(sentences)
    return _as_paragraph([sentences[place] for place in sorted(chosen)])


def _telling(sentences: Sequence[str]) -> list[int]:
    """The sentences whose words are most frequent in the text; equal ones in text order."""
    terms = [set(map(_form, content_terms(sentence))) for sentence in sentences]
    frequency = Counter(term for found in terms for term in found)
    chosen: list[int] = []
    seen: set[str] = set()
    while len(chosen) < min(_SUMMARY_SENTENCES, len(sentences)):
        rest = [place for place in range(len(sentences)) if place not in chosen]
        best = max(rest, key=lambda place: _telling_weight(terms[place] - seen, frequency, place))
        chosen.append(best)
        seen |= terms[best]
    return chosen


def _telling_weight(terms: set[str], frequency: Counter[str], place: int) -> float:
    weight = sum(math.log1p(frequency[term] - 1) for term in terms) / math.sqrt(len(terms) + 5)
    return weight * (1 + 1 / (1 + place))


def _as_paragraph(sentences: Sequence[str]) -> str:
    summary = sentences[0]
    for sentence in sentences[1:]:
        if len(summary) + len(sentence) < _SUMMARY_LENGTH:
            summary = f"{summary} {sentence}"
    return summary


_classes = file_of("classification", dict[str, list[Annotated[tuple[str, ...], BeforeValidator(_phrase)]]])
