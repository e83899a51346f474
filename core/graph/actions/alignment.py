"""Which points of two documents belong beside each other: *how near they are* → pairs, and what stands alone.

The nearest pair that says the same or differs is taken first, and its words are not used again. A point stands alone
where nothing of the other document comes near it, or where all that does is of another thing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from core.graph.actions.comparable_statements import ComparableStatement
from core.graph.actions.statement_similarity import SimilarityMatrix, StatementSimilarity, Vectors
from core.graph.actions.themes import bare_title
from core.grounding.equivalence import Aspect, Likeness, Relation, equivalence_of
from core.grounding.lexicon import keys, terms
from core.language import stance
from core.language.detection import detect
from core.language.entities.facts import facts
from core.language.normalisation import fold

_MOST_ALONE = 40
_FEW = 12
"""Terms of a sentence that may say the same of many things: "Sales grew 4 per cent"."""
_WHOLE, _CLAUSES = 0.1, 0.07
"""A sentence had better stand beside a sentence, and a clause beside a clause."""
_BEARS = 0.5
_FAR, _FAR_WORDS, _FAR_MEANING = 0.3, 0.3, 0.45
"""Below them nothing of the other document comes near."""


@dataclass(frozen=True)
class Pairing:
    """Two points that belong beside each other; ``score`` how near they are."""

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
    """Of two documents; ``open`` bear on the same thing, and how they stand to each other is not decided. The nearest,
    and of ``alone`` the weightiest, come first."""

    same: list[Pairing] = field(default_factory=list)
    differs: list[Pairing] = field(default_factory=list)
    open: list[Pairing] = field(default_factory=list)
    alone: list[ComparableStatement] = field(default_factory=list)


def align(nearness: SimilarityMatrix, vectors: Vectors | None) -> Alignment:
    """``vectors`` of what is worth looking at by meaning, where there are any."""
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
    """Puts each pairing where it belongs, the decided ones first; gives the points that were used."""
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
    """Whole sentences that nothing comes near, the weightiest first; another language is no sign of it."""
    if detect(" ".join(p.text for p in ones)) != detect(" ".join(p.text for p in others)):
        return []
    near = {_sentence(point) for point in taken}
    near |= {_sentence(p) for each in judged if each.relation != "apart" for p in (each.one, each.other)}
    found = [each for each in (*ones, *others) if each.whole and _sentence(each) not in near]
    return sorted(found, key=lambda each: -_information_weight(each.text))[:_MOST_ALONE]


def _in_one_place(one: ComparableStatement, other: ComparableStatement) -> bool:
    """Whether two sentences of long documents may speak of one thing: in few words, only under headings of one name."""
    if min(len(terms(one.text)), len(terms(other.text))) > _FEW or not (one.section and other.section):
        return True
    return bool(keys(bare_title(one.section)) & keys(bare_title(other.section)))


def _sentence(point: ComparableStatement) -> tuple[int, int]:
    return point.number, point.statement.order


def _comes_near(how: StatementSimilarity) -> bool:
    return how.score >= _FAR or how.words >= _FAR_WORDS or how.meaning >= _FAR_MEANING


def _information_weight(text: str) -> float:
    """What a reader would miss: figures, dates, duties, in few words."""
    known = facts(text)
    plain = fold(text)
    duty = bool(stance.marks(plain, "must")) + bool(stance.marks(plain, "may"))
    held = len(known.numbers) + len(known.days) + duty
    return min(3, held) - max(0, len(text) - 200) / 200
