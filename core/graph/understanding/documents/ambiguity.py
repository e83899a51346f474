"""Decides, after the search, whether to ask the user which document is meant.

If the passages that answer a question are spread over similar documents (such as the same policy of different
companies), each may give a different answer, unless the question names a company. Three things decide:

* *alike*: the close hits are in documents of one kind, judged by the words of their names or their passages;
* *named*: a word of the question is part of one document's name (a company, a year, initials), and is not a subject
  that the other documents mention too;
* *all wanted*: the question is about all documents of the kind ("which of the policies …").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Literal

from core.events import Source
from core.graph.understanding.documents.name_words import DocumentNames
from core.graph.understanding.documents.records import MOST_OFFERED, VisibleDocument
from core.graph.understanding.wording import is_document_word
from core.language.hebrew import (
    LETTER,
    NO_LETTER_AFTER,
    NO_LETTER_BEFORE,
    PLURAL_ENDINGS,
    PREFIXES,
    is_hebrew,
    variants,
)
from core.language.normalisation import fold, normalise
from core.language.terms import content_terms, covers, stem
from core.language.vocabulary import Entry, WordSet, file_of

Why = Literal["all_wanted", "few", "varied", "named", "named_several", "spoken_of", "spread"]

CLOSE = 0.6
"""Share of the best score from which another document counts as an answer too."""
LEAST_ALIKE = 2
"""Minimum number of similar documents with an answer before the user is asked."""
ALIKE = 0.3
"""Share of common words from which two passages are of one kind."""
FAIRLY_ALIKE = 0.15
"""The same minimum if the documents also share a word of their names, their class or their subject."""
LEAST_SHARED = 3
"""Minimum number of words, besides the question's, that two passages must share: short ones share one or two by chance.
"""
COMMON = 0.25
"""Minimum share of a kind's document names that contain a word, for the word to be part of the kind's name."""
TOPICAL = 0.25
"""Minimum share of the other documents that mention a word, for the word to count as a subject and not as a name."""
READ = 2
"""Number of passages of a document used to find its subject."""

_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*")
_PROPER = re.compile(r"(?<![.!?:]\s)(?<!^)\b[A-Z][\w&-]+")


class _Wanted(Entry):
    all: list[str]
    houses: WordSet


_wanted = file_of("graph/wanted", _Wanted)


@dataclass(frozen=True)
class AmbiguityDecision:
    """The decision: ``ask`` the user which of the ``candidates`` is meant (best first, at most eight of ``total``), or
    continue without asking, with only the documents in ``focus`` if the question is about them. ``why`` is the
    reason."""

    ask: bool
    why: Why
    candidates: tuple[VisibleDocument, ...] = ()
    total: int = 0
    focus: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Kind:
    """A kind of similar documents: ``members`` are those that the search found, ``everywhere`` are all of them in the
    library, best first.

    ``words`` are words that many of their names contain.
    """

    members: tuple[str, ...]
    everywhere: tuple[str, ...]
    words: frozenset[str]


def which_document(
    question: str,
    documents: Sequence[VisibleDocument],
    sources: Sequence[Source],
    *,
    spoken_of: Sequence[str] = (),
    leans: bool = False,
) -> AmbiguityDecision:
    """Decides whether to ask which of ``documents`` a ``question`` is about, from the ``sources`` that a search found.

    ``spoken_of``: ids of the documents of the last answer. ``leans``: the question leans on what was said before.
    """
    names = DocumentNames(documents)
    found = [each for each in sources if each.document_id in names.documents]
    best = max((each.score for each in found), default=0.0)
    near = [each for each in found if each.score >= CLOSE * best]
    kind = _similar_documents(question, near, names) if near else _kind_of_library(question, names)
    if len(kind.everywhere) < LEAST_ALIKE:
        return AmbiguityDecision(False, "varied" if len(near) >= LEAST_ALIKE else "few")
    if wants_all(question, kind.words):
        return AmbiguityDecision(False, "all_wanted")
    candidates = _named_of_kind(question, kind, names, found)
    if candidates:
        return _of_those(candidates, kind, names)
    known = [each for each in dict.fromkeys(spoken_of) if each in kind.everywhere]
    if len(known) == 1 and (len(spoken_of) == 1 or leans) and _fits(known[0], question, kind, near):
        return AmbiguityDecision(False, "spoken_of", focus=tuple(known))
    if len(kind.members) < LEAST_ALIKE:
        return AmbiguityDecision(False, "few")
    return _asking("spread", kind.members, kind.everywhere, names)


def _fits(document: str, question: str, kind: _Kind, near: Sequence[Source]) -> bool:
    """Returns whether a question may mean a document of the last answer: the search found it or nothing, the best match
    is of its kind, and the passages have all names in the question."""
    if not near:
        return True
    best = max(near, key=lambda each: each.score).document_id
    texts = [fold(passage.text) for each in near for passage in each.passages]
    names = {fold(match) for match in _PROPER.findall(normalise(question))} & set(content_terms(question))
    spoken = all(any(covers(name, text) for text in texts) for name in names)
    return spoken and document in kind.members and best in kind.everywhere


def wants_all(question: str, kind: frozenset[str] = frozenset()) -> bool:
    """Returns whether ``question`` is about all documents of a kind; ``kind`` are the stemmed words of its name."""
    text = fold(question)
    plurals = {word for word in _WORD.findall(text) if _is_plural(word, kind)}
    return bool(_all_wanted(tuple(sorted(plurals))).search(text))


def _similar_documents(question: str, near: Sequence[Source], names: DocumentNames) -> _Kind:
    """Returns the top documents that are similar to one of the two best, and library documents with similar names.

    The question's words are ignored, since every found passage contains them.
    """
    asked = frozenset(map(stem, content_terms(question)))
    terms = {each.document_id: _passage_terms(each) - asked for each in near}
    groups = [
        [each.document_id for each in near if each is leader or _are_similar(leader, each, names, terms)]
        for leader in near[:2]
    ]
    members = max(groups, key=len)
    called = [each for each in names.documents if each not in members and _one_kind_by_name(members[0], each, names)]
    return _of_kind(members, called, names)


def _kind_of_library(question: str, names: DocumentNames) -> _Kind:
    """Returns the largest group of similar documents in the library, if the question is about it; used if the search
    found nothing close.

    In a text that many similar documents repeat, no word is rare, so the search gives it a low score.
    """
    if not _is_about(question, list(names.documents), names):
        return _of_kind((), (), names)
    groups = {
        each: [other for other in names.documents if other == each or _one_kind_by_name(each, other, names)]
        for each in names.documents
    }
    members = max(groups.values(), key=len, default=[])
    if 2 * len(members) < len(names.documents) or not _is_about(question, members, names):
        return _of_kind((), (), names)
    return _of_kind(members, (), names)


def _is_about(question: str, members: Sequence[str], names: DocumentNames) -> bool:
    """Returns whether several of the documents have a word of the question among their keywords."""
    keywords = {each: fold(" ".join(names.documents[each].keywords)) for each in members}
    return any(sum(covers(term, text) for text in keywords.values()) >= LEAST_ALIKE for term in content_terms(question))


def _of_kind(members: Sequence[str], called: Sequence[str], names: DocumentNames) -> _Kind:
    everywhere = (*members, *called)
    held = Counter(word for each in everywhere for word in names.words[each])
    words = frozenset(word for word, count in held.items() if count >= max(LEAST_ALIKE, COMMON * len(everywhere)))
    return _Kind(tuple(members), everywhere, words)


def _are_similar(one: Source, other: Source, names: DocumentNames, terms: Mapping[str, frozenset[str]]) -> bool:
    first, second = one.document_id, other.document_id
    if _one_kind_by_name(first, second, names):
        return True
    ones, others = terms[first], terms[second]
    measured = max if _differ_in_kind(names.documents[first], names.documents[second]) else min
    if len(ones & others) < LEAST_SHARED:
        return False
    overlap = len(ones & others) / max(1, measured(len(ones), len(others)))
    if overlap >= ALIKE:
        return True
    return overlap >= FAIRLY_ALIKE and _akin(names.documents[first], names.documents[second], names)


def _one_kind_by_name(first: str, second: str, names: DocumentNames) -> bool:
    """Returns whether both names share two words, one of them a document word: "travel policy"."""
    common = _shared(first, second, names)
    return len(common) > 1 and any(is_document_word(word) for word in common)


def _shared(first: str, second: str, names: DocumentNames) -> set[str]:
    """Returns the words in both names, without numbers and single letters, which mean nothing by themselves."""
    return {word for word in names.words[first] & names.words[second] if len(word) > 1 and not word.isdigit()}


def _akin(first: VisibleDocument, second: VisibleDocument, names: DocumentNames) -> bool:
    if any(not is_document_word(word) for word in _shared(first.id, second.id, names)):
        return True
    return not _differ_in_kind(first, second) and (
        bool(first.subject and first.subject == second.subject) or bool(first.kind and first.kind == second.kind)
    )


def _differ_in_kind(first: VisibleDocument, second: VisibleDocument) -> bool:
    """Returns whether the kinds differ: a contract and its expense sheet share many words but are not similar
    documents."""
    return bool(first.kind and second.kind and first.kind != second.kind)


def _passage_terms(source: Source) -> frozenset[str]:
    """Returns the terms in a document's best passages."""
    best = sorted(source.passages, key=lambda each: -each.score)[:READ]
    return frozenset(stem(term) for each in best for term in content_terms(each.text) if not term.isdigit())


