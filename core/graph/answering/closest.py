"""Finds the sentences that are closest to a question, in both languages, without a model.

The candidates are the passages that the search accepted and the closest ones that it did not, because a passage in
another language than the question rarely reaches the strength of one in the same language. All their sentences are
compared.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from core.answering.prose.closeness import SAID, CloseSentence, Floats, closest_sentences, similarities
from core.answering.prose.closest_state import ClosestState, heard_words, state_of
from core.answering.prose.question import ProseQuestion, read_question
from core.answering.prose.sentences import Statement, all_statements
from core.events import Passage, Quote, Source
from core.figures.records import TextEvidence
from core.graph.answering.evidence import origin_of
from core.graph.answering.past_outcomes import PastOutcomes
from core.graph.services import Services
from core.graph.state import Found, State, question_of
from core.graph.understanding.intent.debate_order import without_debate_order
from core.graph.understanding.intent.web_phrases import without_web_order
from core.graph.understanding.mentions import without_mentions
from core.language.terms import weak_words
from core.library.records import Document
from core.models.embeddings import Embeddings, Matrix
from core.question.source_phrase import without_quoted_titles
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery
from core.search.documents.without_outcomes import without_outcomes

log = logging.getLogger(__name__)

PASSAGES = 24
"""Number of the closest passages that are read in each language."""
SENTENCES = 128
"""Maximum number of sentences compared by embeddings."""
LONGEST = 400
"""Maximum characters of a sentence that are compared."""
BATCH = 16
"""Number of sentences embedded in one call, so that a deadline does not lose those already embedded."""
SECONDS = 1.2
MOST_FILTERED = 500
"""Maximum number of documents in the other language by which a search is limited."""
LEADING = 3
"""Number of the closest quotations that lead."""
MOST_SHOWN = 12
"""Maximum number of quotations of an answer."""
MENTIONED_FROM = 0.2
"""Minimum weight of a word of the question that is reported if no sentence has it."""
MOST_UNMENTIONED = 3


@dataclass(frozen=True)
class ClosestSentences:
    """The sentences, closest first; ``sources`` are the found ones and those of the shown sentences.
    ``with_tables`` are the documents with tables among the compared passages."""

    question: ProseQuestion
    ranked: list[CloseSentence]
    term_weights: Floats
    sources: list[Source]
    state: ClosestState
    with_tables: frozenset[str] = frozenset()

    @property
    def beside_tables(self) -> bool:
        """Whether the document of the closest sentence has tables among its closest passages, which may hold the
        answer."""
        document_id = self.ranked[0].statement.passage.origin.document_id
        return document_id in self.with_tables

    def quotes(self, most: int) -> list[Quote]:
        """Returns the ``most`` closest sentences as quotations."""
        return [self.quote_of(each) for each in self.ranked[:most]]

    @property
    def unmentioned(self) -> list[str]:
        """The words of the question that weigh most and that no compared sentence has; none if the closest sentence is
        in another language, whose words cannot all be compared."""
        best = self.ranked[0]
        if best.foreign or not self.question.terms:
            return []
        shares = zip(self.question.terms, heard_words(self.ranked), self.term_weights, strict=True)
        missing = [
            term.text
            for term, heard, weight in shares
            if not heard and weight >= MENTIONED_FROM and term.text not in weak_words() and not term.is_number
        ]
        return missing[:MOST_UNMENTIONED]

    @property
    def missing_kind(self) -> str:
        """The kind of value that the question asks for, if none of the closest sentences has it; else empty."""
        has = any(each.features["kind"] >= SAID for each in self.ranked[:LEADING])
        return "" if has else self.question.main

    def quote_of(self, close: CloseSentence) -> Quote:
        passage = close.statement.passage
        number = next(each.number for each in self.sources if each.document_id == passage.origin.document_id)
        return Quote(number=number, item_id=passage.item_id, text=close.statement.text)


async def find_closest(services: Services, state: State) -> ClosestSentences | None:
    """Returns the closest sentences; ``None`` if there are none, if they cannot be compared by embeddings, or if a
    passage is known to answer the question."""
    sources = state["found"].sources
    others = any(source.kind != "document" for source in sources)
    if services.embeddings is None or others or PastOutcomes.of(sources).answered:
        return None
    try:
        sources = await _with_closest(services, state)
        return await _ranked(services, state, sources)
    except Exception:
        log.warning("the closest sentences were not looked for", exc_info=True)
        return None


async def compare_sentences(services: Services, state: State, more: Sequence[Source] = ()) -> ClosestSentences | None:
    """Returns the sentences of all documents that are closest to a question that was not searched for yet, with those
    of ``more``; feedback on passages does not count."""
    if services.embeddings is None:
        return None
    found = await services.documents.find(
        DocumentQuery(
            user_id=state["asked"].user_id,
            text=without_debate_order(without_web_order(without_mentions(question_of(state).text))),
            analysed=question_of(state),
            known=await services.turn.known(state),
            mode=state["asked"].ask.mode,
            conversation_id=state["asked"].conversation_id,
            document_ids=state["asked"].document_ids,
        ),
        Deadline(services.settings.deadlines.retrieval),
    )
    searched: State = {**state, "found": Found(sources=_merged(found.sources, more), bound=found.bound).complete()}
    sources = without_outcomes(await _with_closest(services, searched))
    return await _ranked(services, searched, sources, {each.item_id for source in more for each in source.passages})


async def _with_closest(services: Services, state: State) -> list[Source]:
    """Returns the found sources with the closest passages in each language; passages of a source that is already there
    are added to it."""
    asked = state["asked"]
    text = without_debate_order(without_web_order(without_mentions(question_of(state).text)))
    documents = await services.turn.listed(state)
    others = [each.id for each in documents if each.metadata.language not in (asked.question_language, "mixed")]
    within = set(asked.document_ids or [each.id for each in documents])
    foreign = [each for each in others if each in within]
    limited = state["found"].bound or not 0 < len(foreign) <= MOST_FILTERED
    scopes = [asked.document_ids] if limited else [asked.document_ids, foreign]
    sources = list(state["found"].sources)
    for chosen in scopes:
        query = DocumentQuery(
            user_id=asked.user_id,
            text=text,
            analysed=question_of(state),
            known=await services.turn.known(state),
            mode=asked.ask.mode,
            conversation_id=asked.conversation_id,
            document_ids=chosen,
            without=tuple(asked.ask.without),
        )
        deadline = Deadline(services.settings.deadlines.retrieval)
        sources = _merged(sources, await services.documents.closest(query, PASSAGES, deadline, len(sources)))
    return sources


def _merged(sources: Sequence[Source], more: Sequence[Source]) -> list[Source]:
    """Returns ``sources`` with ``more``; a document stays one source."""
    merged = {source.document_id: source for source in sources}
    for source in more:
        known = merged.get(source.document_id)
        if known is None:
            merged[source.document_id] = source.model_copy(update={"number": len(merged) + 1})
            continue
        shown = {passage.item_id for passage in known.passages}
        new = [passage for passage in source.passages if passage.item_id not in shown]
        merged[source.document_id] = known.model_copy(update={"passages": [*known.passages, *new]})
    return list(merged.values())


async def _ranked(
    services: Services, state: State, sources: Sequence[Source], kept: Collection[str] = ()
) -> ClosestSentences | None:
    """Returns the most promising sentences and those of the passages ``kept``, closest first."""
    question = question_of(state)
    by_id = await services.turn.by_id(state)
    titles = [each.metadata.title for each in by_id.values()]
    wanted = read_question(without_quoted_titles(question.focus or question.text, titles), question.language)
    passages = [
        _evidence(source, passage, by_id.get(source.document_id))
        for source in sources
        for passage in source.passages
        if passage.precedence >= 0
    ]
    found, term_weights = await asyncio.to_thread(all_statements, wanted, passages)
    best = _promising(wanted, found)
    chosen = set(map(id, best))
    found = [*(each for each in found if each.passage.item_id in kept and id(each) not in chosen), *best]
    if not found or services.embeddings is None:
        return None
    query = await services.embeddings.embed_query(wanted.text)
    vectors = await _embedded(services.embeddings, found, Deadline(SECONDS))
    found = found[: len(vectors)]
    meanings = similarities(vectors, [each.language for each in found], query, wanted.language)
    ranked = await asyncio.to_thread(closest_sentences, wanted, found, term_weights, meanings)
    return ClosestSentences(
        question=wanted,
        ranked=ranked,
        term_weights=term_weights,
        sources=_cited(state["found"].sources, sources, ranked),
        state=state_of(wanted, ranked, term_weights),
        with_tables=frozenset(each.origin.document_id for each in passages if each.is_table),
    )


def _evidence(source: Source, passage: Passage, document: Document | None) -> TextEvidence:
    return TextEvidence(
        origin=origin_of(source, document),
        item_id=passage.item_id,
        text=passage.text,
        path=(passage.section,) if passage.section else (),
        page=passage.page,
        score=max(0.0, passage.score),
        is_table=passage.table is not None,
    )


async def _embedded(embeddings: Embeddings, found: Sequence[Statement], deadline: Deadline) -> Matrix:
    """Returns the embeddings of as many sentences as there is time for, in order; of the first ones in any case."""
    vectors: list[Matrix] = []
    for start in range(0, len(found), BATCH):
        if start and deadline.remaining() <= 0:
            break
        vectors.append(await embeddings.embed_passages([each.text[:LONGEST] for each in found[start : start + BATCH]]))
    return np.concatenate(vectors)


def _promising(question: ProseQuestion, found: Sequence[Statement]) -> list[Statement]:
    """Returns the sentences to compare: those with the most words of the question, and from the best passages; by turns
    in both languages."""
    ranked = sorted(found, key=lambda each: -(each.witnesses["nearby"] + each.witnesses["passage"]))
    own = [each for each in ranked if each.language == question.language]
    others = [each for each in ranked if each.language != question.language]
    turns = itertools.chain.from_iterable(itertools.zip_longest(own, others))
    return [each for each in turns if each is not None][:SENTENCES]


def _cited(before: Sequence[Source], merged: Sequence[Source], ranked: Sequence[CloseSentence]) -> list[Source]:
    """Returns the sources from before, and the documents and passages of the shown sentences."""
    shown = {each.statement.passage.item_id for each in ranked[:MOST_SHOWN]}
    known = {source.document_id: {passage.item_id for passage in source.passages} for source in before}
    cited: list[Source] = []
    for source in merged:
        own = known.get(source.document_id, set())
        kept = [each for each in source.passages if each.item_id in own or each.item_id in shown]
        if kept:
            cited.append(source.model_copy(update={"number": len(cited) + 1, "passages": kept}))
    return cited
