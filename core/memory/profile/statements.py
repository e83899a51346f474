"""Finds what users explicitly state about themselves: facts, goals, preferences.

It uses rules and prefers precision: a missed fact can be stated again, but a wrong one may make users switch the memory
off. So a clause counts only if it begins like such a statement. Jokes, assumptions, quotations, and texts pasted for
processing do not count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator

from core.language.detection import detect
from core.language.hebrew import FROM_FINAL, NO_LETTER_AFTER
from core.language.normalisation import normalise, strip_nikud
from core.language.sentences import split_sentences
from core.language.vocabulary import Entry, Pattern, file_of, pattern_of, phrases
from core.memory.bank.write_guard import normalised_entry, tag_of
from core.memory.items.records import BANK_TAGS, BankTag
from core.store.items import Kind
from core.words import Language

_phrase = phrases("memory/profile.statements")

Confidence = Literal["high", "medium"]
Category = Literal[
    "name",
    "identity",
    "values",
    "goals",
    "learning_goals",
    "projects",
    "skills",
    "preferences",
    "communication_style",
    "challenges",
    "work_context",
    "tools",
    "other",
]

CONFIDENCE: dict[Confidence, float] = {"high": 0.9, "medium": 0.7}
TOLD = 1.0
"""Confidence of a statement that the user asked to remember."""
MOST = 3
"""Maximum number of suggestions from one message."""
LONGEST_CLAUSE = 240
_CLAUSE_LIMIT = 2 * LONGEST_CLAUSE
LONGEST_MESSAGE = 1_500
"""Minimum number of characters, and of lines, for a message to count as a pasted text."""
MOST_LINES = 6

_HIDDEN = "§"
_CODE = re.compile(r"```.*?(?:```|$)|`[^`\n]+`", re.DOTALL)
_CODE_LINE = re.compile(
    r"^\s*(?:def|class|import|from \w+ import|return|const|let|var|function|public|#include)\b|[;{}]\s*$"
)
_QUOTED = re.compile(r"(?<!\w)\"([^\"\n]+)\"(?!\w)|(?<!\w)'([^'\n]+)'(?!\w)")
_OPEN_QUOTE = re.compile(r"(?<!\w)\"")
_NAME = r"(?-i:[A-Z][\w'.+#-]*)"
_COLON = re.compile(r":(?:\s+|$)")
_HEBREW_NAME = re.compile(_phrase("hebrew_name"))
_OWN_HEAD = pattern_of("memory/profile.statements.own_head")
_STATING = r"i|i'm|i've|we|we're|my|our"
_ASKING = (
    r"please|can|could|would|what|how|where|when|which|who|why|do|does|is|are|should|tell|show|give|find|need|want|"
    r"wonder|wondering|so|but|right|correct|ok|okay|isn't|aren't|don't|am i|looking|have a question"
)
_ORDERS = "explain|summari[sz]e|compare|list|check|make|use|write|translate|help|let|describe|answer"
_ORDERS_HE = _phrase("orders")
_CLAUSES = re.compile(
    rf"(?:(?<!\s)\s++)?+;\s*|(?<!\s)\s++-\s+|,?(?<!\s)\s++(?:and|but|so|because|while|since)\s+(?=(?:{_STATING}|{_ASKING})(?!\w))|"
    rf"(?<!forward)(?<!future)(?<!now),\s+(?=(?:{_STATING}|{_ASKING}|{_ORDERS})(?!\w))|"
    rf",?(?<!\s)\s++{_phrase('and_own')}|"
    rf",\s*(?=(?:{_phrase('starts')}|"
    rf"{_ORDERS_HE}){NO_LETTER_AFTER})|"
    rf",?(?<!\s)\s++(?:{_phrase('then')})\s+",
    re.I,
)


class PersonalStatement(BaseModel, frozen=True):
    """A statement in the user's words and language; ``importance`` and ``confidence`` are 0..1.

    ``explicit``: the user asked to remember it.
    """

    text: str
    category: Category
    tags: list[BankTag]
    kind: Kind = "fact"
    importance: float
    confidence: float
    explicit: bool = False


_Patterns = Annotated[
    re.Pattern[str],
    BeforeValidator(lambda patterns: re.compile("|".join(f"(?:{each})" for each in patterns), re.IGNORECASE)),
]
_OfMedialLetters = Annotated[
    _Patterns, BeforeValidator(lambda patterns: [each.translate(FROM_FINAL) for each in patterns])
]


class _Category(Entry):
    importance: float
    tag: BankTag
    kind: Kind = "fact"


class _Rule(Entry):
    category: Category
    confidence: Confidence
    pattern: str
    unless: str = "(?!)"

    def applies_to(self, clause: str) -> bool:
        return bool(_filled_in(self.pattern).match(clause)) and not _filled_in(self.unless).search(clause)


class _Rules(Entry):
    categories: dict[Category, _Category]
    jokes: _Patterns
    scenes: _Patterns
    orders: _Patterns
    doubts: _OfMedialLetters
    softeners: _Patterns
    heads: Pattern
    endings: Pattern
    remember: _Patterns
    roles: dict[Language, str]
    pointing: dict[Language, str]
    statements: list[_Rule]


_rules = file_of("memory/profile_statements", _Rules)


@cache
def _filled_in(pattern: str) -> re.Pattern[str]:
    """A pattern from the file with its placeholders filled in."""
    roles, pointing = _rules().roles, _rules().pointing
    for name, value in (
        ("HEROLE", f"(?:{roles['he']})"),
        ("ROLE", f"(?:{roles['en']})"),
        ("HETHING", rf"(?!{pointing['he']}{NO_LETTER_AFTER})\S+"),
        ("THING", rf"(?!{pointing['en']}(?![\w']))\S+"),
        ("NAME", _NAME),
    ):
        pattern = pattern.replace(name, value)
    return re.compile(pattern.translate(FROM_FINAL), re.IGNORECASE)


def personal_statements(message: str, language: Language | None = None) -> list[PersonalStatement]:
    """What ``message`` states about its author, the most important first; usually nothing."""
    found: dict[str, PersonalStatement] = {}
    for sentence in _own_sentences(message):
        for each in _stated(sentence, language or detect(message)):
            found.setdefault(normalised_entry(each.text), each)
    return sorted(found.values(), key=lambda each: -each.importance)[:MOST]


def only_states(message: str) -> bool:
    """Whether ``message`` only states facts about its author, without a question or request."""
    clauses = [clause for sentence in _own_sentences(message) for clause in _statement_clauses(sentence)]
    stated = [bool(_rule_of(clause)) for clause in clauses]
    # Hebrew has no capital letters that would mark a name in "I am Dana", so a word counts as a name only next to
    # another statement.
    named = [bool(_HEBREW_NAME.fullmatch(clause.translate(FROM_FINAL))) for clause in clauses]
    both = all(rule or name for rule, name in zip(stated, named, strict=True))
    return "?" not in message and any(stated) and both


def ordered_statement(text: str) -> PersonalStatement:
    """A statement that the user asked to remember, with the category that its words suggest."""
    kept = " ".join(text.split())
    clauses = _statement_clauses(normalise(strip_nikud(kept)))
    category: Category = next((rule.category for clause in clauses if (rule := _rule_of(clause))), "other")
    return _noticed(_tidied(kept, detect(kept)), category, TOLD, explicit=True)


def clauses_in(line: str) -> list[str]:
    """The clauses of a text, where a new statement or question begins.

    >>> clauses_in("My name is Dana and I work in Haifa. What is the limit?")
    ['My name is Dana', 'I work in Haifa.', 'What is the limit?']
    """
    sentences = (each.text for each in split_sentences(line))
    return [part.strip(" ,") for each in sentences for part in _CLAUSES.split(each) if part and part.strip(" ,")]


def own_statements(message: str) -> str:
    """The sentences of ``message`` that are the user's own and seriously meant; empty if there are none."""
    return "\n".join(_own_sentences(message))


