"""Compares the value of a calculated answer with the numbers of a text: does it state the same value or another?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from core.language.sentences import split_sentences
from core.records.answer import CITATION, Answer
from core.review.figure_support import Amount, amounts_in, own_terms, share_held
from core.review.lexicon import keys
from core.review.printed_figures import years_of

Agreement = Literal["same", "other", "open"]

NAMED = 0.5
"""Share of the terms of a row's label that a sentence must hold for its numbers without a unit to be of that row."""
REPEATED = 0.75
"""Share of a sentence's terms that the answer line must hold for the sentence to add nothing to it."""
_ROUNDED = 1 / 9
"""Maximum size of the last printed digit, as a share of the number: "3 billion" may be 2.96 billion."""
_EMPHASIS = re.compile(r"\*\*|__")
_PROSE = re.compile(r"\s*(?![#>|]|[-*+•]\s|\d+[.)]\s)")
_SLACK = 1e-9


@dataclass(frozen=True)
class ValueComparison:
    """``repeats`` is the number of characters at the beginning of the text that only repeat the answer line."""

    agreement: Agreement
    repeats: int = 0


def compare_value(answer: Answer, text: str, question: str = "") -> ValueComparison:
    """Compares ``answer`` with ``text``.

    The text states another value if its first sentence with numbers of the same unit has none of the answer's values,
    and no other sentence has them either. Numbers of the cells that the answer cites are no other value.

    Args:
        answer: An answer with a number, or several.
        text: What a model wrote, in Markdown.
        question: The question; words from it add nothing to the answer line.
    """
    values = _values(answer)
    sentences = [(each.start, each.end, _plain(each.text)) for each in split_sentences(text)]
    given = [(_comparable(answer, sentence), sentence) for _, _, sentence in sentences]
    numbers = [amount for amounts, _ in given for amount in amounts]
    if not values or not numbers:
        return ValueComparison("open")
    if all(any(_is(amount, value) for amount in numbers) for value in values):
        return ValueComparison("same", repeats=_repeated(answer, values, text, question))
    if any(_is(amount, value) for amount in numbers for value in values):
        return ValueComparison("open")
    known = [abs(cell.value * cell.scale) for cell in (*answer.cells, *answer.others) if cell.value is not None]
    for amounts, sentence in given:
        if not amounts:
            continue
        others = [amount for amount in amounts if not any(_is(amount, value) for value in known)]
        if not _is_named(answer, sentence):
            others = [amount for amount in others if amount.unit]
        return ValueComparison("other" if others else "open")
    return ValueComparison("open")


def _is_named(answer: Answer, sentence: str) -> bool:
    """Returns whether the sentence names the measure, or the row of a cell."""
    names = [name for name in (answer.metric, *(cell.label for cell in answer.cells)) if name]
    return any(share_held(own_terms(name), keys(sentence)) >= NAMED for name in names)


def is_comparable(answer: Answer) -> bool:
    """Returns whether the answer has a number that can be compared with a text."""
    return bool(_values(answer))


def _values(answer: Answer) -> list[float]:
    given = answer.value if isinstance(answer.value, list) else [answer.value]
    return [abs(value * answer.scale) for value in given if isinstance(value, float | int)]


def _comparable(answer: Answer, sentence: str) -> list[Amount]:
    """Returns the amounts of the sentence that may be of the answer's unit."""
    percent = answer.unit == "%"
    found = []
    for amount in amounts_in(sentence):
        if (amount.unit == "percent") != percent:
            continue
        if answer.currency and amount.unit and not percent and amount.unit != answer.currency:
            continue
        found.append(amount)
    return found


def _is(amount: Amount, value: float) -> bool:
    """Returns whether the amount is ``value``, or ``value`` rounded to the amount's last digit."""
    slack = amount.step / 2 if amount.step <= max(abs(amount.value) * _ROUNDED, 1.0) else 0.0
    return abs(abs(amount.value) - value) <= slack + _SLACK * max(1.0, value)


def _repeated(answer: Answer, values: Sequence[float], text: str, question: str) -> int:
    """Returns where the first sentence ends, if it states the answer's values and nothing that the line does not."""
    opening, end = opening_sentence(text)
    if not opening:
        return 0
    sentence = _plain(opening)
    amounts = _comparable(answer, sentence)
    known = [*values, *(abs(cell.value * cell.scale) for cell in answer.cells if cell.value is not None)]
    if not all(any(_is(amount, value) for amount in amounts) for value in values):
        return 0
    if any(not any(_is(amount, value) for value in known) for amount in amounts):
        return 0
    said = " . ".join([answer.line, question, *(f"{cell.label} {cell.header} {cell.period}" for cell in answer.cells)])
    if share_held(own_terms(sentence), keys(said)) < REPEATED or not years_of(sentence) <= years_of(said):
        return 0
    return end


def opening_sentence(text: str) -> tuple[str, int]:
    """Returns the first sentence of a text with its citations, and where the next one begins; nothing if the text
    begins with a heading, a list or a table."""
    first = next(iter(split_sentences(text)), None)
    if first is None or not _PROSE.match(text) or text[: first.start].strip():
        return "", 0
    end = first.end
    while match := re.match(rf"[ \t]*(?:{CITATION.pattern}|[.*_]+)", text[end:]):
        end += match.end()
    return text[first.start : end].strip(), end + len(text[end:]) - len(text[end:].lstrip())


def _plain(text: str) -> str:
    return " ".join(CITATION.sub(" ", _EMPHASIS.sub("", text)).split())
