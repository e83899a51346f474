"""Searches documents for a question: determines what the question is about, runs the search, and builds citations."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from core.events import Source
from core.language.bounded_text import bounded
from core.language.normalisation import fold
from core.language.terms import content_terms, covers
from core.messages import message
from core.question.absent_entities import absent_organisation, absent_periods, unrecorded_names
from core.question.analysed import AnalysedQuestion, analysed_as
from core.question.analysis import analyse
from core.question.chips import Chips, chips_of, guessed_organisation, unbound_chips
from core.question.filenames import NamedByFilename, filename_tokens, named_documents
from core.question.focus import Focus
from core.question.known_entities import KnownDocument
from core.question.subject import Subject, subject_of
from core.records.subject_matter import Absent, Chip, Completed, chip_key
from core.resilience.dependencies import Deadline
from core.search.documents.acceptance import Accepted, AcceptedBy, document_of, split_by_acceptance, with_nearest
from core.search.documents.coverage import SearchCoverage
from core.search.documents.rows import RowFinder, with_rows
from core.search.documents.sources import cite, marked_as_near
from core.search.pipeline import RELEVANCE, Pipeline, Profile, RankingQuestion
from core.search.request import ScoredHit, SearchRecord, SearchRequest, SearchResult, Steps, silent
from core.search.scoring.calibration import ANCHOR, Confidence, confidence
from core.setting_groups import Mode, ModeName, Search
from core.store.items import LIBRARY, MemoryItem
from core.words import Words

log = logging.getLogger(__name__)

MOST_TITLES = 6
"""Maximum number of documents whose titles are listed."""
MOST_CHIPS = 3
"""Maximum number of documents found by filename that each get a chip (a search filter that the user can remove)."""
MOST_NAMED = 12
"""Maximum number of documents for which a filename match also makes weak passages acceptable; with more documents, the
match only limits the search."""

Documents = Callable[[str, Sequence[str]], Awaitable[Sequence[KnownDocument]]]
"""Takes a user and scopes; returns the visible documents."""


@dataclass(frozen=True)
class DocumentQuery:
    """A document search; ``document_ids`` are the documents a question was resolved to, which take precedence over
    filenames. ``completed`` explains how ``text`` was derived from the question; ``without`` are the keys of removed
    chips (search filters). ``analysed`` is the question of the turn; it is used if its text is ``text``. ``known`` are
    the documents that the user may see, if they are already listed."""

    user_id: str
    text: str
    mode: ModeName
    conversation_id: str | None = None
    document_ids: list[str] | None = None
    completed: Completed | None = None
    without: tuple[str, ...] = ()
    analysed: AnalysedQuestion | None = None
    known: Sequence[KnownDocument] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", bounded(self.text))

    @cached_property
    def question(self) -> AnalysedQuestion:
        return analysed_as(self.analysed, self.text)


@dataclass
class DocumentSearchResult:
    """The result of a search.

    ``sources`` are sorted by best score, the loosely related ones (near) after the firm ones; ``confidence`` is that of
    the firm ones, *none* if there are none. ``notices`` say what was left out; ``bound``: an organisation in the
    question limited the search; ``reach`` says to which documents.

    ``chips`` (removable search filters) show what the question was understood to be about, and ``sure`` is their
    certainty, 0..1; ``absent`` is what the question names but no document contains.
    """

    sources: list[Source]
    confidence: Confidence
    candidates: int
    notices: list[Words] = field(default_factory=list)
    bound: bool = False
    reach: SearchCoverage = field(default_factory=SearchCoverage)
    record: SearchRecord | None = None
    chips: list[Chip] = field(default_factory=list)
    sure: float = 1.0
    absent: list[Absent] = field(default_factory=list)


@dataclass(frozen=True)
class _Meant:
    """The scope of a search: ``chosen`` are the documents to search, ``known`` are all documents that the user may
    see."""

    subject: Subject
    chosen: NamedByFilename
    known: Sequence[KnownDocument]


@dataclass
class DocumentSearch:
    """Searches the library and the conversation's own documents; ``profile`` adjusts the relevance of passages."""

    _pipeline: Pipeline
    _documents: Documents
    _modes: Callable[[ModeName], Mode]
    _settings: Search
    _profile: Profile = RELEVANCE
    _rows: RowFinder | None = None

    async def find(self, query: DocumentQuery, deadline: Deadline, steps: Steps = silent) -> DocumentSearchResult:
        """Returns the citations for a question; if nothing is close enough, the nearest with confidence ``none``."""
        mode = self._modes(query.mode)
        query = _without_documents(query)
        meaning = await self._scope(query)
        subject, chosen = meaning.subject, meaning.chosen
        terms = content_terms(subject.focus.asked)
        result = await self._search(query, subject.focus, chosen.document_ids, deadline, steps)
        freed = bool(chosen.document_ids) and not query.document_ids and self._is_lost(result, chosen)
        if freed:
            names = subject.organisations
            chosen, subject = NamedByFilename([]), Subject(query.question.parts)
            terms = content_terms(subject.focus.asked)
            result = await self._search(query, subject.focus, [], deadline, steps)
            result.record.skipped += [_lifted(names)] if names else []
        pre_filtered = 0 < len(chosen.document_ids) <= MOST_NAMED
        firm, near = split_by_acceptance(
            [(hit, reason) for hit in result.hits if (reason := self._accept(hit, terms, pre_filtered, mode))]
        )
        sources = cite(firm, mode.top_k, subject.newest)
        answers = any(hit.precedence >= 0 for hit, _ in firm)
        others = near if answers else with_nearest(near, _elsewhere(result.hits, sources))
        loose = cite(others, mode.top_k - len(sources))
        sources = [*sources, *marked_as_near(loose, len(sources))]
        sources, has_rows = await self._with_rows(query, meaning.known, chosen, sources)
        absent = await self._absent_names(query, meaning, result, deadline)
        chips = _chips(query, meaning, absent, [each.document_id for each in sources])
        chips = unbound_chips(chips) if freed else chips
        level = confidence(_highest_strength([hit for hit, _ in firm]) if firm else None, self._settings)
        return DocumentSearchResult(
            sources=sources,
            confidence="medium" if has_rows and level in ("none", "low") else level,
            candidates=result.record.candidates,
            notices=result.record.skipped,
            bound=bool(subject.organisations),
            reach=_reach(meaning.known, subject, chosen),
            record=result.record,
            chips=list(chips.chips),
            sure=chips.confidence,
            absent=absent,
        )

    async def _with_rows(
        self, query: DocumentQuery, known: Sequence[KnownDocument], chosen: NamedByFilename, sources: list[Source]
    ) -> tuple[list[Source], bool]:
        """Adds the rows of long tables that hold rare words of the question; returns whether some may be quoted."""
        if self._rows is None:
            return sources, False
        searched = {each.id: each for each in known if not chosen.document_ids or each.id in chosen.document_ids}
        rows = await self._rows.find(query.user_id, query.text, list(searched))
        return with_rows(sources, rows, query.text, searched)

    async def known(self, user_id: str, conversation_id: str | None = None) -> Sequence[KnownDocument]:
        """Returns the visible documents; none if the catalogue cannot be read."""
        try:
            return await self._documents(user_id, _scopes(conversation_id))
        except Exception:
            log.warning("the catalogue was not compared with the question", exc_info=True)
            return []

    async def names_something(self, query: DocumentQuery) -> bool:
        """Returns whether the question names a document, a kind of document, an organisation, a period or a figure."""
        meaning = await self._scope(_without_documents(query))
        subject = meaning.subject
        named = subject.named or subject.asked or subject.figures or subject.kinds
        return bool(named or meaning.chosen.document_ids)

    async def cite_known(self, query: DocumentQuery, passages: Sequence[MemoryItem]) -> list[Source]:
        """Returns ``passages`` that answered before as sources, in order; passages with better outcomes come first."""
        hits = [ScoredHit(item, fused=1 / place) for place, item in enumerate(passages, start=1)]
        asked = RankingQuestion(query.user_id, analyse(query.text), None, query.text)
        weigh = await self._profile(asked, passages)
        weigh(hits)
        for each in hits:
            each.final = each.weighed
        hits.sort(key=lambda each: (-each.precedence, -each.final))
        return cite([(each, "outcome" if each.precedence > 0 else "document") for each in hits], len(hits))

    def _is_lost(self, result: SearchResult, chosen: NamedByFilename) -> bool:
        """Returns whether the filter found nothing at all or, if the filter was only guessed, nothing close."""
        return not result.hits or (not chosen.certain and _highest_strength(result.hits) < ANCHOR)

    async def _scope(self, query: DocumentQuery) -> _Meant:
        """Returns the question's subject and the documents to search: those that were resolved before, else those of
        the named organisation and period, else those whose filename is named. If the catalogue cannot be read,
        returns no documents, which means that all are searched."""
        known = query.known if query.known is not None else await self.known(query.user_id, query.conversation_id)
        if query.document_ids:
            resolved = [each for each in known if each.id in query.document_ids]
            subject = subject_of(query.question, resolved, query.without)
            return _Meant(subject, NamedByFilename(query.document_ids, certain=True), known)
        subject = subject_of(query.question, known, query.without)
        if subject.document_ids:
            return _Meant(
                subject, NamedByFilename(list(subject.document_ids), certain=self._is_certain(query, subject)), known
            )
        named = named_documents(query.text, known)
        gone = any(chip_key("document", each) in query.without for each in named.document_ids)
        return _Meant(subject, NamedByFilename([]) if gone else named, known)

    def _is_certain(self, query: DocumentQuery, subject: Subject) -> bool:
        """Returns whether the filter comes from the question itself. One taken over from the previous question is not
        certain: it is dropped if nothing close is found with it."""
        carried = query.completed is not None and "organisation" in query.completed.carried
        return bool(subject.organisations) and not carried

    async def _absent_names(
        self, query: DocumentQuery, meaning: _Meant, result: SearchResult, deadline: Deadline
    ) -> list[Absent]:
        """Returns those of the question's names that no text contains, after searching all texts for each name."""
        if query.document_ids:
            return []
        found = absent_periods(meaning.subject, meaning.known)
        for name in unrecorded_names(query.text, meaning.subject, meaning.known):
            found_hits = result.hits
            if not _has(found_hits, name):
                found_hits = (await self._search(query, Focus(name, ""), [], deadline, silent)).hits
            if result.hits and not _has(found_hits, name):
                found.append(absent_organisation(name))
        return found

    async def closest(self, query: DocumentQuery, most: int, deadline: Deadline, before: int = 0) -> list[Source]:
        """Returns the ``most`` closest passages as loosely related sources, accepted or not; their numbers begin after
        ``before``. Passages that are known not to answer are left out."""
        meaning = await self._scope(query)
        request = _request(query, most, meaning.chosen.document_ids or query.document_ids, meaning.subject.focus)
        hits = (await self._pipeline.search(request, deadline, silent, self._profile)).hits
        near: list[Accepted] = [(hit, "nearest") for hit in hits if hit.precedence >= 0]
        return marked_as_near(cite(near, most), before)

    async def nearest(self, query: DocumentQuery, most: int, deadline: Deadline) -> list[str]:
        """Returns the passages of the query's documents that are nearest to its text, best first, even if they are not
        close."""
        request = _request(query, most, query.document_ids)
        return [hit.item.id for hit in (await self._pipeline.search(request, deadline)).hits]

    async def _search(
        self, query: DocumentQuery, focus: Focus, document_ids: Sequence[str], deadline: Deadline, steps: Steps
    ) -> SearchResult:
        limit = max(self._modes(query.mode).top_k * self._settings.over_fetch, self._settings.least_candidates)
        request = _request(query, limit, document_ids or None, focus)
        return await self._pipeline.search(request, deadline, steps, self._profile)

    def _accept(self, hit: ScoredHit, terms: Sequence[str], pre_filtered: bool, mode: Mode) -> AcceptedBy | None:
        """Returns why a passage is accepted: it is known to answer, or else the first of four tiers that accepts it."""
        if hit.precedence > 0:
            return "outcome"
        if pre_filtered:
            return "document"
        text = fold(hit.item.text)
        if len(terms) > 1 and all(covers(term, text) for term in terms):
            return "all_terms"
        if hit.strength >= mode.strength:
            return "strength"
        book = hit.item.source.book
        if book and hit.strength >= self._settings.filename_strength and set(terms) & filename_tokens(book.filename):
            return "filename"
        return None


