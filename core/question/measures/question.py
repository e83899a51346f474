"""Parses a question about financial statements into measures, periods, an operation and an output format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Literal

from core.language.entities.periods import MOST_YEARS, NamedPeriod, periods_in, without_periods
from core.language.fields import figures, statements
from core.language.normalisation import normalise
from core.language.phrases import PhraseMatch, PhraseMatcher, words
from core.language.terms import is_stop_word
from core.language.vocabulary import numbers_of, pattern_of, phrases, words_of
from core.question.focus import focus_of
from core.question.measures.bracketed import with_bracketed_names
from core.question.measures.expressions import Names, definitions_in
from core.question.measures.formulas import Formula, Term, formula_of, term_of
from core.question.measures.vocabulary import asks, rewritten, vocabulary

_phrase = phrases("answering/measures.question")
_OF = _phrase("of")
_BETWEEN = words_of("answering/measures.question.between")

Operation = Literal[
    "value", "change", "percent change", "average", "sum", "compound", "trend", "steady", "sign", "sound", "profile",
    "most",
]  # fmt: skip
_STATEMENT = ""
_ACTIVITIES = {
    "operating cash flow": "operating activities", "investing cash flow": "investing activities",
    "financing cash flow": "financing activities",
}  # fmt: skip
_SENTENCES = re.compile(r"(?<=[\w)\]%])(?<!\bas)(?<!\bis)[.;:?](?:\s+|$)|\n")
_DEFINES = pattern_of("answering/measures.question.defines")
_CALCULATE = re.compile(r"^(?:define|calculate|compute)\b", re.IGNORECASE)
_SLASH = re.compile(r"(?<=[a-z&])\s*/\s*(?=[a-z])", re.IGNORECASE)
_PERCENT = pattern_of("answering/measures.question.percent")
_SCALE = pattern_of("answering/measures.question.scale")
_SCALES = numbers_of("answering/measures.question.scales")
_DECIMALS = re.compile(r"\b(no|zero|one|two|three|four|\d) decimal|nearest (whole|integer)", re.IGNORECASE)
_NUMBERS = {"no": 0, "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5}
_FILLERS = frozenset(words_of("answering/measures.question.fillers"))
_SHARE_OF = frozenset(words_of("answering/measures.question.share"))
_WRITTEN = (
    (re.compile(r"(?<=[a-z)])\s+\+\s+(?=[a-z(])", re.IGNORECASE), " plus "),
    (re.compile(r"(?<=[a-z)])\s+[-–−]\s+(?=[a-z(])", re.IGNORECASE), " minus "),
)
_OWN = (
    "up", "down", "steady", "positive", "negative", "healthy", "why", "percent change", "average", "sum", "compound",
)  # fmt: skip
_WITHIN = frozenset({"in", "to", "over", "out of", "within", "relative to", "against"})
_CHOICE = frozenset(words_of("answering/measures.question.choice"))
_SEVERAL = frozenset(words_of("answering/measures.question.several")) | _CHOICE | {""}
"""Matches the words between figures that are all requested. In "which is larger, this or that", both figures are
requested."""
_RATIO = frozenset(words_of("answering/measures.question.ratio"))


@dataclass(frozen=True)
class Measure:
    """A requested measure; ``what`` is what to calculate (a term or formula); ``key`` is its vocabulary key, or empty;
    ``name`` is what the question calls it."""

    what: Term | Formula
    key: str
    name: str
    unit: str | None
    falling: bool = False
    defined: bool = False

    @property
    def is_money(self) -> bool:
        return self.unit in (None, "per share")


@dataclass(frozen=True)
class MeasureQuestion:
    """A parsed question; ``periods`` are keys in time order ("2031-06-30+6": six months to that day); ``named``: the
    question names them itself.

    ``judges``: the question asks for yes or no, or for one of two directions (``either``); ``way`` is the direction
    that it asks about: 1 is up, -1 is down. ``beside``: another figure that it names, with an unclear role; ``rest``:
    other significant words.
    """

    measures: tuple[Measure, ...]
    operation: Operation
    periods: tuple[str, ...]
    named: bool = True
    judges: bool = False
    either: bool = False
    way: int = 0
    better: bool = False
    scale: float | None = None
    percent: bool = False
    decimals: int | None = None
    years: int | None = None
    tolerance: float | None = None
    closing: bool = False
    why: bool = False
    rest: tuple[str, ...] = ()
    beside: str = ""


def measure_question(
    question: str, entities: Sequence[str] = (), periods: Sequence[str] = (), names: Sequence[str] = ()
) -> MeasureQuestion | None:
    """Returns ``None`` if the question names no figure of the vocabulary, or asks for something else.

    Args:
        entities: the organisations that the question is about.
        periods: keys of the periods that it is about if it names none itself.
        names: other names of these organisations.
    """
    names = tuple(dict.fromkeys((*entities, *names)))
    text = normalise(question)
    definitions = definitions_in(text)
    main = rewritten(_main(text))
    spoken, found = _named_figures(main, names)
    coined = _coined(spoken, definitions)
    if not (found or coined) and len(definitions) == 1 and not _rest(spoken, found, names):
        coined = _defined_before(*next(iter(definitions.items())))
    if not (found or coined or asks("activities", main)):
        return None
    wish_percent = bool(_PERCENT.search(main if definitions else text))
    measures = (coined,) if coined else _measures(main, spoken, found, definitions, wish_percent)
    operation = _operation(main, measures)
    if not measures:
        return None
    if asks("who", main) and operation != "most" and len(entities) < 2 and not _is_choice(spoken, found):
        return None
    named = periods_in(main)
    periods = _ordered_period_keys(named) or tuple(periods)
    return MeasureQuestion(
        measures, operation, periods,
        named=bool(periods),
        judges=bool(asks("yes or no", main)),
        either=bool(asks("up", main) and asks("down", main)),
        way=_asked_direction(main),
        better=bool(asks("better", main) or asks("worse", main)),
        scale=_named_scale(text), percent=wish_percent, decimals=_decimals(text), years=_years(main),
        tolerance=_tolerance(main), closing=bool(asks("closing", main)), why=bool(asks("why", main)),
        rest=_rest(spoken, found, names), beside=_other_figure(spoken, found, measures),
    )  # fmt: skip


def _main(text: str) -> str:
    """Returns the question without definitions and format instructions."""
    asked = focus_of(text).asked
    parts = [part.strip() for part in _SENTENCES.split(asked) if part and part.strip()]
    sentences = (part.strip() for part in _SENTENCES.split(text) if part and _CALCULATE.match(part.strip()))
    if plain := next((part for part in sentences if not asks("using", part)), None):
        return _CALCULATE.sub(" ", plain)
    kept = [part for part in parts if not _CALCULATE.match(part) and not _DEFINES.search(part)] or parts[:1]
    kept = [part for part in kept if not re.match(r"if\b.*\b(?:state|explain)\b", part, re.IGNORECASE)] or kept
    plain = ". ".join(kept)
    lead = asks("lead", plain)
    if lead and not periods_in(lead[0]):
        plain = plain[lead.end() :]
    for sign, word in _WRITTEN:
        plain = sign.sub(word, plain)
    return _SLASH.sub(" divided by ", with_bracketed_names(plain, _figure_matcher()))


@cache
def _figure_matcher() -> PhraseMatcher[str]:
    own = [(name, key) for key, figure in figures().items() for name in figure.names]
    other = [(name, _STATEMENT) for statement in statements().values() for name in statement.names]
    return PhraseMatcher([*own, *other])


def _named_figures(main: str, entities: Sequence[str]) -> tuple[list[str], list[PhraseMatch[str]]]:
    """Returns the words of the question, and the figures that they name."""
    plain = without_periods(main)
    for name in sorted(entities, key=len, reverse=True):
        own = re.escape(name)
        named = rf"(?<!\w)(?:{own}(?:['’]s|['’])|(?:(?:of|for|by|at|in|{_OF})\s+)?{own}(?!['’]))(?!\w)"
        plain = re.sub(named, " ", plain, flags=re.IGNORECASE)
    spoken = words(plain)
    return spoken, [match for match in _figure_matcher().find(plain) if match.entries[0] != _STATEMENT]


def _measures(
    main: str, spoken: list[str], found: list[PhraseMatch[str]], own: Names, percent: bool
) -> tuple[Measure, ...]:
    if asks("activities", main) and (asks("most", main) or asks("least", main)):
        return tuple(Measure(Term(key, figures()[key]), key, name, None) for key, name in _ACTIVITIES.items())
    if found[0].entries[0] in vocabulary().profiles and asks("yes or no", main):
        return tuple(Measure(Term(key, figures()[key]), key, key, figures()[key].unit) for key in _profile(found[0]))
    joined = _formula_of_two(spoken, found, own)
    if joined is not None:
        unit = "%" if percent and joined[1] == "/" else "x" if joined[1] == "/" else None
        first, last = found[0], found[1]
        name = joined[0].text if joined[1] != "/" else " ".join(spoken[first.start : last.end])
        if unit == "%":
            name = joined[0].text.replace(" / ", " as a % of ")
        return (Measure(joined[0], "", name, unit, defined=True),)
    if _is_part_of_another(spoken, found):
        return ()
    named = [_measure_of(match, spoken, own, percent) for match in found]
    unique = {each.key or each.name: each for each in named}
    several = all(_words_between(spoken, one, two) in _SEVERAL for one, two in pairwise(found))
    return tuple(unique.values()) if several else (named[0],)


def _is_choice(spoken: list[str], found: list[PhraseMatch[str]]) -> bool:
    """Returns whether one of two figures is requested: "which is larger, this or that"."""
    return any(_words_between(spoken, one, two) in _CHOICE for one, two in pairwise(found))


def _coined(spoken: list[str], own: Names) -> Measure | None:
    """Returns a measure that the question itself defines and that the vocabulary does not contain."""
    phrase = f" {' '.join(spoken).lower()} "
    name = next((name for name in own if name not in figures() and f" {name} " in phrase), None)
    return Measure(own[name], "", name, None, defined=True) if name else None


def _defined_before(name: str, what: Formula | Term) -> Measure:
    """Returns the measure that "it" means: "DPO is defined as A / B. What was it in 2030?"."""
    unit = figures()[name].unit if name in figures() else None
    return Measure(what, name if name in figures() else "", name, unit, defined=True)


def _profile(match: PhraseMatch[str]) -> list[str]:
    return vocabulary().profiles[match.entries[0]]


def _is_part_of_another(spoken: list[str], found: list[PhraseMatch[str]]) -> bool:
    """Returns whether the question relates the figure to something that is not in the vocabulary: "wages as a percent
    of sales"."""
    before, after = " ".join(spoken[: found[0].start]), " ".join(spoken[found[0].end :])
    return bool(asks("before", before) or asks("after", after))


