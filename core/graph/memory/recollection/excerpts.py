"""Chooses the sentences of a long message that fit a question best."""

from __future__ import annotations

from core.language.normalisation import fold
from core.language.sentences import split_sentences
from core.language.terms import content_terms, covers
from core.models.expectations import Expectation

LONGEST = 320
"""Maximum number of characters of a message that is quoted in full."""
MOST_SENTENCES = 2


def excerpt(text: str, question: str, longest: int = LONGEST) -> str:
    """Returns ``text`` if it is short, or else the sentences in it that have most of the question's words and the kind
    of value that it expects, in their order.

    >>> excerpt("The rent is 900.", "How high is the rent?")
    'The rent is 900.'
    """
    if len(text) <= longest:
        return text.strip()
    terms, expected = content_terms(question), Expectation(question)
    sentences = [each.text.strip() for each in split_sentences(text) if each.text.strip()]

    def fit(sentence: str) -> float:
        folded = fold(sentence)
        return sum(covers(term, folded) for term in terms) + expected.met(sentence)

    ranked = sorted(range(len(sentences)), key=lambda place: (-fit(sentences[place]), place))
    kept, length = list[int](), 0
    for place in ranked[:MOST_SENTENCES]:
        if kept and length + len(sentences[place]) > longest:
            break
        kept.append(place)
        length += len(sentences[place])
    chosen = " … ".join(sentences[place] for place in sorted(kept))
    return chosen if len(chosen) <= 2 * longest else f"{chosen[: 2 * longest].rstrip()}…"
