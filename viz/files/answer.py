"""Writes an answer as Markdown, as the page shows it: line, quotations, text and results, then its sources with the
cited pages and cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from core.datasets.answers.cited_results import results_below
from core.events import Response, Sentence, SentenceVerdict, Source
from core.graph.understanding.mentions import readable
from core.records.answer import Answer, CellReference
from core.search.documents.passage_numbers import grouped_by_document
from core.words import Language
from viz.answer import ToldRun, answer_state, body_text, cited_sources, found_with, shown_quotes
from viz.citations import cited_pages, page_words, place_of, quoted_page
from viz.files.data_markdown import result_markdown
from viz.files.quotations import quotations_markdown
from viz.first_line import plain_line
from viz.labels import label
from viz.neutral_markdown import addresses_of, neutral_markdown

MOST_QUOTES = 40
"""Maximum number of passages written out per source."""


def answer_markdown(run: ToldRun, title: str = "") -> str:
    """The answer or what the run says in place of one, then each source by number. A file begins with ``title``; an
    action on documents names these instead."""
    response = run.response
    sources = listed_sources(response, run.sources) if response else []
    if response and response.action in ("summarize", "compare", "audit"):
        title = " · ".join(dict.fromkeys(source.title for source in sources)) or title
    parts = [f"# {_flat(title)}" if title else "", *answer_parts(run), *_source_parts(response, sources, "##")]
    whole = "\n\n".join(part for part in parts if part) + "\n"
    return neutral_markdown(whole, addresses_of(cited_sources(response, run.sources)))


def answer_section(run: ToldRun) -> str:
    """The answer and its sources, for a section of a longer file, which makes the whole neutral."""
    sources = listed_sources(run.response, run.sources) if run.response else []
    return "\n\n".join([*answer_parts(run), *_source_parts(run.response, sources, "###")])


def answer_title(question: str) -> str:
    """The question as the title of a file: names in place of mentions, without file extensions."""
    return readable(question)


def answer_parts(run: ToldRun) -> list[str]:
    """The answer without its title and its sources, one string per paragraph, table or quotation."""
    language, response = run.trace.language, run.response
    parts = [f"*{_flat(words.to(language))}*" for words in run.notices]
    if response is None:
        parts.append(run.text.strip())
    else:
        parts += _answered(run, response)
    if run.problem:
        parts.append(" ".join(run.problem.to(language)))
    elif run.outcome == "cancelled":
        parts.append(label("stopped", language))
    return [part for part in parts if part.strip()]


def listed_sources(response: Response, sources: Sequence[Source]) -> list[Source]:
    """Returns the cited sources. An action on documents also lists the documents of which it cites no passage."""
    cited = {source.number for source in cited_sources(response, sources)}
    listed: list[Source] = []
    for group in grouped_by_document(sources):
        own = [source for source in group if source.number in cited]
        whole = [] if response.action == "inquire" else [each for each in group[:1] if each.data is None]
        listed += own or whole
    return sorted(listed, key=lambda source: source.number)


def _answered(run: ToldRun, response: Response) -> Iterator[str]:
    language, sources = response.language, run.sources
    quotes = shown_quotes(response, sources)
    state = answer_state(response, run.confidence, run.searched)
    if state in ("closest", "not_found") and not (response.answer and not response.answer.decided):
        yield f"*{label(f'state_{state}', language)}*"
    if response.answer and response.answer.line.strip():
        yield from _line(response.answer, language)
    cells = response.answer.cells if response.answer else []
    if quotes:
        if response.kind == "nothing_found":
            yield response.opening or body_text(response, sources, quoted=True)[0].strip()
            yield f"**{label('near', language)}**"
        else:
            yield response.opening
        yield from quotations_markdown(quotes, cells, language)
        yield from response.remarks
    else:
        yield body_text(response, sources, quoted=False)[0].strip()
    below = [source for source in results_below(response, sources) if source.data]
    yield from (result_markdown(each.data, each.number, language) for each in below if each.data)
    yield from _doubted(response)
    if with_tools := found_with(response, sources, language):
        yield f"*{with_tools}*"
    yield from (f"*{_flat(words.to(language))}*" for words in response.disclaimers)


def _line(answer: Answer, language: Language) -> Iterator[str]:
    """The first line with its doubt, its table or result, and its calculation."""
    doubt, closest = answer.doubt.to(language) if answer.doubt else "", label("state_closest", language)
    if not answer.decided and closest not in doubt:
        yield f"*{closest}*"
    yield f"**{_flat(plain_line(answer))}**"
    if answer.data:
        yield result_markdown(answer.data, None, language)
    else:
        yield answer.table
    yield f"*{doubt}*" if doubt else ""
    if answer.calculation:
        yield f"{label('calculated', language)} {_flat(answer.calculation)}"
    if answer.others:
        others = "; ".join(_cell(each, language) for each in answer.others)
        yield f"{label('stated_otherwise', language)} {others}"


_DOUBTS: dict[SentenceVerdict, str] = {"contradicted": "support_contradicted", "not_checked": "support_unchecked"}


def _doubted(response: Response) -> Iterator[str]:
    """The sentences that a source contradicts or that no source confirms, since their marks on the page are lost in a
    text."""
    for verdict, key in _DOUBTS.items():
        said = [each for each in response.support if each.verdict == verdict]
        if said:
            yield f"**{label(key, response.language).capitalize()}**"
            yield "\n".join(f"- {_sentence(response, each)}: {_flat(each.why.to(response.language))}" for each in said)


def _sentence(response: Response, sentence: Sentence) -> str:
    return _flat(response.text[sentence.start : sentence.end].replace("**", ""))


def _source_parts(response: Response | None, sources: Sequence[Source], heading: str) -> list[str]:
    if response is None or not sources:
        return []
    named = f"{heading} {label('sources', response.language)}"
    return [named, *(_source(response, source) for source in sources)]


def _source(response: Response, source: Source) -> str:
    language = response.language
    cells = response.answer.cells if response.answer else []
    where = [source.url or (_flat(source.filename) if source.filename != source.title else "")]
    place = page_words(cited_pages(source, response.quotes, cells), language)
    where.append(place or (place_of(source, language) if response.action == "inquire" else ""))
    named = ", ".join(part for part in where if part)
    head = f"**[{source.number}] {_flat(source.title)}**{f' ({named})' if named else ''}"
    lines = [f"- {_cell(each, language)}" for each in cells if each.number == source.number and each.table is not None]
    if response.action != "inquire":
        lines += _quote_lines(response, source)
    lines = list(dict.fromkeys(lines))[:MOST_QUOTES]
    return "\n".join([head, *(["", *lines] if lines else [])])


def _cell(cell: CellReference, language: Language) -> str:
    """ "Net cash · 2022: $4,862 (p. 2)"."""
    names = " · ".join(part for part in (_flat(cell.label), _flat(cell.header)) if part)
    place = f" ({page_words([cell.page], language)})" if cell.page else ""
    return f"{names}{': ' if names else ''}{_flat(cell.text)}{place}"


def _quote_lines(response: Response, source: Source) -> Iterator[str]:
    cells = response.answer.cells if response.answer else []
    for quote in response.quotes:
        if quote.number == source.number:
            page = quoted_page(source, quote, cells)
            yield f"- “{_flat(quote.text)}”{f' ({page_words([page], response.language)})' if page else ''}"


def _flat(text: str) -> str:
    return " ".join(text.split()).replace("|", "·")
