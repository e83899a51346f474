"""Re-ranks sources with a model's rating of how useful each passage is for a question.

The rating is only part of a passage's score, so a wrong rating moves a passage but never hides it. User feedback on a
passage ranks before the rating, and loosely related passages stay last (docs/specification.md, "What a model is
asked").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel

from core.events import Passage, Source
from core.language.tokens import count_tokens
from core.models.structured import Prompt, TextModel, ask_json
from core.prompts.templates import Prompts
from core.search.documents.acceptance import firmly_accepted
from core.search.documents.context import place_of, without_markers
from core.search.documents.selection import is_bare
from core.setting_groups import Tasks

MOST = 16
"""Number of passages rated in one call."""


class _Rating(BaseModel):
    passage: int
    rating: float


class _Ratings(BaseModel):
    ratings: list[_Rating] = []
    sufficient: bool | None = None


@dataclass(frozen=True)
class Rated:
    """The re-ranked and renumbered ``sources``, unchanged if ``rated`` is false; ``sufficient``: the model's opinion on
    whether they are enough for an answer, ``None`` if it gave none."""

    sources: list[Source]
    rated: int = 0
    sufficient: bool | None = None


async def rate(
    prompts: Prompts, model: TextModel, question: str, sources: Sequence[Source], room: int, tasks: Tasks
) -> Rated:
    """Asks the model once to rate the best passages, as many as fit in ``room`` tokens. Raises ``PalimpsestError`` if
    the model fails."""
    passages = worth_rating(sources, room, tasks.rating_threshold)
    text = "\n\n".join(
        f"[P{number}] {place_of(source, each)}\n{without_markers(each.text)}"
        for number, (source, each) in enumerate(passages, start=1)
    )
    prompt = Prompt(prompts.render("fragment_rating", passages=text), question)
    said, _ = await ask_json(model, prompt, _Ratings)
    if said is None:
        return Rated(list(sources))
    ratings = {
        passages[each.passage - 1][1].item_id: each.rating
        for each in said.ratings
        if 0 < each.passage <= len(passages) and 0.0 <= each.rating <= 1.0
    }
    if not ratings:
        return Rated(list(sources), sufficient=said.sufficient)
    return Rated(reranked(sources, ratings, tasks.rating_weight), len(ratings), said.sufficient)


def reranked(sources: Sequence[Source], ratings: Mapping[str, float], weight: float) -> list[Source]:
    """Sorts ``sources`` by ``(1 − weight) · score + weight · rating`` of their best passage; attachments stay first,
    and loosely related sources last."""
    order = sorted(_blended(sources, ratings, weight), key=lambda each: each[0], reverse=True)
    return [source.model_copy(update={"number": number}) for number, (_, source) in enumerate(order, start=1)]


def _blended(
    sources: Sequence[Source], ratings: Mapping[str, float], weight: float
) -> list[tuple[tuple[bool, bool, int, float], Source]]:
    """Returns each source with its sort key."""
    found: list[tuple[tuple[bool, bool, int, float], Source]] = []
    lead = 0.0
    # The existing order may reflect more than scores, such as a bonus for the newest report; the sort key keeps it.
    for source in reversed(sources):
        lead = max(lead, source.score)
        passages = [_rated(each, ratings.get(each.item_id), weight) for each in source.passages]
        passages.sort(key=lambda each: (-each.precedence, each.near, -each.score))
        gained = max(after.score for after in passages) - max(before.score for before in source.passages)
        changed = source.model_copy(update={"passages": passages, "score": max(each.score for each in passages)})
        near = all(each.near for each in passages)
        known = max(each.precedence for each in passages)
        found.append(((source.attached, not near, known, lead + gained), changed))
    return found[::-1]


def _rated(passage: Passage, rating: float | None, weight: float) -> Passage:
    if rating is None:
        return passage
    return passage.model_copy(update={"score": (1 - weight) * passage.score + weight * rating})


def worth_rating(sources: Sequence[Source], room: int, threshold: float) -> list[tuple[Source, Passage]]:
    """Returns the best passages to rate, each with its source, without attachments and web pages, which are always
    included."""
    ranked = [
        (source, passage)
        for source in firmly_accepted(sources)
        if source.kind == "document" and not source.attached
        for passage in source.passages
        if passage.score >= threshold and not is_bare(passage, source.title)
    ]
    ranked.sort(key=lambda pair: (-pair[1].precedence, -pair[1].score))
    found: list[tuple[Source, Passage]] = []
    for source, each in ranked[:MOST]:
        room -= count_tokens(f"{place_of(source, each)}\n{each.text}") + 8
        if room < 0:
            break
        found.append((source, each))
    return found
