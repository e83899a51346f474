"""Compares amounts stated in running text: takes a question and passages; returns the difference or sum of two amounts.

Two forms are recognised: an amount with its previous value ("6 percent (previously 4 percent)", "from $2 billion to $3
billion"), and amounts in the names of agreements and securities ("a $500,000,000 five year credit agreement"), one of
which may replace another.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from core.answering.prose.values import Value, values_in
from core.figures.numbers import MINUS, figure, natural, without_float_noise
from core.figures.records import Candidate, TextEvidence
from core.language.sentences import split_sentences
from core.language.vocabulary import Entry, Pattern, file_of
from core.question.analysed import AnalysedQuestion
from core.question.stems import own_stems, stems
from core.records.answer import Answer
from core.words import Words

SURENESS = 0.62
_LEAST_SHARED, _LEAST_WORDS = 0.5, 2
_LONGEST, _MOST_NAME = 900, 6
_TWO_NUMBERS = re.compile(r"\d\D+\d")
_SPACE = re.compile(r"\s+")


class _File(Entry):
    asks: dict[str, Pattern]
    instrument: str
    amount: str
    pairs: list[str]
    former: Pattern
    frame: str
    lines: dict[str, Words]
    says: dict[str, Words]
    doubt: Words


_file = file_of("answering/stated_amounts", _File)


@dataclass(frozen=True)
class _Amount:
    """An amount: ``value`` in ``sentence``, where ``name`` is what it belongs to; ``former``: it was replaced by
    another one."""

    value: Value
    name: str
    former: bool
    sentence: str
    passage: TextEvidence

    @property
    def size(self) -> float:
        return (self.value.number or 0.0) * self.value.scale


def is_sought(text: str) -> bool:
    """Returns whether the question may ask for the difference or sum of such amounts."""
    return any(asked.search(text) for asked in _file().asks.values())


def answer_from_amounts(question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> list[Candidate]:
    """Returns at most one candidate, always with a warning.

    Args:
        passages: all passages of the documents that the question is about, in reading order.
    """
    text = question.focus or question.text
    asked = own_stems(text, question.entities) - _frame()
    texts = [each for each in passages if not each.is_table]
    if not asked:
        return []
    if _file().asks["moved"].search(text):
        two = _pair(asked, texts) or _replaced(_amounts_in_names(text, question, texts))
        return [_change_candidate(question, *two)] if two else []
    if _file().asks["together"].search(text):
        several = _distinct(_amounts_in_names(text, question, texts))
        return [_sum_candidate(question, several)] if len(several) > 1 else []
    return []


def _pair(asked: frozenset[str], passages: Sequence[TextEvidence]) -> tuple[_Amount, _Amount] | None:
    """Returns (previous amount, new amount) of the pair whose words match the question best."""
    best: tuple[float, tuple[_Amount, _Amount]] | None = None
    for passage in passages:
        for sentence in _sentences(passage):
            if not _TWO_NUMBERS.search(sentence):
                continue
            for match in (found for pattern in _pairs() for found in pattern.finditer(sentence)):
                shared = asked & frozenset(stems(match["what"]))
                two = _both(match, sentence, passage)
                share = len(shared) / len(asked)
                if two and len(shared) >= _LEAST_WORDS and share >= _LEAST_SHARED and (best is None or share > best[0]):
                    best = (share, two)
    return best[1] if best else None


def _both(match: re.Match[str], sentence: str, passage: TextEvidence) -> tuple[_Amount, _Amount] | None:
    before, now = (next(iter(values_in(match[part])), None) for part in ("before", "now"))
    if before is None or now is None or before.number is None or now.number is None or before.unit != now.unit:
        return None
    name = _SPACE.sub(" ", match["what"]).strip(" ,")
    return _Amount(before, name, True, sentence, passage), _Amount(now, name, False, sentence, passage)


def _amounts_in_names(text: str, question: AnalysedQuestion, passages: Sequence[TextEvidence]) -> list[_Amount]:
    """Returns the amounts in names of agreements or securities, if the question contains all words of the name."""
    head = re.search(rf"((?:[\w-]+\s+){{1,{_MOST_NAME}}}?)({_file().instrument})\b", text, re.IGNORECASE)
    if head is None:
        return []
    of_names = {stem for name in question.entities for stem in stems(name)}
    wanted = frozenset(stems(head.group().rsplit(" its ", 1)[-1])) - _frame() - of_names
    pattern = re.compile(
        rf"(?P<amount>[$€£]\s?\d[\d,]*(?:\.\d+)?(?: (?:million|billion))?)\s+(?P<name>(?:[\w-]+\s+){{0,{_MOST_NAME}}}?"
        rf"(?:{_file().instrument}))\b",
        re.IGNORECASE,
    )
    return list(_occurring(pattern, wanted, passages)) if len(wanted) >= _LEAST_WORDS else []


def _occurring(pattern: re.Pattern[str], wanted: frozenset[str], passages: Sequence[TextEvidence]) -> Iterator[_Amount]:
    for passage in passages:
        for sentence in _sentences(passage):
            for match in pattern.finditer(sentence):
                value = next(iter(values_in(match["amount"])), None)
                if value and value.number and wanted <= frozenset(stems(match["name"])):
                    former = bool(_file().former.search(sentence[: match.start()]))
                    yield _Amount(value, _SPACE.sub(" ", match["name"]), former, sentence, passage)


def _replaced(found: Sequence[_Amount]) -> tuple[_Amount, _Amount] | None:
    """Returns (the former one, its replacement), both with the same name."""
    now = next((each for each in found if not each.former), None)
    before = next((each for each in found if each.former and now and _same(each, now)), None)
    return (before, now) if before and now and before.size != now.size else None


def _same(one: _Amount, other: _Amount) -> bool:
    return set(stems(one.name)) == set(stems(other.name))


def _distinct(found: Sequence[_Amount]) -> list[_Amount]:
    """Returns one amount for each name, without replaced ones."""
    kept_ones: list[_Amount] = []
    for each in found:
        if not each.former and not any(_same(each, other) for other in kept_ones):
            kept_ones.append(each)
    return kept_ones


def _change_candidate(question: AnalysedQuestion, before: _Amount, now: _Amount) -> Candidate:
    language = question.language
    size = without_float_noise(abs(now.size - before.size))
    is_share = now.value.unit == "%"
    points = _wording("point" if size == 1 else "points", question)
    shown = f"{natural(size)} {points}" if is_share else _money(size, now, question)
    sentence = _file().lines["moved"].to(language).format(
        name=now.name[:1].upper() + now.name[1:], entity=_entity(question, now), difference=shown,
        way=_wording("more" if now.size >= before.size else "less", question), cite=_cite([before, now]),
        before=_amount_text(before, question), now=_amount_text(now, question),
    )  # fmt: skip
    calculation = f"{_amount_text(now, question)} {MINUS} {_amount_text(before, question)} = {shown}"
    return _amount_candidate(
        question, " ".join(sentence.split()), size, "points" if is_share else None, calculation, [before, now]
    )


def _sum_candidate(question: AnalysedQuestion, several: Sequence[_Amount]) -> Candidate:
    size = without_float_noise(sum(each.size for each in several))
    added = " + ".join(_amount_text(each, question) for each in several)
    calculation = f"{added} = {_money(size, several[0], question)}"
    sentence = _file().lines["together"].to(question.language).format(
        entity=_entity(question, several[0]), names=", ".join(each.name for each in several), calculation=calculation,
        cite=_cite(several),
    )  # fmt: skip
    return _amount_candidate(question, " ".join(sentence.split()), size, None, calculation, several)


def _amount_candidate(
    question: AnalysedQuestion,
    sentence: str,
    size: float,
    unit: str | None,
    calculation: str,
    stands_on: Sequence[_Amount],
) -> Candidate:
    first = stands_on[-1]
    answer = Answer(
        kind="calculation", line=sentence, value=size, unit=unit, currency=None if unit else first.value.currency,
        entity=_entity(question, first), metric=first.name, calculation=calculation, doubt=_file().doubt,
        cells=[
            each.passage.reference(each.sentence, each.value.unit, each.value.scale, each.value.currency)
            for each in stands_on
        ],
    )  # fmt: skip
    return Candidate(answer, SURENESS, {"amounts": float(len(stands_on))})


def _amount_text(amount: _Amount, question: AnalysedQuestion) -> str:
    if amount.value.unit == "%":
        return f"{natural(amount.value.number or 0.0)} %"
    return _money(amount.size, amount, question)


def _money(size: float, like: _Amount, question: AnalysedQuestion) -> str:
    """Formats the amount in the largest scale that needs at most two decimals."""
    scale = next((each for each in (1e9, 1e6) if size >= each and round(size / each, 2) == size / each), 1.0)
    decimals = len(natural(size / scale).partition(".")[2])
    return figure(size / scale, None, scale, like.value.currency, decimals, question.language)


def _sentences(passage: TextEvidence) -> Iterator[str]:
    for each in split_sentences(passage.text):
        if any(map(str.isdigit, each.text)) and len(each.text) <= _LONGEST:
            yield _SPACE.sub(" ", each.text)


def _entity(question: AnalysedQuestion, amount: _Amount) -> str:
    return question.owner(amount.passage.origin.organisation)


def _cite(amounts: Sequence[_Amount]) -> str:
    return " ".join(dict.fromkeys(f"[{each.passage.origin.number}]" for each in amounts))


def _wording(name: str, question: AnalysedQuestion) -> str:
    return _file().says[name].to(question.language)


@cache
def _frame() -> frozenset[str]:
    return frozenset(stems(_file().frame))


@cache
def _pairs() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each.replace("{amount}", _file().amount), re.IGNORECASE) for each in _file().pairs)