def _other_figure(spoken: list[str], found: list[PhraseMatch[str]], measures: Sequence[Measure]) -> str:
    """Returns another figure that the question names, if it belongs to none of the requested measures."""
    if len(found) < 2 or len(measures) > 1 or measures[0].defined or asks("closing", " ".join(spoken)):
        return ""
    other = next((match for match in found if match.entries[0] != measures[0].key), None)
    return " ".join(spoken[other.start : other.end]) if other else ""


def _measure_of(match: PhraseMatch[str], spoken: list[str], own: Names, percent: bool) -> Measure:
    key = match.entries[0]
    figure = figures()[key]
    name = " ".join(spoken[match.start : match.end])
    is_margin = spoken[match.end : match.end + 1] in (["margin"], ["margins"]) and figure.unit is None
    if is_margin and (over := formula_of("{0} / {1}", lambda number: (own.get(key) or term_of(key)) if number == "0"
                                         else term_of("revenue"))):  # fmt: skip
        return Measure(over, "", f"{name} margin", "%")
    if key in own:
        unit = figure.unit if figure.unit != "%" or percent else "x"
        return Measure(own[key], key, name, unit, figure.falling, True)
    return Measure(Term(key, figure), key, name, figure.unit, figure.falling)


def _words_between(spoken: list[str], one: PhraseMatch[str], two: PhraseMatch[str]) -> str:
    return " ".join(word for word in spoken[one.end : two.start] if word.lower() not in _FILLERS).lower()