def _request(
    query: DocumentQuery, limit: int, document_ids: Sequence[str] | None, focus: Focus | None = None
) -> SearchRequest:
    return SearchRequest(
        user_id=query.user_id,
        text=query.text,
        limit=limit,
        tiers=("books",),
        scopes=_scopes(query.conversation_id),
        document_ids=document_ids,
        focus=focus,
    )


def _scopes(conversation_id: str | None) -> list[str]:
    return [LIBRARY, *([conversation_id] if conversation_id else [])]


def _without_documents(query: DocumentQuery) -> DocumentQuery:
    """Removes from the query the documents whose chip the user removed."""
    left = [each for each in query.document_ids or () if chip_key("document", each) not in query.without]
    return replace(query, document_ids=left or None)


def _chips(query: DocumentQuery, meaning: _Meant, absent: Sequence[Absent], found: Sequence[str]) -> Chips:
    by_filename = [] if meaning.subject.document_ids else meaning.chosen.document_ids[:MOST_CHIPS]
    chips = chips_of(meaning.subject, meaning.known, query.completed, query.document_ids or by_filename, absent)
    free = any(key.startswith("organisation:") for key in query.without)
    return chips if absent or free else guessed_organisation(chips, found, meaning.known)


def _has(hits: Sequence[ScoredHit], name: str) -> bool:
    """Returns whether a passage, or a heading or sheet name above it, contains the name."""
    books = ((hit, hit.item.source.book) for hit in hits)
    return any(fold(name) in fold(" ".join([hit.item.text, *(book.path if book else [])])) for hit, book in books)


def _highest_strength(hits: Sequence[ScoredHit]) -> float:
    return max((hit.strength for hit in hits), default=0.0)


def _reach(known: Sequence[KnownDocument], subject: Subject, chosen: NamedByFilename) -> SearchCoverage:
    if not chosen.document_ids:
        return SearchCoverage(documents=len(known), of=len(known))
    searched = [each for each in known if each.id in chosen.document_ids]
    titles = {each.id: each.title or each.filename for each in searched}
    return SearchCoverage(
        documents=len(searched),
        of=len(known),
        organisations=list(subject.organisations),
        periods=list(subject.periods),
        titles=titles if len(titles) <= MOST_TITLES else {},
    )


def _elsewhere(hits: Sequence[ScoredHit], sources: Sequence[Source]) -> list[ScoredHit]:
    """Returns the hits whose documents are not sources yet, so that no document is a source twice."""
    cited = {source.document_id for source in sources}
    return [hit for hit in hits if document_of(hit) not in cited]


def _lifted(organisations: Sequence[str]) -> Words:
    names = ", ".join(organisations)
    return message("search.lifted", names=names)
