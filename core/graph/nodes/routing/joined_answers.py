"""Joins several answers into one: a heading for each, and their sources under new numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from core.events import Response, Source
from core.messages import message
from core.records.answer import Sureness
from core.search.documents.passage_numbers import document_key, next_number
from core.words import Language

_CITED = re.compile(r"\[(\d{1,3})\]")
_LEVELS: tuple[Sureness, ...] = ("low", "medium", "high")


class PartialResponse(NamedTuple):
    """The answer to a part of a message: its ``heading``, and the ``sources`` that its text cites by number."""

    heading: str
    response: Response
    sources: Sequence[Source]


def joined(
    parts: Sequence[PartialResponse],
    language: Language,
    *,
    above: Response | None = None,
    known: Sequence[Source] = (),
) -> tuple[Response, list[Source]]:
    """Returns one answer with a heading above each part, below the answer ``above`` with its ``known`` sources. It is
    as certain as its least certain part; a part for which nothing was found counts as the least certain."""
    sources = list(known)
    texts = [above.text] if above else []
    for part in parts:
        numbers = _added(sources, part.sources)
        text = _renumbered(_whole_text(part.response, language), numbers)
        texts.append(f"### {' '.join(part.heading.split())}\n\n{text}")
    answers = [*([above] if above else []), *(part.response for part in parts)]
    response = Response(
        kind="nothing_found" if all(each.kind == "nothing_found" for each in answers) else "extractive",
        text="\n\n".join(texts),
        language=language,
        confidence=_lowest(answers),
    )
    if above is not None and above.kind != "told":
        response = above.model_copy(
            update={"text": response.text, "confidence": response.confidence, "quotes": [], "remarks": []}
        )
    return response, sources


def _lowest(responses: Sequence[Response]) -> Sureness | None:
    levels: list[Sureness] = [each.confidence or "low" for each in responses if each.kind != "told"]
    return min(levels, key=_LEVELS.index, default=None)


def _whole_text(response: Response, language: Language) -> str:
    """Returns the text of an answer, with the warning that its first line has on the page."""
    answer = response.answer
    if answer is None or answer.doubt is None or not response.text.startswith(answer.line):
        return response.text
    doubt = message("graph.joined_answers.doubt", doubt=answer.doubt).to(language)
    return f"{answer.line} {doubt}{response.text[len(answer.line) :]}"


def _added(sources: list[Source], own: Sequence[Source]) -> dict[int, int]:
    """Adds a part's sources, each document once; returns the new number of each."""
    numbers: dict[int, int] = {}
    for source in own:
        key = document_key(source) if source.kind == "document" else ""
        place = next((at for at, known in enumerate(sources) if key and document_key(known) == key), None)
        if place is None:
            numbers[source.number] = next_number(sources)
            sources.append(source.model_copy(update={"number": numbers[source.number]}))
            continue
        known = sources[place]
        shown = {passage.item_id for passage in known.passages}
        fresh = [passage for passage in source.passages if passage.item_id not in shown]
        numbers[source.number] = known.number
        sources[place] = known.model_copy(update={"passages": [*known.passages, *fresh]})
    return numbers


def _renumbered(text: str, numbers: Mapping[int, int]) -> str:
    return _CITED.sub(lambda found: f"[{numbers.get(int(found[1]), int(found[1]))}]", text)