def _formula_of_two(spoken: list[str], found: list[PhraseMatch[str]], own: Names) -> tuple[Formula, str] | None:
    """Returns the formula of two figures joined by an operation: "EBITDA less capex", "SG&A as a percent of net
    sales"."""
    if len(found) < 2:
        return None
    one, two = found[0], found[1]
    before = {word.lower() for word in spoken[: one.start]}
    between = " ".join(spoken[one.end : two.start]).lower()
    sign = next(
        (sign for sign, pattern in vocabulary().joins.items() if pattern.match(_without_fillers(between))), None
    )
    order = "{0}", "{1}"
    if sign is None and before & _RATIO and _without_fillers(between) in _BETWEEN:
        sign = "/"
    lead = [word.lower() for word in spoken[max(0, one.start - 4) : one.start]]
    if sign is None and "of" in lead and set(lead) & _SHARE_OF:
        sign, order = "/", ("{0}", "{1}") if _without_fillers(between) in _WITHIN else ("{1}", "{0}")
    if sign is None:
        return None
    terms = [own.get(match.entries[0]) or term_of(match.entries[0]) for match in (one, two)]
    formula = formula_of(f"{order[0]} {sign} {order[1]}", lambda number: terms[int(number)])
    if formula is None:
        return None
    names = [" ".join(spoken[match.start : match.end]) for match in (one, two)]
    word = {"-": "less", "+": "plus"}.get(sign, sign)
    shown = f"{names[int(order[0][1])]} {word} {names[int(order[1][1])]}"
    return replace(formula, text=shown), sign