def _named_of_kind(
    question: str, kind: _Kind, names: DocumentNames, sources: Sequence[Source]
) -> dict[str, frozenset[str]]:
    """Returns the documents of the kind that the question names, and the words that name them."""
    family = DocumentNames([names.documents[each] for each in kind.everywhere])
    candidates = {
        word: how
        for word, how in family.named_words(question).items()
        if 2 * len(family.holders(word)) <= len(kind.everywhere) and not is_document_word(word)
    }
    candidates = {
        word: how for word, how in candidates.items() if not _is_subject(how, family.holders(word), kind, sources)
    }
    found: dict[str, frozenset[str]] = {}
    for word in candidates:
        for each in family.holders(word):
            found[each] = found.get(each, frozenset()) | {word}
    return found or _by_content(question, kind, names, sources)


def _is_subject(word: str, holders: frozenset[str], kind: _Kind, sources: Sequence[Source]) -> bool:
    """Returns whether documents without ``word`` in their name mention it."""
    if word.isdigit():
        return False
    others = [each for each in sources if each.document_id in kind.members and each.document_id not in holders]
    speak = sum(any(covers(word, fold(passage.text)) for passage in each.passages) for each in others)
    return bool(others) and speak > TOPICAL * len(others)


def _by_content(
    question: str, kind: _Kind, names: DocumentNames, sources: Sequence[Source]
) -> dict[str, frozenset[str]]:
    """Returns the documents whose keywords or passages contain a name from the question, if no title does."""
    proper = {fold(match) for match in _PROPER.findall(normalise(question))}
    found: dict[str, frozenset[str]] = {}
    texts = {each.document_id: " ".join(fold(passage.text) for passage in each.passages) for each in sources}
    for term in content_terms(question):
        if term not in proper and not is_hebrew(term):
            continue
        holders = [
            each
            for each in kind.everywhere
            if covers(term, texts.get(each, "")) or covers(term, fold(" ".join(names.documents[each].keywords)))
        ]
        few = len(holders) == 1 if is_hebrew(term) else 0 < 4 * len(holders) <= len(kind.everywhere)
        if few and (term in proper or _leads(holders[0], sources)):
            for each in holders:
                found[each] = found.get(each, frozenset()) | {term}
    return found


