"""Chooses the passages that a model needs to judge a sentence: its nearest sentence, and the rows of its figures."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from core.events import Passage, Source
from core.review.claims import Claim
from core.review.figure_support import Amount, amounts_in, share_held
from core.review.lexicon import keys, terms
from core.review.overlap import Evidence, best_evidence
from core.review.printed_figures import PrintedFigure, labels_of, years_of
from core.review.translated_terms import shared_terms

_MOST_ROWS = 6
"""Rows of one sentence whose passages are sent."""
_SLACK = 1e-9


@dataclass(frozen=True)
class NearPassage:
    """A passage for the prompt: ``heading`` is its document and section, ``lines`` what of it matters most."""

    item_id: str
    heading: str
    text: str
    lines: tuple[str, ...] = ()


def nearest_passages(
    claim: Claim,
    evidence: Evidence | None,
    cited: Sequence[Source],
    figures: Sequence[PrintedFigure],
    own: Collection[str] = (),
) -> tuple[NearPassage, ...]:
    """Returns the passages that a model reads to judge ``claim``, those that matter most first.

    Args:
        claim: The sentence.
        evidence: The sentence of a passage that is nearest to it.
        cited: The sources that it cites.
        figures: The figures of these sources.
        own: The ids of the passages that it cites itself; the best of each source is always included.
    """
    owners = {passage.item_id: (source, passage) for source in cited for passage in source.passages}
    lines: dict[str, list[str]] = {}
    for figure in _rows(claim, figures):
        lines.setdefault(figure.item_id, []).append(figure.line)
    if evidence is not None:
        lines.setdefault(evidence.passage.item_id, []).append(evidence.text)
    for source in cited:
        meant = [passage for passage in source.passages if passage.item_id in own] or source.passages
        if meant and not any(passage.item_id in lines for passage in meant):
            lines[_nearest(claim, source, meant).item_id] = []
    return tuple(
        NearPassage(item_id, _heading(*owners[item_id]), owners[item_id][1].text, tuple(dict.fromkeys(held)))
        for item_id, held in lines.items()
        if item_id in owners
    )


def _rows(claim: Claim, figures: Sequence[PrintedFigure]) -> list[PrintedFigure]:
    """Returns the row or sentence that best fits each number of the claim, and the best one of each source."""
    amounts = amounts_in(claim.text)
    if not amounts:
        return []
    said, years = f"{claim.context} . {claim.text}", years_of(claim.text)
    held = keys(said) | shared_terms(said, labels_of(figures)).theirs
    fit = {id(figure): _fit(figure, held, years) for figure in figures}
    ranked = sorted(figures, key=lambda figure: -fit[id(figure)])
    chosen: list[PrintedFigure] = []
    for amount in amounts:
        chosen += [figure for figure in ranked if _prints(figure, amount)][:1]
    for number in dict.fromkeys(figure.number for figure in ranked):
        chosen += [figure for figure in ranked if figure.number == number and figure.is_cell][:1]
    return list({figure.line: figure for figure in chosen}.values())[:_MOST_ROWS]


def _fit(figure: PrintedFigure, held: frozenset[str], years: frozenset[int]) -> float:
    """How well a figure's row and column fit the claim: the share of its label's terms, and a year of its column."""
    label = terms(figure.row) if figure.is_cell else terms(figure.line)
    of_year = bool(years & years_of(figure.column or figure.line))
    return (share_held(label, held) if label else 0.0) + of_year / 2 + share_held(terms(figure.label), held) / 4


def _prints(figure: PrintedFigure, amount: Amount) -> bool:
    return any(
        abs(figure.value * scale - amount.value) <= max(amount.step / 2, _SLACK) for scale in {*figure.scales, 1.0}
    )


def _nearest(claim: Claim, source: Source, passages: Sequence[Passage]) -> Passage:
    found = best_evidence(claim.text, passages, [source.title])
    return found.passage if found else max(passages, key=lambda passage: passage.score)


def _heading(source: Source, passage: Passage) -> str:
    page = f"p. {passage.page}" if passage.page else ""
    return " · ".join(part for part in (source.title, page, passage.section or "") if part)
