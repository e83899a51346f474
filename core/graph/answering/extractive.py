"""Answers without a model: quotes the sentences that answer the question and adds remarks.

Only passages with a firm match are quoted as an answer. If none answers, the text says what was searched, and shows the
nearest passages, labelled as such.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Sequence
from dataclasses import replace

from core.answering.notices import near_evidence_notice, no_answer_notice, proven_notice
from core.answering.quotations import NEAREST, by_document, manner_of, spread_of, written
from core.answering.refusal import NEAREST as NEAREST_FOLLOW
from core.answering.refusal import lacking_words, refusal
from core.answering.unmatched_terms import unmatched_terms, unmentioned_words
from core.errors import PalimpsestError
from core.events import Notice, Passage, Quote, Response, Source
from core.figures.panel.answer import in_one
from core.figures.records import Candidate
from core.graph.answering.answer_form import wished
from core.graph.answering.closest import LEADING, ClosestSentences, find_closest
from core.graph.answering.closest_answer import closest_candidate, rests_on_prose
from core.graph.answering.corrections import corrected_response
from core.graph.answering.first_line import MEDIUM, confidence_of, first_lines, quotes_of, sentence_first
from core.graph.answering.named_document import from_named_document, names_document
from core.graph.answering.past_outcomes import PastOutcomes
from core.graph.memory.gating import memories_to_state, quoted
from core.graph.services import Services
from core.graph.state import Found, State, asked_in_full, question_of
from core.graph.understanding.form_wish import FormWish
from core.graph.understanding.intent.debate_order import without_debate_order
from core.graph.understanding.intent.web_phrases import without_web_order
from core.graph.understanding.mentions import without_mentions
from core.library.identity.names import period_keys
from core.library.library import Library
from core.library.records import Document
from core.messages import message
from core.models.extractive import AnswerPassage, ExtractiveAnswer, Spread
from core.question.analysed import analysed_as
from core.records.answer import Answer
from core.resilience.dependencies import Deadline
from core.review.actions.agreement import CitedDocument, compare_quotations
from core.review.actions.records import passage_of
from core.runs.trace import Emit, Trace
from core.search.documents.acceptance import firmly_accepted, near, nearest
from core.search.documents.without_outcomes import relevance_of
from core.words import Words

log = logging.getLogger(__name__)

MOST_REMEMBERED = 3
_REPORTS = frozenset(("annual report", "quarterly report", "current report", "earnings release"))
"""Document kinds whose figures belong to one period."""


async def quote(services: Services, state: State, trace: Trace, emit: Emit) -> tuple[Response, list[Source]]:
    """Returns the answer from ``state["found"].sources`` (first a direct answer line if one is certain enough, then
    quotations) and the sources, including all passages that the answer cites."""
    if correction := state["found"].correction:
        return corrected_response(state, correction), state["found"].sources
    if state["found"].planned:
        return _planned_response(state), state["found"].sources
    if absent := _absence_response(state):
        return absent, state["found"].sources
    wish = wished(state)
    spread = _spread(state, wish)
    with trace.step("generating") as step:
        first = next(iter(await first_lines(services, state, lambda words: emit(Notice(words=words)))), None)
        closest = await _closest_of(services, state, first)
        if closest is not None:
            step.detail(message("graph.extractive.compared", count=len(closest.ranked)))
            return await _closest_response(services, state, closest, first if first and rests_on_prose(first) else None)
        named = await from_named_document(services, state, first)
        if named is not None:
            first, state = named.line, {**state, "found": state["found"] | Found(sources=named.sources)}
        found = await _extracted(services, state, passages_of(state["found"].sources), spread)
        step.detail(_quoted_words(found))
    if named is not None and not named.bears:
        return _remembered(state) or await refusal_response(services, state), state["found"].sources
    if first is not None:
        sources = await with_cited(services.library, state["asked"].user_id, state["found"].sources, first.answer)
        state = {**state, "found": state["found"] | Found(sources=sources)}
    carrying = quotes_of(first.answer, state["found"].sources) if first else []
    others = [] if found.abstained else [each for each in _sentence_quotes(found) if each not in carrying]
    if first is None and not others:
        return _remembered(state) or await refusal_response(services, state), state["found"].sources
    most = spread.total if wish.sentences is None else max(1, wish.sentences - (first is not None and not carrying))
    quotes = [*carrying, *others][: max(most, len(carrying))]
    return await quotation_response(services, state, quotes, first), state["found"].sources


async def _closest_of(services: Services, state: State, first: Candidate | None) -> ClosestSentences | None:
    """Returns the closest sentences if the answer may rest on them: not if a table gives it, unless that is uncertain
    and a sentence is *Found*; not if the question names the document, which is then read as a whole, or if the only
    document is better read as a whole."""
    tabled = first is not None and not rests_on_prose(first)
    if (first and tabled and first.sureness >= MEDIUM) or await names_document(services, state):
        return None
    closest = await find_closest(services, state)
    if closest is None or (first and closest.beside_tables) or (tabled and closest.state != "found"):
        return None
    only = len(await services.turn.listed(state)) == 1
    return None if only and closest.state == "not_found" and first is None else closest


async def _closest_response(
    services: Services, state: State, closest: ClosestSentences, first: Candidate | None
) -> tuple[Response, list[Source]]:
    """Builds the answer from the closest sentences; if they do not answer, quotes them below what was searched. The
    first three lead; the page folds further ones, which the wider modes add."""
    state = {**state, "found": state["found"] | Found(sources=closest.sources)}
    asked = state["asked"]
    wish = wished(state)
    spread = _spread(state, wish)
    lacking = lacking_words(closest.unmentioned, closest.missing_kind)
    if closest.state == "not_found":
        response = _remembered(state) or await refusal_response(services, state, closest.quotes(LEADING), lacking)
        return response, closest.sources
    brief = wish.sentences is not None or asked.rules.length == "concise"
    quotes = closest.quotes(spread.total if brief else max(LEADING, spread.total))
    candidate = closest_candidate(closest, first, asked.language)
    remark = (unmentioned_words(closest.unmentioned) or lacking) if closest.state == "closest" else None
    return await quotation_response(services, state, quotes, candidate, remark), closest.sources


def _spread(state: State, wish: FormWish) -> Spread:
    """Returns how many sentences the answer quotes; the wished number, if there is one."""
    spread = spread_of(state["asked"].ask.mode, wish.applied_to(state["asked"].rules))
    return replace(spread, total=wish.sentences) if wish.sentences else spread


def _planned_response(state: State) -> Response:
    """Builds the answer of a plan: a line for each measure, with its table."""
    whole = in_one(state["found"].planned)
    return Response(
        kind="extractive",
        text=f"{whole.line}\n\n{whole.table}",
        language=state["asked"].language,
        answer=whole,
        confidence="medium" if state["found"].confidence == "medium" or whole.doubt else "high",
    )


async def quotation_response(
    services: Services,
    state: State,
    quotes: Sequence[Quote],
    first: Candidate | None = None,
    unmentioned: Words | None = None,
) -> Response:
    """Builds an answer from ``quotes`` with remarks on how their documents agree or differ. It starts with ``first``'s
    line, or else with the nearest quoted sentence; ``unmentioned`` says what no passage mentions."""
    wish = wished(state)
    language, rules = state["asked"].language, wish.applied_to(state["asked"].rules)
    wide = state["asked"].ask.mode != "quick" and wish.sentences is None
    quotes = by_document(quotes) if wide else list(quotes)
    manner = manner_of(rules)
    mate = unmentioned or (_mate(state, quotes) if first is None else None)
    opening = mate.to(language) if mate else ""
    remarks = [each.to(language) for each in await _remarks(services, state, quotes)] if wide else []
    if rules.citations == "cite_patterns" and (earned := _proven(state, quotes)):
        remarks.append(earned.to(language))
    titles = {source.number: source.title for source in state["found"].sources}
    answer = first.answer if first else _nearest_sentence(quotes, state["found"].sources)
    beneath = [
        each for each in quotes if answer is None or (each.text != answer.value and each.text not in answer.line)
    ]
    lead = "\n\n".join(part for part in (answer.line if answer else "", opening) if part)
    return Response(
        kind="extractive",
        text=written(beneath, titles, manner, lead, remarks),
        language=language,
        answer=answer,
        confidence=confidence_of(first) if first else None,
        opening=opening,
        quotes=quotes,
        remarks=remarks,
        manner=manner,
    )


async def refusal_response(
    services: Services, state: State, quotes: Sequence[Quote] | None = None, lacking: Words | None = None
) -> Response:
    """Builds a "nothing found" response: what was searched, what the nearest passages are ``lacking``, and the closest
    sentences: ``quotes``, or a sentence from each of the nearest passages."""
    language = state["asked"].language
    if quotes is None:
        closest = nearest(state["found"].sources)
        found = await _extracted(services, state, [_readable(*each) for each in closest], NEAREST)
        quotes = _sentence_quotes(found)
    opening = refusal(
        state["found"].reach,
        shown=bool(quotes),
        awaited=bool(state["found"].awaited),
        web=any(source.kind == "web" for source in state["found"].sources),
        tried=any(
            passage.precedence < 0 for source in firmly_accepted(state["found"].sources) for passage in source.passages
        ),
        lacking=lacking,
    ).to(language)
    manner = manner_of(state["asked"].rules)
    titles = {source.number: source.title for source in state["found"].sources}
    return Response(
        kind="nothing_found",
        text=written(quotes, titles, manner, f"{opening} {NEAREST_FOLLOW.to(language)}" if quotes else opening),
        language=language,
        opening=opening,
        quotes=list(quotes),
        manner=manner,
    )


async def _extracted(
    services: Services, state: State, passages: Sequence[AnswerPassage], spread: Spread
) -> ExtractiveAnswer:
    return await services.extractive.answer(
        without_debate_order(without_web_order(asked_in_full(state))),
        state["asked"].language,
        passages,
        spread,
        Deadline(services.settings.deadlines.embed_query * 2),
    )


async def quotes_meanwhile(services: Services, state: State) -> list[Quote]:
    """The sentences of the found passages that answer the question; empty if none does."""
    spread = _spread(state, wished(state))
    found = await _extracted(services, state, passages_of(state["found"].sources), spread)
    return [] if found.abstained else _sentence_quotes(found)


def _sentence_quotes(found: ExtractiveAnswer) -> list[Quote]:
    return [Quote(number=each.number, item_id=each.item_id, text=each.text) for each in found.sentences]


def _quoted_words(found: ExtractiveAnswer) -> Words:
    count = 0 if found.abstained else len(found.sentences)
    quoted = message("graph.extractive.quoted", count=count)
    return Words.joined([quoted, found.skipped] if found.skipped else [quoted], " · ")


def passages_of(sources: Sequence[Source]) -> list[AnswerPassage]:
    """Returns the passages that may be quoted, best first. If all firm passages are known not to answer and there are
    loosely related ones, returns none."""
    ranked = sorted(
        ((source, passage) for source in firmly_accepted(sources) for passage in source.passages),
        key=lambda each: (-each[1].precedence, -each[1].score),
    )
    if near(sources) and all(passage.precedence < 0 for _, passage in ranked):
        return []
    return [_readable(source, passage) for source, passage in ranked]


def _readable(source: Source, passage: Passage) -> AnswerPassage:
    return AnswerPassage(
        number=source.number,
        item_id=passage.item_id,
        text=passage.text,
        title=source.title,
        filename=source.filename,
        section=passage.section or "",
        score=relevance_of(passage),
        outcomes=passage.outcomes,
        precedence=passage.precedence,
    )


async def _remarks(services: Services, state: State, quotes: Sequence[Quote]) -> list[Words]:
    """Returns remarks on where documents agree or differ, on documents without an answer, and on loosely related
    passages."""
    sources = state["found"].sources
    remarks: list[Words] = []
    if len({quote.number for quote in quotes}) > 1:
        remarks = compare_quotations(quotes, _question_text(state), await _parties(services, state))
    most = services.settings.mode(state["asked"].ask.mode).top_k
    notices = (
        no_answer_notice(state["found"].reach, firmly_accepted(sources), most),
        near_evidence_notice(near(sources)),
    )
    return [*remarks, *(each for each in notices if each)]


def _question_text(state: State) -> str:
    question = question_of(state)
    return analysed_as(question, without_debate_order(without_web_order(without_mentions(question.text)))).focus


async def _parties(services: Services, state: State) -> dict[int, CitedDocument]:
    by_id = await services.turn.by_id(state)
    return {
        source.number: _party(by_id[source.document_id])
        for source in state["found"].sources
        if source.document_id in by_id
    }


def _party(document: Document) -> CitedDocument:
    about = document.metadata
    periods = frozenset(period_keys(document)) if about.kind in _REPORTS else frozenset()
    return CitedDocument(frozenset(each.name for each in about.organisations), periods)


def _mate(state: State, quotes: Sequence[Quote]) -> Words | None:
    sources = firmly_accepted(state["found"].sources)
    ids = {quote.item_id for quote in quotes}
    texts = {
        passage.item_id: " ".join((source.title, passage.section or "", passage.text))
        for source in sources
        for passage in source.passages
    }
    chosen = [text for identifier, text in texts.items() if identifier in ids]
    return unmatched_terms(_question_text(state), state["asked"].question_language, chosen, list(texts.values()))


def _proven(state: State, quotes: Sequence[Quote]) -> Words | None:
    earned = {p.item_id for source in state["found"].sources for p in source.passages if p.outcomes > 1}
    return proven_notice(quotes, earned)


def _absence_response(state: State) -> Response | None:
    """Builds a response that says which organisation or period of the question no document has, without quoting another
    document instead."""
    searched = state["found"].searched
    if searched is None or not searched.absent:
        return None
    language = state["asked"].language
    text = " ".join(each.words.to(language) for each in searched.absent)
    return Response(kind="nothing_found", text=text, language=language, opening=text)


def _nearest_sentence(quotes: Sequence[Quote], sources: Sequence[Source]) -> Answer | None:
    """Returns the best quotation as a sentence, or ``None`` if it is a table row or comes from the web."""
    best = next(iter(quotes), None)
    of_documents = {source.number for source in sources if source.kind == "document"}
    if best is None or best.number not in of_documents or " | " in best.text:
        return None
    return sentence_first(best, PastOutcomes.of(sources))


def _remembered(state: State) -> Response | None:
    """Quotes the memory word for word if the documents have no answer."""
    meta = state["found"].meta
    if meta is None:
        return None
    numbers = meta.retrieval.search_position_map.by_memory_id
    known = [each for each in memories_to_state(meta, state["asked"].rules.current_only) if each.memory_id in numbers]
    if not known:
        return None
    text = "\n\n".join(
        f"> {quoted(each.content)} [M{numbers[each.memory_id].position}]" for each in known[:MOST_REMEMBERED]
    )
    return Response(kind="remembered", text=text, language=state["asked"].language)


async def with_cited(library: Library, user_id: str, sources: Sequence[Source], answer: Answer) -> list[Source]:
    """Adds passages that the answer cites but no search found. For example, a fact from a cover page or a signature is
    read from the whole document, and its citation must open that passage. If a document was deleted in the meantime,
    its source stays unchanged and the line has no quotation."""
    shown = {passage.item_id for source in sources for passage in source.passages}
    missing = {cell.item_id: cell.document_id for cell in answer.cells if cell.item_id and cell.item_id not in shown}
    found = []
    for source in sources:
        own = {item for item, document in missing.items() if document == source.document_id}
        if own:
            source = await _with_passages(library, user_id, source, own)
        found.append(source)
    return found


async def _with_passages(library: Library, user_id: str, source: Source, item_ids: Collection[str]) -> Source:
    try:
        chunks = await library.passages(user_id, source.document_id, list(item_ids))
    except PalimpsestError:
        log.warning("the passage that an answer stands on could not be read", exc_info=True)
        return source
    more = [passage_of(chunk) for chunk in sorted(chunks, key=lambda chunk: chunk.place.order)]
    return source.model_copy(update={"passages": [*source.passages, *more]})
