"""Effects of settings for search results, their order, and timeouts of search steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import SimpleNamespace
from typing import get_args

from core.memory.retrieval import Retrieval
from core.resilience.dependencies import Deadline
from core.search.documents.search import DocumentQuery, DocumentSearch, DocumentSearchResult
from core.search.pipeline import RELEVANCE
from core.search.request import SearchRecord, SearchRequest, SearchResult
from core.setting_groups import ModeName
from core.store.open import open_truth
from tests.core.search.rig import Rig, ask, make_item
from tests.service.effects.experiment import AT_ONCE, LONG, Bench, changes, never, waits
from tests.service.house import GatedEmbeddings


async def nothing(*_: object, **__: object) -> list[object]:
    return []


def rivers(bench: Bench, cosine: float = 0.9) -> Rig:
    """Six documents of one passage each, all found by keyword and by embedding."""
    items = [
        make_item(
            n, f"The Jordan is river number {n}." + " It is long." * n, document=f"doc_{n}", filename="jordan.txt"
        )
        for n in range(6)
    ]
    cosines = {item.id: cosine - 0.05 * n for n, item in enumerate(items)}
    return Rig(items=items, cosines=cosines, settings=bench.settings.search)


async def find(bench: Bench, rig: Rig, mode: ModeName, text: str) -> DocumentSearchResult:
    documents = DocumentSearch(rig.pipeline(), nothing, bench.settings.mode, bench.settings.search, RELEVANCE)
    return await documents.find(DocumentQuery("ada", text, mode), Deadline(10.0))


# -- documents ---------------------------------------------------------------------------------


async def how_many_sources_a_mode_shows(mode: ModeName, bench: Bench) -> object:
    return len((await find(bench, rivers(bench), mode, "Jordan")).sources)


async def what_lets_passages_through(mode: ModeName, bench: Bench) -> object:
    """The keyword "zeugma" is in no text, so only embeddings decide here."""
    found = await find(bench, rivers(bench, 0.7), mode, "Zeugma?")
    return [passage.accepted_by for source in found.sources for passage in source.passages]


for each in get_args(ModeName):
    changes(f"search.{each}.top_k", "2", "5")(partial(how_many_sources_a_mode_shows, each))
    changes(f"search.{each}.strength", "0.05", "0.95")(partial(what_lets_passages_through, each))


@changes("search.filename_strength", "0.1", "0.9", search__enhanced__strength="0.95")
async def what_a_term_of_the_filename_lets_through(bench: Bench) -> object:
    rig = rivers(bench, 0.7)
    rig.items = [item.model_copy(update={"text": "It is long and blue."}) for item in rig.items]
    found = await find(bench, rig, "enhanced", "Jordan")
    return [passage.accepted_by for source in found.sources for passage in source.passages]


@changes("search.over_fetch", "2", "5")
@changes("search.least_candidates", "20", "90")
async def how_many_candidates_are_asked_for(bench: Bench) -> object:
    asked: list[int] = []

    class Recording:
        async def search(self, request: SearchRequest, *_: object) -> SearchResult:
            asked.append(request.limit)
            return SearchResult([], SearchRecord("en"))

    documents = DocumentSearch(Recording(), nothing, bench.settings.mode, bench.settings.search, RELEVANCE)
    await documents.find(DocumentQuery("ada", "rivers", "enhanced"), Deadline(10.0))
    return asked


# -- the pipeline ------------------------------------------------------------------------------


class Backwards:
    """A cross-encoder that scores later passages higher."""

    model = "backwards"

    async def scores(self, query: str, passages: Sequence[str]) -> list[float]:
        return [place / len(passages) for place in range(len(passages))]


@changes("search.fusion", "weighted", "rrf")
@changes("search.rrf_k", "1", "60", search__fusion="rrf")
@changes("search.rerank_top", "2", "6")
@changes("search.rerank_original", "0.1", "0.9")
@changes("search.rerank_least", "0", "0.7")
@changes("search.confidence_high", "0.1", "0.99")
@changes("search.confidence_medium", "0.1", "0.98", search__confidence_high="0.99")
async def scores_and_confidence(bench: Bench) -> object:
    rig = rivers(bench)
    rig.reranker = Backwards()
    found = await rig.pipeline().search(ask("Zeugma?", limit=2), Deadline(10.0))
    return [(hit.item.id, hit.final) for hit in found.hits], found.record.confidence


async def waits_for(bench: Bench, *, embed: bool = False, dense: bool = False, words: bool = False) -> bool:
    """Returns whether a search still waits for a component that hangs."""

    class Embeddings(GatedEmbeddings):
        embed_query = never if embed else GatedEmbeddings.embed_query

    index = SimpleNamespace(query_dense=never if dense else nothing, query_lexical=never if words else nothing)
    bench.patch.setattr("core.memory.retrieval.build_embeddings", lambda *_: Embeddings())
    bench.patch.setattr("core.memory.retrieval.open_index", lambda *_: index)
    truth = open_truth(bench.settings)
    await truth.start()
    retrieval = Retrieval(bench.settings, truth, SimpleNamespace(), lambda: 0.0)
    waiting = await waits(retrieval.pipeline.search(ask("rivers"), Deadline(60.0)))
    await truth.stop()
    return waiting


changes("deadlines.embed_query", AT_ONCE, LONG)(partial(waits_for, embed=True))
changes("deadlines.dense", AT_ONCE, LONG)(partial(waits_for, dense=True))
changes("deadlines.lexical", AT_ONCE, LONG)(partial(waits_for, words=True))
