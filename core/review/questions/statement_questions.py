"""Makes questions from what a document states: takes a label with its value or a sentence; returns a question.

The words of the document are kept: a question in Hebrew about an English document has its labels in English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from core.answering.prose.document_units import is_unfinished
from core.language.detection import detect
from core.language.hebrew import MAQAF
from core.language.normalisation import fold
from core.language.vocabulary import Entry, Pattern, WordSet, file_of
from core.review.actions.question_templates import is_clause, is_plural
from core.words import Language, Words

Form = Literal["label", "cell", "number", "term", "heading", "subject", "deadline", "duration", "manner"]
LONGEST_LABEL = 40
LONGEST_VALUE = 160
"""Maximum characters of a label, and of its value, that is asked about."""
LEAST_LETTERS, LONGEST_ABBREVIATION = 2, 4
_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_PLAIN = re.compile(r"^[^\W_](?:[\w '’&/(),#-]|\.(?! ))*$")
"""Matches words without signs, and without a period at which a question would be divided."""
_INNER = re.compile(r"(?<=[a-z,] )[A-Z][\w'’-]{1,30}")
_ONE_LETTER = re.compile(r"(?<![\w'’])[a-zA-Z](?![\w'’.])")
_LISTED = re.compile(r"\d{1,2}\. [^\W\d]")
_BEGINNING = re.compile(r"^[$€£₪“\"+-]?[^\W_a-z]")


class _Patterns(Entry):
    en: Pattern
    he: Pattern

    def of(self, language: Language) -> re.Pattern[str]:
        return self.he if language == "he" else self.en


class _Sentence(_Patterns):
    form: Form


class _Data(Entry):
    forms: dict[Form, Words]
    where: Words
    sentences: list[_Sentence]
    terms: _Patterns
    clauses: _Patterns
    referring: Pattern
    instructions: Pattern
    unspoken: Pattern
    nothing: WordSet
    interrogatives: dict[str, str]
    title_ends: Pattern


_data = file_of("graph/statements", _Data)


@dataclass(frozen=True)
class Phrasing:
    """How questions about one document are worded: in ``language``, with the document's ``name``. ``text`` is the
    document's prose, whose lower-case words show which capitals belong to names; ``titled``: its labels have capitals
    in all words, so that these belong to no name."""

    language: Language
    name: str
    text: str = ""
    titled: bool = False

    def label(self, label: str) -> str:
        """Returns the question for the value with ``label``."""
        return self._put("label", label=self._cited(self._inside(label)), be="are" if is_plural(label) else "is")

    def cell(self, column: str, row: str, *, is_number: bool = False) -> str:
        """Returns the question for the cell of a ``row`` and a ``column``."""
        if is_number:
            return self._put("number", column=self._cited(column), row=self._cited(row))
        be = "are" if is_plural(column) else "is"
        return self._put("cell", column=self._cited(self._inside(column)), row=self._cited(row), be=be)

    def heading(self, heading: str) -> str:
        """Returns the question for what is under a ``heading``."""
        return self._put("heading", topic=self._cited(self._inside(heading)))

    def sentence(self, text: str) -> tuple[str, str] | None:
        """Returns a question that a sentence answers, and what it asks about; ``None`` if there is none."""
        text = " ".join(text.split())
        language = detect(text)
        if term := _data().terms.of(language).match(text):
            return self._put("term", term=self._quoted(term["term"])), term["term"]
        for each in _data().sentences if language == self.language else ():
            if found := each.of(language).match(text):
                return self._about(each.form, found)
        return None

    @cached_property
    def _where(self) -> str:
        name = self.name if self.language == "en" or detect(self.name) == "he" else f"{MAQAF}{self.name}"
        return _data().where.to(self.language).format(name=name)

    @cached_property
    def _common(self) -> frozenset[str]:
        return frozenset(word for word in _WORD.findall(self.text) if word.islower())

    @cached_property
    def _names(self) -> frozenset[str]:
        """Words with a capital in the middle of a sentence."""
        return frozenset(_INNER.findall(self.text))

    def _about(self, form: Form, found: re.Match[str]) -> tuple[str, str] | None:
        subject, act = found["subject"].strip(), found.groupdict().get("act") or ""
        if _data().clauses.of(self.language).search(subject) or _data().referring.search(act):
            return None
        be = _data().interrogatives.get(found["be"], found["be"].lower())
        return self._put(form, subject=self._begun(subject), act=act, be=be), subject

    def _begun(self, subject: str) -> str:
        """Returns the subject of a sentence without the capital of its first word, unless that is a name."""
        first, _, rest = subject.partition(" ")
        lowered = first.lower()
        plural = lowered.rstrip("'’").endswith("s") and first[1:].islower() and first not in self._names
        return f"{lowered} {rest}".strip() if lowered in self._common or first == "The" or plural else subject

    def _inside(self, label: str) -> str:
        """Returns a label as it is written inside a sentence. Names keep their capitals: a word has one if the others
        have none. A label in another language, which is quoted, stays as it is."""
        if detect(label) != self.language:
            return label
        if label.isupper() and len(label) > LONGEST_ABBREVIATION:
            return label.lower()
        words = _WORD.findall(label)
        capitals = [word for word in words if word[0].isupper() and word[1:].islower()]
        if not capitals or any(not word.islower() for word in words if word not in capitals):
            return label
        if self.titled or len(capitals) == 1 or all(word.lower() in self._common for word in capitals):
            return label if capitals[0] != words[0] and not self.titled else label.lower()
        return label

    def _cited(self, words: str) -> str:
        """Returns words in quotation marks if they are not in the question's language."""
        return self._quoted(words) if detect(words) != self.language else words

    def _quoted(self, words: str) -> str:
        return f"„{words}”" if self.language == "he" else f"“{words}”"

    def _put(self, form: Form, **given: str) -> str:
        wording = _data().forms[form].to(self.language)
        return " ".join(wording.format(where=self._where, name=self.name, **given).split())


def is_label(text: str) -> bool:
    """Returns whether a label can be the noun of a question: whole words that begin like a label and make no clause.
    Pieces of a page that was read badly are not."""
    words = _WORD.findall(text)
    if not words or len(text) > LONGEST_LABEL or not _PLAIN.match(text) or _ONE_LETTER.search(text):
        return False
    if is_unfinished(text) or (text.isupper() and len(text) <= LONGEST_ABBREVIATION):
        return False
    inner = any(word[1:] != word[1:].lower() and not word.isupper() for word in words)
    clause = _data().clauses.of(detect(text)).search(text) or _data().instructions.search(text)
    return not text[0].islower() and not inner and not clause and not is_clause(text)


def is_topic(text: str) -> bool:
    """Returns whether a heading can be what a document says something about."""
    return is_label(text) and not _data().unspoken.search(text)


def is_row(text: str) -> bool:
    """Returns whether a row's label names a thing, so that it can follow "for"."""
    whole = bool(_PLAIN.match(text)) and text[:1].isupper() and not _ONE_LETTER.search(text)
    return whole and sum(map(str.isalpha, text)) >= LEAST_LETTERS and len(text) <= LONGEST_LABEL


def states_value(text: str) -> bool:
    """Returns whether a value states something and is whole: no piece of a sentence."""
    folded = fold(text).strip(" .")
    if not LEAST_LETTERS <= len(folded) <= LONGEST_VALUE or folded in _data().nothing or not folded.strip("0-.,%"):
        return False
    whole = _BEGINNING.match(text) is not None and not _LISTED.match(text)
    return whole and not text.rstrip().endswith((",", "-", "–", ":", "("))