def of_category(text: str, category: Category, confidence: Confidence) -> PersonalStatement:
    """A statement that was found elsewhere."""
    return _noticed(_tidied(" ".join(text.split()), detect(text)), category, CONFIDENCE[confidence])


def _noticed(text: str, category: Category, confidence: float, *, explicit: bool = False) -> PersonalStatement:
    marks = _rules().categories[category]
    tag = tag_of(text) if category == "other" else marks.tag
    return PersonalStatement(
        text=text,
        category=category,
        tags=[each for each in BANK_TAGS if each == tag],
        kind=marks.kind,
        importance=marks.importance,
        confidence=confidence,
        explicit=explicit,
    )


# -- sentences that are meant seriously ----------------------------------------------------


def _own_sentences(message: str) -> list[str]:
    """The sentences that are not code, quotations, jokes, fiction or a pasted text."""
    rules = _rules()
    lines = [line for line in _CODE.sub(f" {_HIDDEN} ", message).splitlines() if line.strip()]
    own = [line for line in lines if not line.lstrip().startswith((">", "|", "#")) and not _CODE_LINE.search(line)]
    spoken = "\n".join(normalise(strip_nikud(line)) for line in own)
    if rules.jokes.search(spoken):
        return []
    text = _without_quotes(spoken)
    if order := rules.orders.search(text):
        text = _until_sentence(text, order.start())
    if scene := rules.scenes.search(text):
        text = _until_sentence(text, scene.start())
    if len(message) > LONGEST_MESSAGE or len(lines) > MOST_LINES:
        text = text[:_CLAUSE_LIMIT] if rules.remember.match(text) else ""
    return list(_own_words(text))


