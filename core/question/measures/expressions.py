"""Parses formulas written in a question: "X is defined as: cash from operations / total current liabilities".

Definitions in the question take precedence over the vocabulary, and may use each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from core.language.entities.periods import periods_in, without_periods
from core.language.fields import Figure, figure_names, figures
from core.language.normalisation import normalise
from core.language.phrases import words
from core.language.vocabulary import pattern_of, phrases
from core.question.measures.formulas import Formula, Term, formula_of, term_of

_phrase = phrases("answering/measures.expressions")

_SENTENCE = re.compile(r"(?<=[\w)\]%])[.;](?=\s|$)|\n|\?")
_DEFINED = pattern_of("answering/measures.expressions.defined")
_DEFINE = re.compile(
    r"\b(?:define|calculate|compute|measure|treat)\s+(?P<name>.{2,60}?)\s+as\s*:?\s*(?P<formula>.+)", re.IGNORECASE
)
_PLAINLY = pattern_of("answering/measures.expressions.plainly")
_ASIDE = re.compile(r"(?P<name>(?<![\w&%-])(?:[\w&%-]++\s++){1,6})\((?P<formula>[^?]{0,1000})\)", re.IGNORECASE)
_SOURCE = re.compile(r"\[[^\]]*\]|\((?:from|per|in|see|as|using)\b[^()]*\)", re.IGNORECASE)
_SPOKEN = (
    (re.compile(r"[–—−]"), "-"),
    (
        re.compile(rf"[×✕]|\b(?:times|multiplied by|{_phrase('times')})\b", re.IGNORECASE),
        "*",
    ),
    (re.compile(rf"÷|\b(?:divided by|{_phrase('divided_by')})\b", re.IGNORECASE), "/"),
    (re.compile(rf"\b(?:plus|{_phrase('plus')})\b", re.IGNORECASE), "+"),
    (re.compile(rf"\b(?:minus|less|{_phrase('minus')})\b", re.IGNORECASE), " - "),
    (re.compile(r"[\[{]"), "("),
    (re.compile(r"[\]}]"), ")"),
)
_OPERATOR = re.compile(r"(\*|/|\+|\(|\)|(?<=[\s)])-(?=[\s(\d]))")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_AVERAGE = pattern_of("answering/measures.expressions.average")
_CHANGE = pattern_of("answering/measures.expressions.change")
_FRAME = re.compile(
    r"\b(?:between|from|in|for|at|of|as of|and|to|the|year[- ]end|fiscal|year|years|end|its|their|total value of|"
    r"unadjusted|annual|company's)\b",
    re.IGNORECASE,
)
_LEAD = re.compile(r"^.*\b(?:where|with|if|that|the|and|assume|note that)\s+", re.IGNORECASE)

_FOR = re.compile(r"(?<!\s)\s++(?:for|of|at)\s++[A-Z0-9].*$")

Names = Mapping[str, Formula | Term]
"""Definitions that the question itself gives, by figure key or by the defined words."""


def definitions_in(text: str) -> dict[str, Formula | Term]:
    """Returns all definitions in ``text``; if one uses another, it contains that one's formula."""
    written = [(name, formula) for part in _SENTENCE.split(text) for name, formula in _tokens(part)]
    found: dict[str, Formula | Term] = {}
    for _ in range(len(written)):
        for name, formula in written:
            made = expression(formula, {other: each for other, each in found.items() if other != name})
            if isinstance(made, Formula) and (name not in found or found[name] != made):
                found[name] = made
    return found


def _tokens(part: str) -> list[tuple[str, str]]:
    for pattern in (_DEFINE, _DEFINED, _PLAINLY):
        match = pattern.search(part.strip())
        if match and (pattern is not _PLAINLY or _has_operator(match["formula"])):
            return [(_figure_name(match["name"]), match["formula"])]
    return [
        (_figure_name(match["name"]), match["formula"])
        for match in _ASIDE.finditer(part)
        if _has_operator(match["formula"])
    ]


def _has_operator(text: str) -> bool:
    return bool(_OPERATOR.search(_with_signs(text).replace("(", "").replace(")", "")))


def _figure_name(text: str) -> str:
    """Returns the figure that a text names, without words that introduce it ("the FY2015 operating cash flow ratio");
    if it names none, returns the text's words."""
    spoken = words(_FOR.sub("", _LEAD.sub("", _without_periods(text))))
    found = figure_names().find(" ".join(spoken))
    if found:
        key = found[-1].entries[0]
        after = [word.lower() for word in spoken[found[-1].end :]]
        if not after or (after == ["ratio"] and figures()[key].unit):
            return key
    return " ".join(spoken).lower()


def _with_signs(text: str) -> str:
    text = _SOURCE.sub(" ", normalise(text))
    for pattern, sign in _SPOKEN:
        text = pattern.sub(sign, text)
    return text


def _without_periods(text: str) -> str:
    return " ".join(without_periods(text).split())


def expression(text: str, names: Names) -> Formula | Term | None:
    """Parses "365 * (average inventory between FY2019 and FY2020) / (FY2020 COGS)" into a formula; a text with only one
    figure becomes a single term."""
    made: list[str] = []
    placed: list[Formula | Term] = []
    for token in _OPERATOR.split(_with_signs(text).strip(" .,:;")):
        plain = token.strip(" ,:;.?\"'")
        if not plain or plain in "*/+-()" or _NUMBER.fullmatch(plain):
            made.append(plain)
        else:
            term, function = _operand(plain, names)
            if term is None:
                return None
            placed.append(term)
            made.append(f"{function}({{{len(placed) - 1}}})" if function else f"{{{len(placed) - 1}}}")
    joined = " ".join(part for part in made if part)
    if len(placed) == 1 and joined == "{0}":
        return placed[0]
    formula = formula_of(joined, lambda number: placed[int(number)])
    return replace(formula, text=" ".join(text.split())) if formula else None


def _operand(text: str, names: Names) -> tuple[Formula | Term | None, str]:
    function = "average" if _AVERAGE.search(text) else "change" if _CHANGE.search(text) else ""
    text = _CHANGE.sub("", _AVERAGE.sub("", text))
    periods = tuple(dict.fromkeys(each.key for each in periods_in(text)))
    plain = " ".join(words(_without_periods(text)))
    own = names.get(_figure_name(plain))
    if own is not None and (not figure_names().find(plain) or _is_named_whole(plain)):
        return own, function
    term = named_figure(plain)
    return (replace(term, periods=periods) if term else None), function


def named_figure(text: str) -> Term | None:
    """Returns the figure that ``text`` as a whole names; if none, a figure whose printed label is these words."""
    if not text:
        return None
    if whole := _is_named_whole(text):
        return term_of(whole)
    line = " ".join(_FRAME.sub(" ", text).split())
    return Term("", Figure(names=[text], lines=[line])) if line else None


def _is_named_whole(text: str) -> str | None:
    spoken = words(text)
    whole = max(figure_names().find(text), key=lambda match: match.end - match.start, default=None)
    if whole is None:
        return None
    left = " ".join((*spoken[: whole.start], *spoken[whole.end :]))
    return None if _FRAME.sub(" ", left).strip() else whole.entries[0]
