"""Finds financial metrics: *sentence or table rows* → spans, under one key for English and Hebrew."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from core.knowledge.extraction.lexicon import terms
from core.knowledge.extraction.patterns import Span
from core.language.fields import Figure, figure_names, figures
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold, normalise
from core.language.phrases import WORD
from core.language.vocabulary import phrase_of

_STATES_AMOUNT = re.compile(phrase_of("knowledge/extraction.metrics.states_amount"))
_QUALIFIED = re.compile(r" (?:[<>]|\.\.\.) ")
_IN_NAME = re.compile(r"[A-Z][\w'&-]{0,100} $")
_OF_OTHER = re.compile(
    r"(?:tax(?:es)?|yields?|plans?|polic(?:y|ies)|programs?|committee|statements?|agreements?)\b", re.IGNORECASE
)
_CELL = re.compile(r"\d")
_LEAST_ALONE = 7


def metrics_in(text: str) -> Iterator[Span]:
    """Metrics in a sentence; a name that is one common word ("sales", "debt") counts only if the sentence states an
    amount."""
    plain = normalise(text).replace("-", " ")
    if len(plain) != len(text):
        return
    places = [match.span() for match in WORD.finditer(plain)]
    stated = bool(_STATES_AMOUNT.search(text))
    for match in figure_names().find(text):
        start, end = places[match.start][0], places[match.end - 1][1]
        measured = text[start:end]
        alone = match.end - match.start == 1
        if alone and fold(measured) in terms().doubtful_metrics:
            continue
        if alone and not (stated and (len(measured) >= _LEAST_ALONE or measured.isupper())):
            continue
        if text[:start].strip() and (
            _is_caption(measured) or (measured[0].isupper() and _IN_NAME.search(text[:start]))
        ):
            continue
        if not _says_measure(match.entries[0], measured) or _continues_longer_name(text[places[match.end - 1][0] :]):
            continue
        yield Span(start, end, "metric", measured, metric_key(match.entries[0]))


def _says_measure(entry: str, text: str) -> bool:
    """Whether a ratio is really named: "capital-intensive" and "liquidity profile" contain its word
    but name no ratio."""
    return bool(figures()[entry].lines) or text.isupper() or fold(text).endswith(entry.split()[-1].lower())


def _is_caption(text: str) -> bool:
    """Whether the words name a job title or a note to the accounts ("Vice President of Sales and Marketing")."""
    words = [word for word in text.split() if len(word) > 3]
    return len(words) > 1 and all(word[0].isupper() for word in words) and not text.isupper()


def _continues_longer_name(text: str) -> bool:
    """Whether the last word begins a longer name: "net income tax expense" is an expense."""
    if _OF_OTHER.match(text.partition(" ")[2]):
        return True
    following = figure_names().find(" ".join(text.split()[:6]))
    return bool(following) and following[0].start == 0 and following[0].end > 1


def metrics_of_rows(text: str) -> Iterator[Span]:
    """Metrics in a table's rows: rows whose label is a line of a financial statement, followed by figures."""
    for line in text.splitlines():
        label, _, cells = line.partition(" | ")
        entry = _figures_by_label().get(fold(label).strip(" :.,"))
        if entry and _CELL.search(cells):
            yield Span(0, 0, "metric", normalise(label).strip(" :.,"), metric_key(entry))


def metric_key(entry: str) -> str:
    return f"metric {entry}"


def metric_of(key: str) -> str | None:
    """The metric's name in the vocabulary, if the concept's key belongs to a metric."""
    name = key.removeprefix("metric ")
    return name if name != key and name in figures() else None


def metric_labels(name: str) -> dict[str, str]:
    """The metric's display names: in English the vocabulary's own name, in Hebrew the vocabulary's first one."""
    figure: Figure = figures()[name]
    hebrew = next((each for each in figure.names if is_hebrew(each)), None)
    return {"en": name[0].upper() + name[1:], **({"he": hebrew} if hebrew else {})}


@cache
def _figures_by_label() -> dict[str, str]:
    """Labels that identify a row's metric without other words."""
    rows = [
        (fold(line), key)
        for key, figure in figures().items()
        for line in figure.lines
        if len(line) > 3 and not _QUALIFIED.search(line)
    ]
    return dict(reversed(rows))