def _without_quotes(text: str) -> str:
    """The text without quotations, and with names freed from quotation marks; an unclosed mark quotes the rest."""

    def hide(match: re.Match[str]) -> str:
        inside = match[1] or match[2]
        return inside if len(inside.split()) <= 2 else f" {_HIDDEN} "

    text = _QUOTED.sub(hide, text)
    left_open = _OPEN_QUOTE.search(text)
    return _until_sentence(text, left_open.start()) if left_open else text


def _until_sentence(text: str, position: int) -> str:
    """The part of ``text`` before the sentence that begins at ``position``."""
    start = 0
    for sentence in split_sentences(text):
        if sentence.start <= position:
            start = max(start, sentence.start)
    line = text.rfind("\n", 0, position) + 1
    return text[: max(start, line)]


def _own_words(text: str) -> Iterator[str]:
    """The user's own sentences; text after a colon is skipped as pasted, unless the words before it introduce the
    user."""
    rules = _rules()
    for line in text.split("\n"):
        for sentence in split_sentences(line):
            colon = _COLON.search(sentence.text)
            if colon is None or rules.remember.match(sentence.text):
                yield sentence.text
                continue
            head, rest = sentence.text[: colon.start()], sentence.text[colon.end() :]
            if rules.heads.fullmatch(head) and rest:
                yield rest
            elif _OWN_HEAD.fullmatch(head) and rest:
                yield sentence.text
            else:
                yield head
                return


# -- statements ----------------------------------------------------------------------------


def _stated(sentence: str, language: Language) -> Iterator[PersonalStatement]:
    order = _rules().remember.match(sentence)
    if order and not sentence.rstrip().endswith("?"):
        kept = next(part for part in order.groups() if part)
        if len(kept) <= _CLAUSE_LIMIT and _HIDDEN not in kept:
            yield ordered_statement(kept)
        return
    for clause in _statement_clauses(sentence):
        if rule := _rule_of(clause):
            yield _noticed(_tidied(clause, language), rule.category, CONFIDENCE[rule.confidence])


def _statement_clauses(sentence: str) -> list[str]:
    """Clauses without softening words such as "I think"; from a question, only the clauses before the one that asks."""
    found = [part.strip(" ,") for part in _CLAUSES.split(sentence) if part and part.strip(" ,")]
    if sentence.rstrip("\"') ").endswith("?"):
        found = [] if len(found) > 1 and len(found[-1].split()) <= 2 else found[:-1]
    return [_unsoftened(clause) for clause in found]


def _unsoftened(clause: str) -> str:
    while match := _rules().softeners.match(clause):
        clause = clause[match.end() :]
    return clause


def _rule_of(clause: str) -> _Rule | None:
    rules, clause = _rules(), clause.translate(FROM_FINAL)
    if not clause or len(clause) > LONGEST_CLAUSE or _HIDDEN in clause or rules.doubts.search(clause):
        return None
    return next((rule for rule in rules.statements if rule.applies_to(clause)), None)


def _tidied(clause: str, language: Language) -> str:
    text = _rules().endings.sub("", clause.strip(" .!,;-")).strip(" .!,;-")
    if language == "en":
        text = re.sub(r"\bi(?=\b|')", "I", text) if text[:2].lower() in ("i ", "i'") else text
        text = text[:1].upper() + text[1:]
    return f"{text}."
