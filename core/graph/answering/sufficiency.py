"""Decides by rule whether sources contain what a question names: its figures, its periods and its names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.events import Source
from core.language.entities.periods import periods_in
from core.language.fields import Figure, sought_figures
from core.language.normalisation import fold
from core.question.rare_terms import rare_terms
from core.search.scoring.row_labels import Labels, labels_of, plain

_YEAR = re.compile(r"\d{4}")


def contains_figures(question: str, sources: Sequence[Source]) -> bool:
    """Returns whether one document's passages have a row for each figure that ``question`` names, and its periods and
    names; false if it names no figure with a row of its own."""
    figures = [each for each in sought_figures(question).figures.values() if each.lines]
    return bool(figures) and any(_contains(question, figures, source) for source in sources)


def _contains(question: str, figures: Sequence[Figure], source: Source) -> bool:
    labels: Labels = frozenset().union(*(labels_of(each.text) for each in source.passages))
    if not all(any(plain(line) in labels for line in figure.labels) for figure in figures):
        return False
    text = fold(" ".join([source.title, source.filename, *(each.text for each in source.passages)]))
    years = {year for period in periods_in(question) for year in _YEAR.findall(period.key)}
    return all(year in text for year in years) and all(fold(name) in text for name in rare_terms(question))
