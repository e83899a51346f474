"""A finished or growing answer as HTML."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from core.errors import Problem
from core.events import FollowedUp, PartlyRead, Response, Source, Spent, Suggested
from core.words import Language
from viz.card import Exchange, trail
from viz.cells import is_figure
from viz.markdown import blocks
from viz.quotes import quote_groups
from viz.support import draw_marks, with_marks
from viz.templating import render
from viz.trace import TraceView


def citation_labels(sources: Sequence[Source]) -> dict[int, str]:
    """What the button [N] says when it is hovered or read aloud."""
    return {source.number: _label(source) for source in sources}


def _label(source: Source) -> str:
    best = max(source.passages, key=lambda passage: passage.score, default=None)
    page = f" · p. {best.page}" if best and best.page else ""
    preview = " ".join(best.text.split())[:160] if best else ""
    return f"{source.title}{page}\n{preview}…" if preview else f"{source.title}{page}"


def growing(text: str, sources: Sequence[Source]) -> list[Markup]:
    """The blocks of an answer that is still being written."""
    return blocks(text, citation_labels(sources))


def finished(
    *,
    response: Response | None,
    partial: str,
    sources: Sequence[Source],
    problem: Problem | None,
    outcome: str | None,
    trace: TraceView,
    confidence: str | None,
    notices: Sequence[str],
    language: Language,
    message_id: str,
    run_id: str,
    exchanges: Sequence[Exchange] = (),
    suggested: Suggested | None = None,
    reasoning: Sequence[str] = (),
    spent: Spent | None = None,
    feedback: Markup | None = None,
    offers: Markup | None = None,
    partly: PartlyRead | None = None,
    followed: FollowedUp | None = None,
) -> Markup:
    """An answer with its trace, what stands under it, and its error when it failed."""
    body = _body(response, partial, sources, language)
    return render(
        "answer",
        body=body,
        response=response,
        quotes=quote_groups(response.quotes, sources) if response and response.action == "inquire" else [],
        remarks=[each for said in response.remarks for each in blocks(said, citation_labels(sources))]
        if response
        else [],
        sources=sources,
        cited=_cited(response, sources),
        problem=problem.to(language) if problem else None,
        outcome=outcome,
        trace=trace,
        confidence=confidence,
        notices=notices,
        language=language,
        message_id=message_id,
        run_id=run_id,
        exchanges=exchanges,
        suggested=suggested,
        reasoning=reasoning,
        spent=spent,
        feedback=feedback,
        offers=offers,
        partly=partly,
        followed=followed,
        is_figure=is_figure,
        trail=trail,
    )


def _body(response: Response | None, partial: str, sources: Sequence[Source], language: Language) -> list[Markup]:
    if response is None:
        return blocks(partial, citation_labels(sources))
    support = response.support
    return draw_marks(blocks(with_marks(response.text, support), citation_labels(sources)), support, language)


def _cited(response: Response | None, sources: Sequence[Source]) -> list[Source]:
    if response is None:
        return []
    numbers = {int(number) for number in re.findall(r"\[(\d{1,3})\]", response.text)} | {
        q.number for q in response.quotes
    }
    return [source for source in sources if source.number in numbers]
