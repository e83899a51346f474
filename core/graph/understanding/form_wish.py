"""Reads wishes about the form of answers: a number of sentences, bullet points, short or detailed answers,
and their language."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import content_terms
from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.personality.rules import Length, Rules, Structure
from core.words import Language

LONGEST = 14
"""Maximum number of words of a sentence that only wishes a form."""


class _Patterns(Entry):
    order: dict[str, Pattern]
    sentences: dict[str, Pattern]
    bullets: dict[str, Pattern]
    no_bullets: dict[str, Pattern]
    short: dict[str, Pattern]
    long: dict[str, Pattern]
    languages: dict[Language, dict[str, Pattern]]
    counts: dict[str, int]
    filler: WordSet


_patterns = file_of("graph/form_wishes", _Patterns)


@dataclass(frozen=True)
class FormWish:
    """The wished form: the number of sentences, the structure, the length and the language; ``None``: no wish."""

    sentences: int | None = None
    structure: Structure | None = None
    length: Length | None = None
    language: Language | None = None

    def __bool__(self) -> bool:
        return self != FormWish()

    def after(self, earlier: FormWish) -> FormWish:
        """Returns this wish, with what it leaves open taken from an ``earlier`` one."""
        return FormWish(
            self.sentences or earlier.sentences,
            self.structure or earlier.structure,
            self.length or earlier.length,
            self.language or earlier.language,
        )

    def applied_to(self, rules: Rules) -> Rules:
        """Returns a personality's rules with the wished structure and length."""
        wished = {"structure": self.structure, "length": self.length}
        return rules.model_copy(update={name: value for name, value in wished.items() if value})


def form_wish(text: str) -> FormWish:
    """Returns the form that a text wishes.

    >>> form_wish("Answer in two sentences, please.").sentences
    2
    """
    folded, patterns = fold(text), _patterns()
    structure: Structure | None = "bullets" if _holds(patterns.bullets, folded) else None
    if _holds(patterns.no_bullets, folded):
        structure = "mixed"
    length: Length | None = "concise" if _holds(patterns.short, folded) else None
    if _holds(patterns.long, folded):
        length = "detailed"
    languages = (each for each, ways in patterns.languages.items() if _holds(ways, folded))
    return FormWish(_sentences(folded), structure, length, next(languages, None))


def wished_form(texts: Iterable[str]) -> FormWish:
    """Returns the form that several texts wish; a later wish replaces an earlier one."""
    wish = FormWish()
    for text in texts:
        wish = form_wish(text).after(wish)
    return wish


def wishes_in(message: str) -> list[str]:
    """Returns the sentences of a message that order a form of the answer.

    >>> wishes_in("What is the rent? Answer in two sentences.")
    ['Answer in two sentences.']
    """
    return [each.text for each in split_sentences(message) if _is_order(each.text)]


def language_wished(texts: Iterable[str]) -> Language | None:
    """Returns the language that the last order among the texts wishes for the answers.

    >>> language_wished(["Answer in Hebrew from now on.", "My name is Dana."])
    'he'
    """
    return wished_form(order for text in texts for order in wishes_in(text)).language


def is_only_wish(message: str) -> bool:
    """Returns whether a message only orders a form of the answers."""
    found = wishes_in(message)
    return bool(found) and len("".join(found).split()) == len("".join(message.split("\n")).split())


def _is_order(sentence: str) -> bool:
    folded = fold(sentence).strip()
    if "?" in folded or len(folded.split()) > LONGEST:
        return False
    return _holds(_patterns().order, folded) and bool(form_wish(sentence)) and not _other_words(folded)


def _other_words(folded: str) -> list[str]:
    """Returns the words that are neither of the order nor of the form."""
    given = _patterns()
    forms = (given.sentences, given.no_bullets, given.bullets, given.short, given.long)
    for patterns in (*forms, *given.languages.values(), given.order):
        for pattern in patterns.values():
            folded = pattern.sub(" ", folded, count=1)
    return [word for word in content_terms(folded) if word not in given.filler]


def _holds(patterns: dict[str, Pattern], folded: str) -> bool:
    return any(each.search(folded) for each in patterns.values())


def _sentences(folded: str) -> int | None:
    for pattern in _patterns().sentences.values():
        if match := pattern.search(folded):
            count = next(each for each in match.groups() if each)
            digits = "".join(filter(str.isdigit, count))
            return int(digits) if digits else _patterns().counts.get(count)
    return None
