"""Finds the data sets that answer a question, best first, with reasons; rephrases it if none answers well."""

from __future__ import annotations

import numpy as np
from pydantic import BaseModel

from core.tools.datagov.decomposition import AskedData, decompose
from core.tools.datagov.index import CatalogueIndex, IndexedDataset, IndexedResource
from core.tools.datagov.meanings import Deviations
from core.tools.datagov.records import Dataset, Resource
from core.tools.datagov.rephrasing import rephrasings
from core.tools.datagov.scoring import FLOOR, MEANING, OUTSTANDING, Breakdown, Confidence, Scorer, confidence_of

ENOUGH = 0.3
"""Minimum good score; below it the question is rephrased and categories are suggested."""


class Candidate(BaseModel):
    """A resource that may answer; ``resource`` is ``None`` if the data set has no file."""

    dataset: Dataset
    resource: Resource | None
    breakdown: Breakdown

    @property
    def score(self) -> float:
        return self.breakdown.total

    @property
    def confidence(self) -> Confidence:
        return confidence_of(self.score)


class Found(BaseModel):
    """The candidates; ``vague``: the question names too little to be sure of any of them."""

    candidates: list[Candidate]
    vague: bool = False


def find(
    index: CatalogueIndex,
    asked: AskedData,
    limit: int = 5,
    *,
    grouped: bool = True,
    deviations: Deviations | None = None,
) -> Found:
    """The best data sets, each with its best resource; data sets that share only a place with the question are left
    out, unless their meaning is much closer to the question than that of all others (``deviations``)."""
    best = Found(candidates=_ranked(index, asked, limit, grouped=grouped, deviations=deviations))
    if _top(best) < ENOUGH:
        for _, question in rephrasings(asked) if grouped else ():
            other = decompose(question)
            other = AskedData(**{**vars(asked), "subject": other.subject})
            tried = Found(candidates=_ranked(index, other, limit, grouped=grouped, deviations=deviations))
            if _top(tried) > _top(best):
                best = tried
                break
    best.vague = _top(best) < ENOUGH
    return best


def _top(found: Found) -> float:
    return found.candidates[0].score if found.candidates else 0.0


def _ranked(
    index: CatalogueIndex, asked: AskedData, limit: int, *, grouped: bool, deviations: Deviations | None
) -> list[Candidate]:
    scorer = Scorer(index, asked, grouped=grouped)
    outstanding = set(np.flatnonzero(deviations >= OUTSTANDING).tolist()) if deviations is not None else set()
    found = []
    for place in sorted({*scorer.candidates, *outstanding}):
        dataset = index.datasets[place]
        if not scorer.is_elsewhere(dataset):
            one, breakdown = _best_resource(scorer, dataset)
            if deviations is not None:
                breakdown.meaning = MEANING * float(deviations[place])
            if breakdown.subject >= FLOOR or place in outstanding:
                found.append((breakdown, dataset, one))
    found.sort(key=lambda each: (-each[0].precedence, each[1].dataset.id))
    return [
        Candidate(
            dataset=dataset.dataset,
            resource=one.resource if one else None,
            breakdown=breakdown,
        )
        for breakdown, dataset, one in found[:limit]
    ]


def _best_resource(scorer: Scorer, dataset: IndexedDataset) -> tuple[IndexedResource | None, Breakdown]:
    """The resource with the best score; among equal ones, the one whose rows can be queried, then the newest."""
    if not dataset.resources:
        return None, scorer.score(dataset, None)
    scored = [(one, scorer.score(dataset, one)) for one in dataset.resources]
    return max(scored, key=lambda each: (round(each[1].total, 6), each[0].resource.stored, each[0].resource.changed))