def _without_fillers(words: str) -> str:
    return " ".join(word for word in words.split() if word not in ("its", "the", "s", "for", "company"))


def _operation(main: str, measures: Sequence[Measure]) -> Operation:
    if {each.key for each in measures} == set(_ACTIVITIES):
        return "most"
    first = measures[0].key if measures else ""
    if asks("yes or no", main) and (judged := _yes_no_operation(main, first)):
        return judged
    if asks("why", main) and not asks("steady", main):
        return "trend"
    found = next((operation for operation, pattern in _SAID if asks(pattern, main)), None)
    return found or ("sum" if asks("sum", main) and len(periods_in(main)) > 1 else "value")


_SAID: list[tuple[Operation, str]] = [
    ("steady", "steady"), ("compound", "compound"), ("average", "average"), ("percent change", "percent change"),
    ("change", "change"),
]  # fmt: skip


def _yes_no_operation(main: str, key: str) -> Operation | None:
    """Returns the operation of a yes/no question, or ``None`` if its criterion cannot be decided by such an
    operation."""
    if key in vocabulary().profiles:
        return "profile"
    if asks("steady", main):
        return "steady"
    if asks("up", main) or asks("down", main) or asks("changed", main):
        return "trend"
    if asks("positive", main) or asks("negative", main):
        return "sign"
    return "sound" if asks("healthy", main) and key in vocabulary().sound else None


def _asked_direction(main: str) -> int:
    up, down = asks("up", main), asks("down", main)
    if up and down:
        return 1 if up.start() < down.start() else -1
    return 1 if up else -1 if down else 0


def _ordered_period_keys(named: Sequence[NamedPeriod]) -> tuple[str, ...]:
    """Returns the periods in time order without duplicates; a fiscal year's end date counts as that year."""
    keys = dict.fromkeys(map(_period_key, named))
    return tuple(sorted(keys, key=lambda key: (key[:4], len(key) == 4, key)))


def _period_key(period: NamedPeriod) -> str:
    if period.months == 12:
        return str(period.year)
    return f"{period.key}+{period.months}" if period.months and period.day else period.key


def years_from(first: str, last: str) -> list[str]:
    """Returns all years from one to another; quarters and days stay unchanged."""
    if not (first.isdigit() and last.isdigit()) or int(last) - int(first) > MOST_YEARS:
        return [first, last]
    return [str(year) for year in range(int(first), int(last) + 1)]


def _years(main: str) -> int | None:
    match = asks("years", main)
    return _number(match[1]) if match else None


def _named_scale(text: str) -> float | None:
    match = _SCALE.search(text)
    return _SCALES[match[1].lower()] if match else None


def _decimals(text: str) -> int | None:
    match = _DECIMALS.search(text)
    return None if match is None else 0 if match[2] else _number(match[1])


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _tolerance(main: str) -> float | None:
    match = asks("tolerance", main)
    return float(match[1]) / 100 if match else None


def _rest(spoken: list[str], found: list[PhraseMatch[str]], entities: Sequence[str]) -> tuple[str, ...]:
    """Returns question words that belong neither to a figure nor to an organisation and are not usual question
    words."""
    taken = {place for match in found for place in range(match.start, match.end)}
    names = {word.lower() for name in entities for word in words(name)}
    left = (word.lower() for place, word in enumerate(spoken) if place not in taken)
    return tuple(
        word
        for word in left
        if not word.isdigit()
        and word not in names
        and word not in vocabulary().frame
        and not is_stop_word(word)
        and not any(asks(s, word) for s in _OWN)
    )
