"""Answers with the value that the user typed as right when the question was asked before, citing its passage."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from core.answering.prose.sentences import Statement
from core.answering.quotations import manner_of, written
from core.errors import PalimpsestError
from core.events import Quote, Response, Source
from core.graph.answering.closest import ClosestSentences, compare_sentences
from core.graph.services import Services
from core.graph.state import State
from core.memory.corrections.matching import Standing
from core.memory.corrections.records import Correction, Pin
from core.messages import message
from core.records.answer import Answer, CellReference, Corrected
from core.review.actions.records import whole_source

log = logging.getLogger(__name__)

_BY_USER = "graph.correct.by_user"


async def pinned_source(services: Services, user_id: str, correction: Correction, number: int = 1) -> Source | None:
    """Returns the source with only the pinned passage; ``None`` without a pin, or if it cannot be read."""
    source = await _source_of(services, user_id, correction.pin, number) if correction.pin else None
    if source is None:
        return None
    passage = source.passages[0].model_copy(update={"precedence": 1, "accepted_by": "outcome"})
    return source.model_copy(update={"passages": [passage]})


async def _source_of(services: Services, user_id: str, pin: Pin, number: int) -> Source | None:
    try:
        items = await services.library.passages(user_id, pin.document_id, [pin.item_id])
    except PalimpsestError:
        log.warning("a pinned passage could not be read", exc_info=True)
        return None
    return whole_source(number, items) if items else None


async def with_pinned(services: Services, state: State, found: Sequence[Source]) -> list[Source]:
    """Returns ``found`` with the pinned passage first, marked as what the user gave, and all sources renumbered."""
    correction = state["found"].correction
    pinned = await pinned_source(services, state["asked"].user_id, correction) if correction else None
    if correction is None or pinned is None:
        return list(found)
    best = max((passage.score for source in found for passage in source.passages), default=1.0)
    mark = message(_BY_USER, value=correction.value).to(state["asked"].language)
    first = pinned.passages[0].model_copy(update={"section": mark, "score": best})
    same = next((source for source in found if source.document_id == pinned.document_id), pinned)
    others = [passage for passage in same.passages if passage.item_id != first.item_id]
    leading = same.model_copy(update={"passages": [first, *others], "score": best})
    rest = [source for source in found if source is not same]
    return [source.model_copy(update={"number": number}) for number, source in enumerate([leading, *rest], start=1)]


async def standings(services: Services, state: State, pins: Sequence[Pin]) -> list[Standing | None]:
    """Returns how each pinned sentence stands among all sentences that are closest to the question; ``None`` where
    there is no comparison."""
    sources = [await _source_of(services, state["asked"].user_id, pin, number) for number, pin in enumerate(pins, 1)]
    found = await compare_sentences(services, state, [each for each in sources if each])
    if found is None:
        return [None] * len(pins)
    certain = {"found": 1.0, "closest": 0.5, "not_found": 0.0}[found.state]
    return [_standing(pin, found, certain) for pin in pins]


def _standing(pin: Pin, found: ClosestSentences, certain: float) -> Standing:
    scores = {place: close.score for place, close in enumerate(found.ranked)}
    own = [place for place, close in enumerate(found.ranked) if _is_pinned(pin, close.statement)]
    others = [score for place, score in scores.items() if place not in own]
    if not own:
        return Standing(None, certain)
    return Standing(scores[own[0]] - max(others, default=scores[own[0]]), certain)


def _is_pinned(pin: Pin, statement: Statement) -> bool:
    quote, text = " ".join(pin.quote.split()), " ".join(statement.text.split())
    return statement.passage.origin.document_id == pin.document_id and (quote in text or text in quote)


def corrected_answer(correction: Correction, sources: Sequence[Source]) -> Answer:
    """Returns the first line: the value, with its passage as citation. A value that no passage holds is shown as the
    user's statement."""
    pin = correction.pin
    number = next(
        (source.number for source in sources for each in source.passages if pin and each.item_id == pin.item_id), None
    )
    cited = pin is not None and number is not None
    cells = []
    if pin is not None and number is not None:
        cells = [
            CellReference(
                number=number, document_id=pin.document_id, item_id=pin.item_id, text=pin.quote, page=pin.page
            )
        ]
    return Answer(
        kind="span",
        line=f"{correction.value} [{number}]" if cited else correction.value,
        value=correction.value,
        cells=cells,
        corrected=Corrected(answer_id=correction.answer_id, at=correction.created_at, is_cited=cited),
    )


def corrected_response(state: State, correction: Correction) -> Response:
    """Returns the answer without a model: the value and the sentence of its passage, or the user's own statement."""
    sources, manner = state["found"].sources, manner_of(state["asked"].rules)
    answer = corrected_answer(correction, sources)
    quotes = [Quote(number=cell.number, item_id=cell.item_id, text=cell.text) for cell in answer.cells if cell.text]
    beneath = [quote for quote in quotes if quote.text != correction.value]
    titles = {source.number: source.title for source in sources}
    return Response(
        kind="extractive" if answer.cells else "remembered",
        text=written(beneath, titles, manner, answer.line),
        language=state["asked"].language,
        answer=answer,
        confidence="high",
        quotes=quotes,
        manner=manner,
    )


def prompt_lines(correction: Correction | None, sources: Sequence[Source]) -> list[str]:
    """Returns the correction for a prompt: the value and, if a passage holds it, its citation and quotation."""
    if correction is None:
        return []
    answer = corrected_answer(correction, sources)
    return [answer.line, *(f"“{cell.text}” [{cell.number}]" for cell in answer.cells)]
