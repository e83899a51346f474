"""Renders an answer, finished or growing, as HTML: chips, first line, quotations, details row, follow-up questions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from markupsafe import Markup

from core.errors import Problem
from core.events import FollowedUp, PartlyRead, Response, RunOutcome, Searched, Sentence, Source, Suggested
from core.messages import message
from core.records.answer import Answer, CellReference, Manner, cited_numbers
from core.records.quotations import Quote
from core.records.spent import Spent
from core.words import Language, Words
from viz.card import Exchange, trail
from viz.cells import is_figure
from viz.citations import CitationLabel, citation_labels, cited_documents, quoted_page
from viz.data_result import results
from viz.feedback import Rated
from viz.first_line import answer_line
from viz.labels import label
from viz.markdown import blocks
from viz.neutral_markdown import addresses_of, neutral_markdown
from viz.plain import plain_lines
from viz.quotes import Shown, leading_and_folded, passage_labels, quote_groups
from viz.support import draw_marks, with_marks
from viz.templating import render
from viz.trace import TraceView

State = Literal["found", "closest", "not_found", "corrected"]
STATES: dict[str, State] = {"high": "found", "medium": "closest", "low": "closest", "none": "not_found"}
"""The state for each level of confidence."""


def partial_blocks(text: str, sources: Sequence[Source], language: Language) -> list[Markup]:
    """The HTML blocks of an answer that is still being written."""
    labels = citation_labels(sources, language, by_passage=True)
    return blocks(text, labels, addresses_of(_cited_in(text, sources)))


@dataclass
class ToldRun:
    """A run's state so far, from which its answer is rendered. ``confidence`` is the search's confidence in its
    sources; it is shown for old answers that have no ``searched``. ``line`` is the line that was shown before a model
    wrote."""

    run_id: str
    message_id: str = ""
    trace: TraceView = field(default_factory=TraceView)
    text: str = ""
    sources: list[Source] = field(default_factory=list)
    confidence: str | None = None
    searched: Searched | None = None
    notices: list[Words] = field(default_factory=list)
    exchanges: list[Exchange] = field(default_factory=list)
    line: Answer | None = None
    response: Response | None = None
    suggested: Suggested | None = None
    reasoning: list[str] = field(default_factory=list)
    spent: Spent | None = None
    partly: PartlyRead | None = None
    followed: FollowedUp | None = None
    problem: Problem | None = None
    outcome: RunOutcome | None = None

    @property
    def neutral_text(self) -> str:
        """The answer written so far, as Markdown that is safe outside the workbench."""
        if self.response is None:
            return neutral_markdown(self.text, addresses_of(_cited_in(self.text, self.sources)))
        return neutral_markdown(self.response.text, addresses_of(cited_sources(self.response, self.sources)))


def finished_answer(run: ToldRun, rated: Rated | None, offers: Markup | None) -> Markup:
    """An answer with its chips, the content below it, and its error if it failed."""
    language, response, sources = run.trace.language, run.response, run.sources
    quotes = shown_quotes(response, sources)
    line = line_markup(run, language)
    state = answer_state(response, run.confidence, run.searched)
    folds = state == "closest" and bool(response and response.kind == "extractive")
    return render(
        "answer",
        run=run,
        response=response,
        body=_body(response, run.text, sources, language, bool(quotes)),
        refused=bool(response and response.kind == "nothing_found"),
        line=line,
        results=results(response, sources, language) if response else None,
        searched=searched_row(run.searched, language) if run.searched else None,
        quotes=quotes,
        drawn_quotes=_drawn_quotes(
            quotes, response.manner if response else Manner(), language, _cells_of(response), folds=folds
        ),
        remarks=_remarks(response, sources, language),
        begun=partial_blocks(run.text, sources, language) if response and response.instead else [],
        cited=cited_documents(
            cited_sources(response, sources), _labels_of(response, sources, language), language, _cells_of(response)
        ),
        found_with=found_with(response, sources, language),
        problem=run.problem.to(language) if run.problem else None,
        state=None if _says_closest(line, language) else state,
        seconds=response.milliseconds / 1000 if response and response.milliseconds >= 50 else run.trace.seconds,
        language=language,
        rated=rated,
        offers=offers,
        trail=trail,
    )


def _says_closest(line: Markup | None, language: Language) -> bool:
    """Whether the first line already says that the answer is only the closest match."""
    return line is not None and label("state_closest", language) in line


def quotes_meanwhile(quotes: Sequence[Quote], sources: Sequence[Source], language: Language) -> Markup:
    """Quotations that are shown until a slow model writes."""
    drawn = _drawn_quotes(quote_groups(quotes, sources, ()), Manner(), language)
    return render("meanwhile", drawn_quotes=drawn, language=language)


def _drawn_quotes(
    quotes: Sequence[tuple[Source, list[Shown]]],
    manner: Manner,
    language: Language,
    cells: Sequence[CellReference] = (),
    *,
    folds: bool = False,
) -> Markup:
    """Draws the quotes; with ``folds``, only the first ones are open."""
    quotes, folded = leading_and_folded(quotes) if folds else (quotes, [])
    return render(
        "quotes",
        quotes=quotes,
        folded=folded,
        pages_of=_pages_with(cells),
        is_figure=is_figure,
        manner=manner,
        language=language,
    )


def _cells_of(response: Response | None) -> Sequence[CellReference]:
    return response.answer.cells if response and response.answer else ()


def answer_state(response: Response | None, confidence: str | None, searched: Searched | None) -> State | None:
    """The state to show for the answer; ``None`` if it claims nothing, or if a model wrote it: then its sentences have
    marks.

    For an old answer that states no confidence itself, the search's confidence in its sources decides.
    """
    if response is None or response.action != "inquire" or response.kind == "told":
        return None
    if response.kind == "nothing_found":
        return "not_found"
    if response.answer and response.answer.corrected:
        return "corrected"
    if response.confidence or response.answer or searched or response.kind == "generated":
        return state_of(response.confidence)
    return state_of(confidence)


def state_of(confidence: str | None) -> State | None:
    """The state that users see for a level of confidence (*high*, *medium*, *low* or *none*)."""
    return STATES.get(confidence or "")


def searched_row(searched: Searched, language: Language) -> Markup:
    """The chips that show how the question was understood; empty if there are none."""
    if not (searched.from_memory or searched.chips or searched.absent or searched.without):
        return Markup("")
    return render("searched", searched=searched, language=language)


def _pages_with(cells: Sequence[CellReference]) -> Callable[[Source, Sequence[Shown]], list[int]]:
    """Returns a function that names the pages of a source's quotations; the answer's ``cells`` know theirs best."""
    return lambda source, group: sorted({page for each in group if (page := quoted_page(source, each.quote, cells))})


def shown_quotes(response: Response | None, sources: Sequence[Source]) -> list[tuple[Source, list[Shown]]]:
    """The quotations below the answer's line, by source."""
    if response is None or response.action != "inquire":
        return []
    value = response.answer.value if response.answer else None
    beneath = [each for each in response.quotes if each.text != value]
    return quote_groups(beneath, sources, _cells_of(response))


