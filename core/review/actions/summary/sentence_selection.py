"""Selects a few sentences for each part of a summary from a document's statements.

A sentence is eligible if it is under a heading of the part or contains the part's words, and is self-contained. Its
score combines how closely it is under the heading, how many of the words it contains, its position in section and
paragraph, its centrality (LexRank) and, with embeddings, its similarity to the part.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.language.entities.calendar_words import years_in
from core.review.actions.records import Statement
from core.review.actions.summary.centrality import Floats, lex_rank, tf_idf
from core.review.actions.summary.document import SummaryDocument
from core.review.actions.summary.sentences import is_own_paragraph, opens_paragraph, stands_alone
from core.review.actions.summary.shapes import Part, Shape, is_apart
from core.review.overlap import words
from core.review.polarity import base

SHORTLIST = 14
"""Number of a part's sentences compared by embeddings: for five parts, less than a second."""
MOST_RANKED = 250
HEADED, CUED, ALONE, OPENS, CENTRAL, LEAD, MEANT = 0.6, 0.4, 0.3, 0.15, 0.25, 0.4, 0.8
ENOUGH_CUES = 2
FIRST_SENTENCES = 12
"""If this document has no words or headings for a part, the sentences to choose from: this many at the document's
beginning."""
_LEADING = 4
STALE = (0.0, 0.35)
"""Penalties for a sentence about the document's own year (none) and about the year before; sentences about older years
are left out."""

Told = tuple[Statement, tuple[str, ...]]
"""A statement with the headings above it."""
SAME = 0.6
"""Share of common words from which two lines say the same."""
_SHORT, _LONG = 60, 260
_UNWIELDY = 0.35


@dataclass(frozen=True)
class ScoredSentence:
    """A scored sentence; ``worth`` excludes the embedding score."""

    statement: Statement
    worth: float


@dataclass(frozen=True)
class SelectedPart:
    """A part with its sentences in reading order."""

    part: Part
    statements: list[Statement]


def shortlists(matter: SummaryDocument, shape: Shape) -> list[tuple[Part, list[ScoredSentence]]]:
    """Returns the best sentences for each part, best first."""
    candidates = [(each, matter.path(each)) for each in matter.statements()]
    fit = [(each, path) for each, path in candidates if not is_apart(path)]
    kinds = {(part.labelled, part.longest) for part in shape.parts}
    kept: dict[tuple[bool, int], list[Told]] = {
        (labelled, longest): [
            (each, path) for each, path in fit if stands_alone(each, labelled=labelled, longest=longest)
        ]
        for labelled, longest in kinds
    }
    year = matter.year
    return [
        (part, _ranked_sentences(part, kept[part.labelled, part.longest], year))
        for part in shape.parts
        if not part.figures
    ]


def _ranked_sentences(part: Part, candidates: Sequence[Told], year: int | None) -> list[ScoredSentence]:
    headed = [(each, part.heads(path), path) for each, path in candidates]
    under = [(each, near) for each, near, _ in headed if near > 0 and not (part.strict and not part.cues(each.text))]
    if not under and part.words and not part.headed:
        # No heading matches: take sentences that contain the words, in any section.
        under = [(each, 0.0) for each, _, path in headed if not part.is_kept_from(path) and part.cues(each.text)]
    if not under and not part.words:
        under = [(each, 0.0) for each, _ in candidates[:FIRST_SENTENCES]]
    under = [(each, near) for each, near in under if age_of(each.text, year) < len(STALE)]
    if not under:
        return []
    scored = [
        ScoredSentence(each, _sentence_score(part, each, near, place) - STALE[age_of(each.text, year)])
        for place, (each, near) in enumerate(under)
    ]
    scored.sort(key=lambda each: -each.worth)
    return _with_centrality(scored[:MOST_RANKED])[:SHORTLIST]


def _sentence_score(part: Part, each: Statement, near: float, place: int) -> float:
    """Scores a sentence; ``place`` counts the earlier sentences that are eligible for the part, since important points
    come first."""
    cued = min(1.0, part.cues(each.text) / ENOUGH_CUES)
    placed = ALONE if is_own_paragraph(each) else OPENS if opens_paragraph(each) else 0.0
    return HEADED * near + CUED * cued + placed + LEAD / (1 + place / _LEADING) - unwieldiness(each.text)


def unwieldiness(text: str) -> float:
    """Returns the penalty for a sentence that is too short or too long to read easily."""
    return _UNWIELDY * (max(0.0, (len(text) - _LONG) / _LONG) + max(0.0, (_SHORT - len(text)) / _SHORT))


def age_of(text: str, year: int | None) -> int:
    """Returns how many years the newest year in a sentence is before the document's year."""
    named = years_in(text)
    return max(0, year - max(named)) if year is not None and named else 0


def _with_centrality(scored: list[ScoredSentence]) -> list[ScoredSentence]:
    central = lex_rank(tf_idf([each.statement.text for each in scored]))
    joined = [
        ScoredSentence(each.statement, each.worth + CENTRAL * float(rank))
        for each, rank in zip(scored, central, strict=True)
    ]
    return sorted(joined, key=lambda each: -each.worth)


def choose(
    listed: Sequence[tuple[Part, Sequence[ScoredSentence]]],
    most: Sequence[int],
    vectors: Mapping[int, Floats] | None = None,
) -> list[SelectedPart]:
    """Chooses a limited number of sentences for each part, without repeating a sentence or its content.

    ``vectors``: for each part's number, the embedding similarity of each of its sentences, 0..1.
    """
    worths = [
        {
            each.statement.order: each.worth
            + (MEANT * float(vectors[number][place]) if vectors and number in vectors else 0.0)
            for place, each in enumerate(scored)
        }
        for number, (_, scored) in enumerate(listed)
    ]
    taken: list[frozenset[str]] = []
    found = []
    for number, ((part, scored), limit) in enumerate(zip(listed, most, strict=True)):
        own = [each.statement for each in scored if _is_best_here(each.statement.order, number, worths)]
        kept = _first_unlike(sorted(own, key=lambda each: -worths[number][each.order]), limit, taken)
        if kept:
            found.append(SelectedPart(part, sorted(kept, key=lambda each: each.order)))
    return found


def _is_best_here(order: int, number: int, worths: Sequence[Mapping[int, float]]) -> bool:
    """Returns whether no other part has a higher score for the sentence, so that it is used where it fits best."""
    return all(other.get(order, 0.0) <= worths[number][order] for other in worths)


def _first_unlike(ranked: Sequence[Statement], limit: int, taken: list[frozenset[str]]) -> list[Statement]:
    """Returns the first sentences that do not repeat earlier ones; adds them to ``taken``."""
    kept: list[Statement] = []
    for each in ranked:
        own = frozenset(map(base, words(each.text)))
        if len(kept) < limit and not any(_is_repetition(own, other) for other in taken):
            kept.append(each)
            taken.append(own)
    return kept


def _is_repetition(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) >= SAME * max(1, min(len(one), len(other)))