def _leads(identifier: str, sources: Sequence[Source]) -> bool:
    return bool(sources) and max(sources, key=lambda each: each.score).document_id == identifier


def _of_those(candidates: Mapping[str, frozenset[str]], kind: _Kind, names: DocumentNames) -> AmbiguityDecision:
    """Continues with the documents whose names match best; asks the user if one name fits several of them."""
    weights = {each: sum(map(names.weight, words)) for each, words in candidates.items()}
    most = max(weights.values())
    leading = [
        each
        for each, words in candidates.items()
        if weights[each] >= most / 2 and not any(words < others for others in candidates.values())
    ]
    by_words: dict[frozenset[str], list[str]] = {}
    for each in leading:
        by_words.setdefault(candidates[each], []).append(each)
    if all(len(same) == 1 for same in by_words.values()):
        return AmbiguityDecision(False, "named", focus=tuple(leading))
    tied = [each for same in by_words.values() if len(same) > 1 for each in same]
    if len(kind.members) < LEAST_ALIKE:
        return AmbiguityDecision(False, "few")
    return _asking("named_several", [each for each in kind.everywhere if each in tied], (), names)


def _asking(why: Why, members: Sequence[str], everywhere: Sequence[str], names: DocumentNames) -> AmbiguityDecision:
    ordered = [*members, *(each for each in everywhere if each not in members)]
    chosen = tuple(names.documents[each] for each in ordered[:MOST_OFFERED])
    return AmbiguityDecision(True, why, chosen, len(ordered))


def _is_plural(word: str, kind: frozenset[str]) -> bool:
    """Returns whether ``word`` is a plural of a document kind or of a company word."""
    if word in _wanted().houses:
        return True
    if is_hebrew(word):
        singular = [form for form in variants(word) if form.endswith(PLURAL_ENDINGS)]
        known = {form for each in kind if is_hebrew(each) for form in variants(each)}
        return bool(singular) and word not in known and bool(known & set(variants(word)))
    return word.endswith("s") and stem(word) != word and stem(word) in kind and not word.endswith("ss")


@cache
def _all_wanted(plurals: tuple[str, ...]) -> re.Pattern[str]:
    kinds = "|".join(re.escape(each) for each in plurals) or r"(?!)"
    entries = [each.replace("KIND", rf"(?:[\w-]+ )?(?:{kinds})") for each in _wanted().all]
    return re.compile("|".join(_whole_words(each) for each in entries))


def _whole_words(entry: str) -> str:
    if re.search(LETTER, entry):
        return rf"{NO_LETTER_BEFORE}[{PREFIXES}]{{0,2}}(?:{entry}){NO_LETTER_AFTER}"
    return rf"(?<!\w)(?:{entry})(?!\w)"
