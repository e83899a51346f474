"""Finds where a message refers to documents by a noun: "the lease", "our handbook", "the two offers"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.graph.understanding.documents.document_nouns import DocumentNouns, is_generic, is_kind_noun
from core.graph.understanding.wording import is_document_noun
from core.language.entities.calendar_words import MONTHS
from core.language.hebrew import AS, IN, OF, PREFIXES, THE, TO, is_hebrew, variants
from core.language.normalisation import fold
from core.language.terms import stem
from core.language.vocabulary import phrases, words_of

FURTHEST = 5
"""Number of words before an English noun in which its determiner is looked for."""
_phrase = phrases("graph/document_references")
_WORD = re.compile(r"[^\W_]+(?:[\"'][^\W_]+)*|[.,;:?!()\n]")
_POSSESSIVE = re.compile(r"'s$|s'$")
_DEFINITE = frozenset(words_of("graph/document_references.definite"))
_INDEFINITE = frozenset(words_of("graph/document_references.indefinite"))
_SEVERAL = frozenset(words_of("graph/document_references.several"))
_HIDING = frozenset({THE, IN, TO, AS})
"""Hebrew prefixes that are the article or may hide it."""
_WHOLE = frozenset(words_of("graph/document_references.whole"))
_ENDS = frozenset(words_of("graph/document_references.ends"))


@dataclass(frozen=True)
class DocumentReference:
    """A noun phrase that may mean a document.

    ``noun`` is the noun as it is in the names of documents, ``said`` the phrase as written; ``modifiers`` are the other
    words of the phrase (folded). ``plural``: several documents are meant. ``read``: the message reads the document
    ("according to the lease"), so that nothing but a text can be meant.
    """

    noun: str
    said: str
    modifiers: tuple[str, ...] = ()
    plural: bool = False
    read: bool = False


def references_in(message: str, nouns: DocumentNouns) -> list[DocumentReference]:
    """Returns the references in ``message``, in order; without nouns that any document is called by."""
    folded = fold(message)
    said = message if len(message) == len(folded) else folded
    tokens = [_Token(match.group(), said[match.start() : match.end()]) for match in _WORD.finditer(folded)]
    found = [_reference_at(place, tokens, nouns, folded) for place in range(len(tokens))]
    return [each for each in found if each is not None]


@dataclass(frozen=True)
class _Token:
    word: str
    said: str

    @property
    def bare(self) -> str:
        return _POSSESSIVE.sub("", self.word)


def _reference_at(place: int, tokens: Sequence[_Token], nouns: DocumentNouns, folded: str) -> DocumentReference | None:
    word = tokens[place].bare
    if not word[0].isalpha() or is_generic(word):
        return None
    noun = _noun(place, tokens, nouns)
    if not noun:
        return None
    phrase = _hebrew_phrase(place, tokens, nouns) if is_hebrew(word) else _english_phrase(place, tokens, nouns)
    if phrase is None:
        return None
    modifiers, several = phrase
    read = bool(_source(re.escape(word)).search(folded))
    plural = several or _is_plural(word, noun, nouns) or (_ends_plural(word) and _is_of_several(tokens))
    said = " ".join(each.said for each in tokens[place - len(modifiers) : place + 1]) if not is_hebrew(word) else ""
    return DocumentReference(noun, said or tokens[place].said, tuple(modifiers), plural, read)


def _noun(place: int, tokens: Sequence[_Token], nouns: DocumentNouns) -> str:
    """Returns the noun that the word is or misspells, or an empty text; a misspelled one counts only after a word that
    is in the names of its documents."""
    word = tokens[place].bare
    if nouns.called(word) or is_kind_noun(word):
        return word
    meant = nouns.misspelled(word)
    before = stem(tokens[place - 1].bare) if place else ""
    if meant and any(before in nouns.names.words[each] for each in nouns.called(meant)):
        return meant
    return ""


def _english_phrase(place: int, tokens: Sequence[_Token], nouns: DocumentNouns) -> tuple[list[str], bool] | None:
    """Returns the words between the determiner and the noun, and whether several are meant; ``None`` if the phrase
    means no certain document: "a plan", "to plan"."""
    modifiers: list[str] = []
    for token in tokens[max(0, place - FURTHEST) : place][::-1]:
        word = token.bare
        if word in _SEVERAL:
            return modifiers, True
        if token.word != word or word in _DEFINITE:
            return ([word, *modifiers] if token.word != word else modifiers), False
        if word in _INDEFINITE:
            return None
        if word in _ENDS or not word[0].isalnum():
            break
        modifiers.insert(0, word)
    named = [each for each in modifiers if _is_of_name(each, tokens[place].bare, nouns)]
    return (named, False) if named else None


def _is_of_name(word: str, noun: str, nouns: DocumentNouns) -> bool:
    if word in MONTHS or word.isdigit():
        return True
    keys = nouns.names.named_words(word)
    return any(key in nouns.names.words[each] for each in nouns.called(noun) or nouns.of_kind(noun) for key in keys)


def _hebrew_phrase(place: int, tokens: Sequence[_Token], nouns: DocumentNouns) -> tuple[list[str], bool] | None:
    """Returns the words after the noun that belong to it, and whether several are meant; ``None`` if the phrase means
    no certain document. Hebrew marks a definite noun by a prefix of it or of the word after it; prepositions hide
    it."""
    word = tokens[place].word
    after = []
    for token in tokens[place + 1 : place + 3]:
        if not token.word[0].isalnum() or token.word in _ENDS:
            break
        after.append(token.word)
    following = tokens[place + 1].word if place + 1 < len(tokens) else ""
    before = tokens[place - 1].word if place else ""
    several = is_hebrew(before) and any(form in _SEVERAL for form in variants(before))
    definite = set(_prefix(word, nouns)) & _HIDING or following == OF or (following[:1] == THE and len(following) > 2)
    if several or definite or (after and _is_of_name(after[0], word, nouns)):
        return after, several
    return None


def _prefix(word: str, nouns: DocumentNouns) -> str:
    """Returns the letters that are joined to the noun: the shortest run after which it is one."""
    return word[: len(word) - len(_without_prefix(word, nouns))]


def _without_prefix(word: str, nouns: DocumentNouns) -> str:
    known = (form for form in variants(word) if nouns.knows(form) or is_document_noun(form))
    return next((form for form in known if word.endswith(form)), word)


def _ends_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss") and stem(word) != word


def _is_of_several(tokens: Sequence[_Token]) -> bool:
    """Returns whether all or several things are asked for, so that a noun such as "minutes" is a plural too."""
    return any(each.word in _WHOLE for each in tokens)


def _is_plural(word: str, noun: str, nouns: DocumentNouns) -> bool:
    holders = nouns.called(noun) or nouns.of_kind(noun)
    if is_hebrew(word):
        singulars = [form for form in variants(word) if not word.endswith(form)]
        return bool(singulars) and not nouns.is_written(_without_prefix(word, nouns), holders)
    return _ends_plural(word) and not nouns.is_written(word, holders)


@cache
def _source(noun: str) -> re.Pattern[str]:
    return re.compile(_phrase("source").replace("NOUN", rf"(?<![^\W_])[{PREFIXES}]{{0,2}}{noun}(?![^\W_])"))
