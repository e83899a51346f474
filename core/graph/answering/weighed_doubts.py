"""Weighs whether a choice between documents must be put to the user: takes their answers; returns the choice or not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from core.graph.answering.candidate_answers import agree, candidate_answers, differ, trusted
from core.graph.services import Services
from core.graph.state import State, UnclearReference
from core.graph.understanding.wording import is_document_word
from core.language.normalisation import fold
from core.language.terms import content_terms, covers

OTHER_WORDS = 2
"""Minimum number of words of a name that no candidate has, for the name to mean something else."""


class WeighedDoubt(NamedTuple):
    """An unclear reference with what its candidates answer. ``agree``: all answer the same, so that any will do;
    ``differ``: they give different answers."""

    doubt: UnclearReference
    agree: bool = False
    differ: bool = False


async def weighed_doubt(services: Services, state: State, doubt: UnclearReference) -> WeighedDoubt:
    """Adds to ``doubt`` what each candidate answers with fair certainty, if the message asks a question."""
    if not doubt.candidates or not (state["asked"].action == "inquire" or state["asked"].rules.assumes):
        return WeighedDoubt(doubt)
    answers = await candidate_answers(services, state, [each.document_id for each in doubt.candidates])
    best = max(answers, key=lambda each: (bool(each.text), each.score))
    return WeighedDoubt(
        doubt.model_copy(
            update={
                "answers": {each.document_id: each.text for each in trusted(answers)},
                "likeliest": best.document_id if best.text or best.score else "",
            }
        ),
        agree=agree(answers) and doubt.total == len(answers),
        differ=differ(answers),
    )


async def weighed_names(
    services: Services, state: State, doubts: Sequence[UnclearReference]
) -> tuple[list[UnclearReference], list[str]]:
    """Weighs the first of the unclear names of a message, which the user is asked about next; returns the doubts that
    are left, and the documents that need no choice. A name whose words no candidate has ("the parental leave policy"
    among travel policies) is a subject, and no document to choose."""
    if not doubts:
        return [], []
    first = await weighed_doubt(services, state, doubts[0])
    if first.agree:
        return list(doubts[1:]), [each.document_id for each in first.doubt.candidates]
    if state["asked"].action == "inquire" and not first.doubt.answers and _is_other_subject(first.doubt):
        return list(doubts[1:]), []
    return [first.doubt, *doubts[1:]], []


def _is_other_subject(doubt: UnclearReference) -> bool:
    """Returns whether several words of the name, besides the noun, are in no candidate's name."""
    titles = [fold(each.title) for each in doubt.candidates]
    words = [word for word in content_terms(doubt.name) if not is_document_word(word)]
    return sum(not any(covers(word, title) for title in titles) for word in words) >= OTHER_WORDS
