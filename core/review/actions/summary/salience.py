"""Scores how much a sentence says about its document: takes statements; returns scores, and the best ones.

A sentence scores for facts, changes, the words of the title, the name of the organisation, and a place where authors
sum up. It loses for possibilities without a figure, amounts too small to matter, contact details, and a missing verb.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

import numpy as np

from core.knowledge.extraction.lexicon import terms as known_terms
from core.language import stance
from core.language.entities.numerals import CURRENCIES
from core.language.entities.quantities import quantities
from core.language.hebrew import is_hebrew
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.total_labels import is_called_total
from core.language.vocabulary import words_of
from core.question.stems import stem_of
from core.review.actions.records import Statement
from core.review.actions.summary.centrality import Floats, tf_idf
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.sections import ENOUGH_FACTS, facts_in
from core.review.actions.summary.sentence_selection import MOST_RANKED, age_of, unwieldiness
from core.review.actions.summary.sentences import is_run_together, opens_paragraph
from core.review.actions.summary.shapes import is_gist
from core.review.direction import states_change

FACTS, CHANGE, TITLE, NAMED, GIST, EARLY, OPENS, USUAL, CENTRAL = 0.5, 0.35, 0.35, 0.2, 0.35, 0.4, 0.1, 0.3, 0.3
HEDGED, SMALL, CONTACT, VERBLESS, FRAGMENT, ROW, OLD = 0.8, 0.4, 0.8, 0.8, 0.25, 1.0, 0.4
SIMILAR, SAME_PART = 1.2, 0.25
"""Penalties for similarity to a chosen sentence, and for each chosen one of the same part of the document."""
MATERIAL = 0.005
"""An amount below this share of the document's largest amounts is too small to matter."""
_LARGEST = 10
_EARLY = 12
_ENOUGH_TITLE = 3
_NAMES = 0.4
"""What all names of a sentence together count as facts."""
_LARGE = 0.05
"""The score of a table row for each digit of its largest number."""
_CONTACT = re.compile(r"\w@[\w-]{1,60}\.\w|https?:|www\.|(?<![\d$.,])\(?\d{3}\)?[-–. ]\d{3}[-–.]\d{4}(?!\d)")
_CELLS = re.compile(r"\s[|·]\s")
_PAST = re.compile(r"(?<!, )\b[a-z]{2,}ed\b")
"""A past form; after a comma it is a participle: "a bulletin, dated June 24"."""
_WORD = re.compile(r"[a-z']+")


class Salience:
    """The scores of a document's statements; ``own`` are those that the scores compare; ``usual`` are the orders of
    those that the layout of the document's kind has."""

    def __init__(self, matter: SummaryDocument, own: Sequence[Statement], usual: Collection[int] = ()) -> None:
        self._matter, self._usual = matter, usual
        about = matter.about.metadata if matter.about else None
        names = [each.name for each in about.organisations] if about else []
        self._names = [fold(name) for name in names]
        general = words_of("graph/requests.documents")
        self._title = _stems(matter.source.title) - _stems(" ".join([*names, *general]))
        amounts = sorted((amount for each in own for amount in _amounts(each.text)), reverse=True)[:_LARGEST]
        self._material = MATERIAL * amounts[len(amounts) // 2] if amounts else 0.0

    def of(self, each: Statement) -> float:
        """Returns the score of a statement by itself."""
        text = each.text
        facts = min(1.0, facts_in(text, _NAMES) / ENOUGH_FACTS)
        titled = min(1.0, len(self._title & _stems(text)) / max(1, min(_ENOUGH_TITLE, len(self._title))))
        worth = FACTS * facts + CHANGE * (facts > 0 and states_change(text)) + TITLE * titled
        worth += NAMED * any(name in fold(text) for name in self._names)
        worth += GIST * any(map(is_gist, self._matter.path(each))) + EARLY / (1 + each.order / _EARLY)
        worth += OPENS * opens_paragraph(each) + USUAL * (each.order in self._usual)
        return worth - self._penalty(each)

    def _penalty(self, each: Statement) -> float:
        text = each.text
        amounts = _amounts(text)
        possible = not quantities(text) and (stance.has(text, "may") or stance.has(text, "hedges"))
        return (
            HEDGED * possible
            + SMALL * bool(amounts and max(amounts) < self._material)
            + CONTACT * bool(_CONTACT.search(text))
            + VERBLESS * (not has_verb(text))
            + FRAGMENT * each.quote.fragment
            + _row_penalty(each)
            + OLD * age_of(text, self._matter.year)
            + unwieldiness(text)
        )


def most_salient(
    scores: Salience, own: Sequence[Statement], count: int, part_of: Callable[[Statement], object], known: Sequence[str]
) -> Iterator[Statement]:
    """Returns at most ``count`` statements, best first, without repetitions of each other or of the ``known`` lines;
    those of different parts are preferred."""
    ranked = sorted(((scores.of(each), each) for each in own), key=lambda each: -each[0])[:MOST_RANKED]
    if not ranked:
        return
    rows = tf_idf([*(each.text for _, each in ranked), *known])
    middle = rows[: len(ranked)].mean(axis=0)
    central: Floats = rows[: len(ranked)] @ middle
    worth = np.array([score for score, _ in ranked]) + CENTRAL * central / max(float(central.max()), 1e-9)
    near = (rows[: len(ranked)] @ rows[len(ranked) :].T).max(axis=1) if known else np.zeros(len(ranked))
    taken: list[object] = []
    for _ in range(min(count, len(ranked))):
        repeated = np.array([taken.count(part_of(each)) for _, each in ranked])
        best = int(np.argmax(worth - SIMILAR * near - SAME_PART * repeated))
        yield ranked[best][1]
        taken.append(part_of(ranked[best][1]))
        near = np.maximum(near, rows[: len(ranked)] @ rows[best])
        worth[best] = -np.inf


def _row_penalty(each: Statement) -> float:
    """Returns the penalty for a table row; totals and large numbers reduce it."""
    if not is_row(each):
        return 0.0
    label = _CELLS.split(each.text)[0]
    largest = max((number.high for number in quantities(each.text)), default=0.0)
    return ROW * (not is_called_total(label)) - _LARGE * math.log10(1 + max(0.0, largest))


def is_row(each: Statement) -> bool:
    """Returns whether a statement is a table row or several cells or list items on one line."""
    return each.quote.columns is not None or is_run_together(each.text) or len(_CELLS.split(each.text)) > 2


def has_verb(text: str) -> bool:
    """Returns whether an English text has a finite verb; a Hebrew sentence needs none."""
    if any(map(is_hebrew, text.split())):
        return True
    lowered = text.lower()
    return _PAST.search(lowered) is not None or not _verbs().isdisjoint(_WORD.findall(lowered))


@cache
def _verbs() -> frozenset[str]:
    forms = {form for form in known_terms().inflected if not form.endswith("ing")}
    return frozenset({*forms, *words_of("graph/actions.salience.further_verbs")})


def _amounts(text: str) -> list[float]:
    return [each.high for each in quantities(text) if each.unit in CURRENCIES]


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem_of(term) or term for term in content_terms(text))
