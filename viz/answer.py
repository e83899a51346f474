"""A finished or growing answer as HTML: chips, first line, quotations, one quiet row, follow-ups."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup

from core.errors import Problem
from core.events import FollowedUp, PartlyRead, Response, Searched, Source, Suggested
from core.messages import message
from core.records.answer import Manner
from core.records.spent import Spent
from core.words import Language, Words
from viz.card import Exchange, trail
from viz.cells import is_figure
from viz.feedback import Rated
from viz.first_line import answer_line
from viz.markdown import blocks
from viz.numbering import passage_labels
from viz.plain import plain_lines
from viz.quotes import Shown, quote_groups
from viz.searched import searched_row
from viz.support import draw_marks, with_marks
from viz.templating import render
from viz.trace import TraceView


def citation_labels(sources: Sequence[Source]) -> dict[int, str]:
    """What the button [N] says when it is read aloud."""
    return {source.number: _label(source) for source in sources}


def _label(source: Source) -> str:
    best = max(source.passages, key=lambda passage: passage.score, default=None)
    return f"{source.title} · p. {best.page}" if best and best.page else source.title


def partial_blocks(text: str, sources: Sequence[Source]) -> list[Markup]:
    """The blocks of an answer that is still being written."""
    return blocks(text, citation_labels(sources))


def finished_answer(
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
    rated: Rated | None = None,
    offers: Markup | None = None,
    partly: PartlyRead | None = None,
    followed: FollowedUp | None = None,
    searched: Searched | None = None,
) -> Markup:
    """An answer with what it is about, what stands under it, and its error when it failed.

    Args: confidence: what the search made of its sources; shown for answers of before there was ``searched``.
    """
    quotes = _shown_quotes(response, sources)
    return render(
        "answer",
        body=_body(response, partial, sources, language, bool(quotes)),
        response=response,
        refused=bool(response and response.kind == "nothing_found"),
        line=_answer_line_markup(response, sources, language),
        searched=searched_row(searched, language) if searched else None,
        quotes=quotes,
        drawn_quotes=render(
            "quotes",
            quotes=quotes,
            pages_of=pages_of,
            is_figure=is_figure,
            manner=response.manner if response else Manner(),
            language=language,
        ),
        remarks=_remarks(response, sources),
        begun=blocks(partial, citation_labels(sources)) if response and response.instead else [],
        cited=_cited_sources(response, sources),
        found_with=_found_with(response, sources, language),
        problem=problem.to(language) if problem else None,
        outcome=outcome,
        trace=trace,
        sure=sureness(response, confidence, searched),
        why_sure="why_confidence" if response and response.confidence else "why_sources",
        seconds=response.milliseconds / 1000 if response and response.milliseconds else trace.seconds,
        notices=notices,
        language=language,
        message_id=message_id,
        run_id=run_id,
        exchanges=exchanges,
        suggested=suggested,
        reasoning=reasoning,
        spent=spent,
        rated=rated,
        offers=offers,
        partly=partly,
        followed=followed,
        trail=trail,
    )


def sureness(response: Response | None, confidence: str | None, searched: Searched | None) -> str | None:
    """How sure the answer says it is; nothing where it claims nothing.

    An answer of before there was such a figure, and one that a model wrote, shows what the search made of its sources.
    """
    if response is None or response.action != "inquire" or response.kind in ("told", "nothing_found"):
        return None
    if response.confidence or response.answer or (searched and response.kind != "generated"):
        return response.confidence
    return confidence


def pages_of(source: Source, group: Sequence[Shown]) -> list[int]:
    """The pages on which the quoted passages begin."""
    page = {passage.item_id: passage.page for passage in source.passages}
    return sorted({found for each in group if (found := page.get(each.quote.item_id))})


def _shown_quotes(response: Response | None, sources: Sequence[Source]) -> list[tuple[Source, list[Shown]]]:
    if response is None or response.action != "inquire":
        return []
    value = response.answer.value if response.answer else None
    beneath = [each for each in response.quotes if each.text != value]
    return quote_groups(beneath, sources, response.answer.cells if response.answer else ())


def _answer_line_markup(response: Response | None, sources: Sequence[Source], language: Language) -> Markup | None:
    if response is None or response.answer is None or not response.answer.line.strip():
        return None
    return answer_line(response.answer, sources, passage_labels(response.quotes), language)


def _body(
    response: Response | None, partial: str, sources: Sequence[Source], language: Language, quoted: bool
) -> list[Markup]:
    """Nothing twice: what the first line says, and what is quoted beneath, is left out."""
    if response is None:
        return blocks(partial, citation_labels(sources))
    text, support = response.text, response.support
    if response.kind == "remembered":
        return blocks(plain_lines(text), citation_labels(sources))
    if quoted and not support:
        text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
    if response.answer and not support:
        text = text.replace(response.answer.line, "", 1)
    return draw_marks(blocks(with_marks(text, support), citation_labels(sources)), support, language)


def _remarks(response: Response | None, sources: Sequence[Source]) -> list[Markup]:
    remarks = response.remarks if response else []
    return [block for remark in remarks for block in blocks(remark, citation_labels(sources))]


def _found_with(response: Response | None, sources: Sequence[Source], language: Language) -> str:
    """The tools whose finds the answer cites, where its text does not say so itself."""
    titles = titles_of(_cited_sources(response, sources))
    said = message("tools.manifest.found_with", titles=Words.joined(titles, ", ")).to(language) if titles else ""
    return "" if response is None or said in response.text else said


def titles_of(sources: Sequence[Source]) -> list[Words]:
    """The tools that found them, each once."""
    return list({each.tool.en: each.tool for each in sources if each.tool is not None}.values())


def _cited_sources(response: Response | None, sources: Sequence[Source]) -> list[Source]:
    if response is None:
        return []
    numbers = {int(number) for number in re.findall(r"\[(\d{1,3})\]", response.text)} | {
        q.number for q in response.quotes
    }
    return [source for source in sources if source.number in numbers]