def line_markup(run: ToldRun, language: Language) -> Markup | None:
    """The line above the answer; until there is a response, the one that was shown first."""
    answer = run.response.answer if run.response else run.line
    if answer is None or not answer.line.strip():
        return None
    labels = {} if answer.table else _labels_of(run.response, run.sources, language)
    quoted = passage_labels(run.response.quotes) if run.response else {}
    return answer_line(answer, run.sources, quoted, language, labels)


def _body(
    response: Response | None, partial: str, sources: Sequence[Source], language: Language, quoted: bool
) -> list[Markup]:
    """The answer's body, without text that repeats the first line or the quotations below the body."""
    if response is None:
        return partial_blocks(partial, sources, language)
    labels, addresses = _labels_of(response, sources, language), addresses_of(cited_sources(response, sources))
    text, support = body_text(response, sources, quoted=quoted)
    return draw_marks(blocks(with_marks(text, support), labels, addresses), support, language)


def body_text(response: Response, sources: Sequence[Source], *, quoted: bool) -> tuple[str, list[Sentence]]:
    """The Markdown below the first line, and the marks of its sentences. Args: quoted: the quotations follow
    separately."""
    text, support = response.text, response.support
    if response.kind == "remembered" and response.answer is None and not cited_sources(response, sources):
        return plain_lines(text), []
    if quoted and not support:
        text = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(">"))
    if response.answer and not support:
        text = text.replace(response.answer.line, "", 1).replace(response.answer.table, "", 1)
    return _beneath_line(response, text)


def _labels_of(response: Response | None, sources: Sequence[Source], language: Language) -> dict[int, CitationLabel]:
    """Labels of the citations: document and page where a model answered a question, else numbers. In front of a number
    the text prints its page."""
    named = response is None or (response.kind == "generated" and response.action in ("inquire", "memory"))
    return citation_labels(sources, language, by_passage=named)


def _beneath_line(response: Response, text: str) -> tuple[str, list[Sentence]]:
    """The text and its marks without the beginning that only repeats the line, unless that is contradicted."""
    end, support = response.repeats, response.support
    if not end or any(each.start < end and each.verdict == "contradicted" for each in support):
        return text, support
    moved = (each.model_copy(update={"start": each.start - end, "end": each.end - end}) for each in support)
    return text[end:], [each for each in moved if each.start >= 0]


def _remarks(response: Response | None, sources: Sequence[Source], language: Language) -> list[Markup]:
    remarks = response.remarks if response else []
    addresses = addresses_of(cited_sources(response, sources))
    labels = citation_labels(sources, language)
    return [block for remark in remarks for block in blocks(remark, labels, addresses)]


def found_with(response: Response | None, sources: Sequence[Source], language: Language) -> str:
    """The tools whose results the answer cites, unless its text names them."""
    titles = titles_of(cited_sources(response, sources))
    said = message("tools.manifest.found_with", titles=Words.joined(titles, ", ")).to(language) if titles else ""
    return "" if response is None or said in response.text else said


def titles_of(sources: Sequence[Source]) -> list[Words]:
    """Titles of the tools that found the sources, without duplicates."""
    return list({each.tool.en: each.tool for each in sources if each.tool is not None}.values())


def cited_sources(response: Response | None, sources: Sequence[Source]) -> list[Source]:
    """The sources that the answer cites or quotes."""
    if response is None:
        return []
    quoted = {quote.number for quote in response.quotes}
    cited = cited_numbers(response.text) | quoted
    cited |= cited_numbers(response.answer.line) if response.answer else set()
    return [source for source in sources if source.number in cited]


def _cited_in(text: str, sources: Sequence[Source]) -> list[Source]:
    cited = cited_numbers(text)
    return [source for source in sources if source.number in cited]
