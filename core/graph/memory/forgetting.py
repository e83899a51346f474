"""Recognises earlier messages that state a forgotten fact, and leaves that part of them out, so that neither a model
nor an answer reads it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.graph.state import Digest, PastTurn
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.memory.profile.statements import clauses_in
from core.store.items import MemoryItem

LEAST_SHARE = 0.5
"""Minimum share of a fact's words in a message that states it, besides all its names and numbers."""


@dataclass(frozen=True)
class ForgottenFact:
    """A fact and when it was forgotten (epoch seconds); what was said later counts again."""

    text: str
    at: float

    def is_in(self, text: str) -> bool:
        """Returns whether ``text`` states the fact.

        >>> ForgottenFact("My name is Dana.", 0).is_in("I'm Dana, by the way.")
        True
        """
        folded = fold(text)
        terms = content_terms(self.text)
        held = [term for term in terms if covers(term, folded)]
        exact = {fold(word.strip(".,;:!?'\"")) for word in self.text.split()[1:] if _is_exact(word)}
        return bool(terms) and len(held) >= LEAST_SHARE * len(terms) and all(each in folded for each in exact)


def _is_exact(word: str) -> bool:
    return word[:1].isupper() or any(map(str.isdigit, word))


@dataclass(frozen=True)
class ForgottenFacts:
    facts: Sequence[ForgottenFact] = ()

    @classmethod
    def of(cls, archived: Sequence[MemoryItem]) -> ForgottenFacts:
        """Returns the facts of archived entries of the memory bank."""
        return cls(tuple(ForgottenFact(each.text, each.timestamps.archived_at or 0.0) for each in archived))

    def are_in(self, text: str, at: float = 0.0) -> bool:
        """Returns whether a message of the time ``at`` states one of the facts before it was forgotten."""
        return any(at <= each.at and each.is_in(text) for each in self.facts)

    def without(self, text: str, at: float = 0.0) -> str:
        """Returns a message of the time ``at`` without the clauses that state one of the facts; empty if only the whole
        message states it.

        >>> facts = ForgottenFacts([ForgottenFact("My name is Dana.", 1)])
        >>> facts.without("My name is Dana and I work in Haifa.")
        'I work in Haifa.'
        """
        if not self.are_in(text, at):
            return text
        left = "\n".join(
            " ".join(clause for clause in clauses_in(line) if not self.are_in(clause, at)) for line in text.splitlines()
        ).strip()
        return "" if self.are_in(left, at) else left

    def left_of(self, turns: Sequence[PastTurn]) -> list[PastTurn]:
        """Returns the turns without what states one of the facts."""
        return [left for turn in turns if (left := self._left_of_turn(turn))]

    def _left_of_turn(self, turn: PastTurn) -> PastTurn | None:
        at = turn.get("at", 0.0)
        if not self.are_in(f"{turn['question']}\n{turn['answer']}", at):
            return turn
        question = self.without(turn["question"], at)
        # An answer to what is forgotten repeats it.
        answer = self.without(turn["answer"], at) if question == turn["question"] else ""
        if not question or self.are_in(f"{question}\n{answer}", at):
            return None
        return {**turn, "question": question, "answer": answer}

    def digest_left(self, digest: Digest | None) -> Digest | None:
        """Returns the summary of older turns, or ``None`` if it states one of the facts."""
        return None if digest is None or self.are_in(digest["text"]) else digest
