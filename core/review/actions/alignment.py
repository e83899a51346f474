"""Matches the points of two documents: takes their similarity; returns matched pairs and points without a match.

The most similar pair that is the same or different is matched first, and its words are not used again. A point is
unmatched if no point of the other document is similar, or if all similar ones are about something else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.language import stance
from core.language.detection import detect
from core.language.entities.facts import facts
from core.language.normalisation import fold
from core.review.actions.comparable_statements import ComparableStatement
from core.review.actions.statement_similarity import SimilarityMatrix, StatementSimilarity, Vectors
from core.review.actions.themes import bare_title
from core.review.equivalence import Aspect, Likeness, Relation, equivalence_of
from core.review.lexicon import keys, terms

_MOST_ALONE = 40
_FEW = 12
"""Maximum number of terms in a sentence that could apply to many subjects: "Sales grew 4 per cent"."""
_WHOLE, _CLAUSES = 0.1, 0.07
"""Score bonuses for a pair of two whole sentences and for a pair of two clauses."""
_BEARS = 0.5
_FAR, _FAR_WORDS, _FAR_MEANING = 0.3, 0.3, 0.45
"""Minimum similarity values: two points below all of them are not compared."""


@dataclass(frozen=True)
class Pairing:
    """Two points about the same subject; ``score`` is their similarity."""

    one: ComparableStatement
    other: ComparableStatement
    relation: Relation
    aspect: Aspect | None
    score: float

    @property
    def points(self) -> tuple[ComparableStatement, ComparableStatement]:
        return self.one, self.other


@dataclass
class Alignment:
    """The alignment of two documents; ``open`` pairs are about the same subject, but it is uncertain whether they agree
    or differ. Pairs are sorted by similarity, ``alone`` (unmatched points) by importance."""

    same: list[Pairing] = field(default_factory=list)
    differs: list[Pairing] = field(default_factory=list)
    open: list[Pairing] = field(default_factory=list)
    alone: list[ComparableStatement] = field(default_factory=list)


def align(nearness: SimilarityMatrix, vectors: Vectors | None) -> Alignment:
    """Aligns the points of two documents; ``vectors`` are embeddings of the points worth comparing, if available."""
    result = Alignment()
    ones, others = nearness.ones, nearness.others
    judged = []
    for each in nearness.pairs_by_meaning(vectors):
        one, other, near = ones[each.one], others[each.other], each.near
        if _comes_near(near) and (nearness.whole or _in_one_place(one, other)):
            found = equivalence_of(one.text, other.text, Likeness(near.score, near.ours, near.theirs))
            judged.append(Pairing(one, other, found.relation, found.aspect, near.score))
    judged.sort(key=lambda each: -(each.score + _evenness(each)))
    taken = _sort_pairings(result, judged)
    if nearness.whole:
        result.alone = _unmatched_statements(ones, others, judged, taken)
    return result


def _sort_pairings(result: Alignment, judged: Sequence[Pairing]) -> list[ComparableStatement]:
    """Adds each pairing to the list for its result, certain ones first; returns the points that were used."""
    taken: list[ComparableStatement] = []
    beside: set[tuple[int, int]] = set()
    into = {"differs": result.differs, "same": result.same, "open": result.open}
    for pairing in sorted(judged, key=lambda each: each.relation == "open"):
        sentences = (pairing.one.statement.order, pairing.other.statement.order)
        used = any(point.overlaps(each) for each in taken for point in (pairing.one, pairing.other))
        again = sentences in beside and pairing.relation != "differs"
        if pairing.relation == "apart" or used or again or (pairing.relation == "open" and pairing.score < _BEARS):
            continue
        taken += [pairing.one, pairing.other]
        beside.add(sentences)
        into[pairing.relation].append(pairing)
    return taken


def _evenness(pairing: Pairing) -> float:
    if pairing.one.whole and pairing.other.whole:
        return _WHOLE
    return 0.0 if pairing.one.whole or pairing.other.whole else _CLAUSES


def _unmatched_statements(
    ones: Sequence[ComparableStatement],
    others: Sequence[ComparableStatement],
    judged: Sequence[Pairing],
    taken: Sequence[ComparableStatement],
) -> list[ComparableStatement]:
    """Returns whole sentences without a similar one, most important first; none if the documents' languages differ."""
    if detect(" ".join(p.text for p in ones)) != detect(" ".join(p.text for p in others)):
        return []
    near = {_sentence(point) for point in taken}
    near |= {_sentence(p) for each in judged if each.relation != "apart" for p in (each.one, each.other)}
    found = [each for each in (*ones, *others) if each.whole and _sentence(each) not in near]
    return sorted(found, key=lambda each: -_information_weight(each.text))[:_MOST_ALONE]


def _in_one_place(one: ComparableStatement, other: ComparableStatement) -> bool:
    """Returns whether two sentences of long documents may be about the same thing; for short sentences, the headings
    above them must share a word."""
    if min(len(terms(one.text)), len(terms(other.text))) > _FEW or not (one.section and other.section):
        return True
    return bool(keys(bare_title(one.section)) & keys(bare_title(other.section)))


def _sentence(point: ComparableStatement) -> tuple[int, int]:
    return point.number, point.statement.order


def _comes_near(how: StatementSimilarity) -> bool:
    return how.score >= _FAR or how.words >= _FAR_WORDS or how.meaning >= _FAR_MEANING


def _information_weight(text: str) -> float:
    """Scores how much information a sentence holds: figures, dates and duties, in few words."""
    known = facts(text)
    plain = fold(text)
    duty = bool(stance.marks(plain, "must")) + bool(stance.marks(plain, "may"))
    held = len(known.numbers) + len(known.days) + duty
    return min(3, held) - max(0, len(text) - 200) / 200
