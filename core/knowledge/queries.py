"""Answers queries on the knowledge graph, for pages and the agent."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import pairwise

import networkx as nx

from core.clock import Clock
from core.errors import fail
from core.knowledge.edges import edges_among, edges_of, joined_graph
from core.knowledge.evidence import ConceptEvidence
from core.knowledge.graph_sync import GraphSync
from core.knowledge.history import HistoryReader
from core.knowledge.nodes import AllNodes, Node, all_nodes
from core.knowledge.outcome_edges import OutcomeEdgeStore
from core.knowledge.timeline import ACTORS, events_of
from core.knowledge.views import (
    AnswerConcepts,
    Colour,
    Concept,
    ConceptDetail,
    ConceptKind,
    Edge,
    Event,
    GraphState,
    GraphView,
    History,
    Order,
    Path,
    Period,
    Related,
    Totals,
    Within,
)
from core.language.normalisation import fold
from core.lru_cache import LruCache
from core.runs.changes import Changes

TOP = 20
MOST_NODES = 2_000
MOST_SHOWN = 20
MOST_SHARED = 12
MOST_USERS = 8
SECONDS: Mapping[Period, float] = {"today": 86_400.0, "week": 7 * 86_400.0}


EVERYTHING = Within()


@dataclass
class Knowledge:
    """Queries on the graph. Each call is limited to its user; ids of other users are not found.

    >>> run(workbench.memory.knowledge.state("grace")).pending
    0
    """

    _growth: GraphSync
    _learned: OutcomeEdgeStore
    _behind: ConceptEvidence
    _histories: HistoryReader
    _clock: Clock
    changes: Changes
    """Notified when a user's graphs may have changed in this process."""

    def __post_init__(self) -> None:
        self._wholes: LruCache[str, AllNodes] = LruCache(MOST_USERS)

    async def graph(
        self,
        user_id: str,
        *,
        colours: Sequence[Colour] = (),
        period: Period = "all",
        sort: Order = "importance",
        search: str = "",
        top: int = TOP,
        session: str | None = None,
        focus: Sequence[str] = (),
        only: Sequence[str] = (),
        within: Within = EVERYTHING,
    ) -> GraphView:
        """At most ``top`` concepts (limited by ``MOST_NODES``) and the edges among them.

        An empty ``colours`` means all. ``session`` is a conversation's id, for ``period="session"``. ``search`` looks
        in labels and aliases. ``focus``: these concepts are included regardless of the other filters, then their
        neighbours up to ``top``. ``only``: exactly these. ``within`` limits kinds, documents and tiers.
        """
        now, wanted = self._clock(), fold(search)
        async with self._current_nodes(user_id) as known:
            here = await self._in_session(user_id, known, session) if period == "session" else None

            def admits(node: Node) -> bool:
                return (
                    (not colours or node.colour in colours)
                    and (period not in SECONDS or node.last_seen >= now - SECONDS[period])
                    and (here is None or node.id in here)
                    and _is_searched(node, wanted)
                    and _is_within(known, node, within)
                )

            def drawn() -> GraphView:
                if only:
                    nodes = [known.nodes[each] for each in dict.fromkeys(only) if each in known.nodes]
                elif focus:
                    nodes = _neighbourhood(known, focus)
                else:
                    nodes = _sorted(filter(admits, known.nodes.values()), sort)
                return _view(known, nodes, max(1, min(top, MOST_NODES)))

            return await asyncio.to_thread(drawn)

    async def state(self, user_id: str) -> GraphState:
        """The graph's version, and how many texts wait to be read."""
        async with self._current_nodes(user_id) as known:
            return GraphState(version=known.version, pending=len(known.grown.pending))

    async def kinds(self, user_id: str) -> list[ConceptKind]:
        """The kinds of the concepts that exist, the most frequent first."""
        async with self._current_nodes(user_id) as known:
            return [kind for kind, _ in Counter(node.kind for node in known.nodes.values()).most_common()]

    async def concept(self, user_id: str, concept_id: str) -> ConceptDetail:
        """A concept's details. Raises ``PalimpsestError`` ("not_found")."""
        async with self._current_nodes(user_id) as known:
            node = known.nodes.get(concept_id)
            if node is None:
                raise fail("not_found", "knowledge.queries.gone")
            found = await self._behind.of(user_id, known, node, MOST_SHOWN)
            related = await asyncio.to_thread(_related, known, node.id, MOST_SHOWN)
        related = await self._behind.with_sentences(user_id, found.concept, related)
        return found.model_copy(update={"related": related})

    async def neighbours(self, user_id: str, concept_id: str, limit: int = TOP) -> list[Related]:
        """Related concepts, the strongest first; empty for an unknown concept."""
        async with self._current_nodes(user_id) as known:
            return await asyncio.to_thread(_related, known, concept_id, limit)

    async def events(self, user_id: str, document_ids: Sequence[str], search: str = "") -> list[Event]:
        """The dated events of the documents, oldest first; ``search`` looks in their sentences and titles."""
        items = [item for each in document_ids for item in await self._behind.passages_of(user_id, each)]
        async with self._current_nodes(user_id) as known:
            sources = known.grown.content.sources
            texts = {item.id: sources[item.id].concepts for item in items if item.id in sources}
            nodes = {id: known.nodes[id] for ids in texts.values() for id in ids if id in known.nodes}
            shown = {id: node.shown() for id, node in nodes.items() if node.kind in ACTORS}
        actors = {item: [shown[id] for id in ids if id in shown] for item, ids in texts.items()}
        events, wanted = await asyncio.to_thread(events_of, items, actors), fold(search).strip()
        return [each for each in events if wanted in fold(f"{each.text} {each.title}")] if wanted else events

    async def path(self, user_id: str, a: str, b: str) -> Path:
        """The shortest path between two concepts; among equally short ones, the one with the strongest edges."""
        async with self._current_nodes(user_id) as known:
            return await asyncio.to_thread(_path, known, a, b)

    async def concepts_of_answer(self, user_id: str, run_id: str) -> AnswerConcepts:
        """The concepts of an answer, by the id of the answer, its run or its message; empty if the id is unknown."""
        answer = await self._behind.answer(user_id, run_id)
        if answer is None:
            return AnswerConcepts()
        async with self._current_nodes(user_id) as known:
            ids = self._behind.named(known, answer)[:MOST_SHOWN]
            return AnswerConcepts(answer=answer, concepts=[known.nodes[each].shown() for each in ids])

    async def history(self, user_id: str, days: int = 30) -> History:
        """The history of the last ``days``, oldest first."""
        return await self._histories.of(user_id, max(1, min(days, 366)), self._clock())

    @asynccontextmanager
    async def _current_nodes(self, user_id: str) -> AsyncIterator[AllNodes]:
        """The current graphs; a thread may read them while they are held."""
        learned = await self._learned.of(user_id)
        async with self._growth.held(user_id) as grown:
            version = f"{grown.version}-{hash(learned.stamp) & 0xFFFFFFFF:x}-{len(grown.pending)}"
            known = self._wholes.get(user_id)
            if known is None or known.version != version or known.grown is not grown:
                known = await asyncio.to_thread(all_nodes, user_id, grown, learned, version, known)
            self._wholes[user_id] = known
            yield known

    async def _in_session(self, user_id: str, known: AllNodes, session: str | None) -> set[str]:
        """Concepts of one conversation's texts and answers."""
        if not session:
            return set()
        answers = await self._behind.answers_of(user_id, session)
        ids = {each for answer in answers for each in self._behind.named(known, answer)}
        ids |= {node.id for node in known.nodes.values() if node.answers & {answer.id for answer in answers}}
        texts = known.grown.content.sources.values()
        return ids | {name for source in texts if source.conversation_id == session for name in source.concepts}


def _is_within(known: AllNodes, node: Node, within: Within) -> bool:
    """Whether the concept has one of the kinds, and one of its texts is of the tier and of one of the documents."""
    if within.kinds and node.kind not in within.kinds:
        return False
    if within.tier is None and within.documents is None:
        return True
    if node.kind in ("subject", "action", "context"):
        return within.documents is None and any(each.tier == within.tier for each in node.shown().tiers)
    content = known.grown.content
    sources = (content.sources[item] for item in content.naming.get(node.id, ()) if item in content.sources)
    return any(
        within.tier in (None, source.tier) and (within.documents is None or source.document_id in within.documents)
        for source in sources
    )


def _is_searched(node: Node, wanted: str) -> bool:
    return not wanted or any(wanted in fold(name) for name in (node.label, *node.names, *node.labels.values()))


def _sorted(nodes: Iterable[Node], order: Order) -> list[Node]:
    if order == "recent":
        return sorted(nodes, key=lambda node: (-node.last_seen, -node.importance, node.id))
    if order == "oldest":
        return sorted(nodes, key=lambda node: (node.first_seen or node.last_seen, -node.importance, node.id))
    return sorted(nodes, key=lambda node: (-node.importance, -node.mentions, node.id))


def _view(known: AllNodes, passing: Sequence[Node], most: int) -> GraphView:
    chosen = {node.id: node for node in passing[:most]}
    edges = edges_among(known, chosen)
    return GraphView(
        nodes=[node.shown() for node in chosen.values()],
        edges=edges,
        totals=_totals(passing, chosen, edges),
        version=known.version,
        pending=len(known.grown.pending),
    )


def _path(known: AllNodes, a: str, b: str) -> Path:
    if a not in known.nodes or b not in known.nodes:
        return Path()
    ids = _shortest_path(known, a, b)
    nodes = {each: known.nodes[each] for each in ids}
    joining: dict[frozenset[str], Edge] = {}
    for edge in edges_among(known, nodes):
        best = joining.get(frozenset((edge.a, edge.b)))
        if best is None or edge.strength > best.strength:
            joining[frozenset((edge.a, edge.b))] = edge
    return Path(
        nodes=[node.shown() for node in nodes.values()],
        edges=[joining[frozenset(pair)] for pair in pairwise(ids)],
        shared=[each for each in _shared(known, a, b) if each.id not in nodes],
    )


def _shared(known: AllNodes, a: str, b: str) -> list[Concept]:
    """Concepts that texts link to both, the most important first."""
    near = known.grown.content.graph.adj
    both = [known.nodes[each] for each in near.get(a, {}) if each in near.get(b, {}) and each in known.nodes]
    return [node.shown() for node in _sorted(both, "importance")[:MOST_SHARED]]


def _totals(passing: Sequence[Node], chosen: Mapping[str, Node], edges: Sequence[Edge]) -> Totals:
    colours: dict[Colour, int] = {"routing": 0, "content": 0, "both": 0, "action": 0}
    for node in passing:
        colours[node.colour] += 1
    return Totals(concepts=len(passing), edges=len(edges), shown=len(chosen), colours=colours)


def _neighbourhood(known: AllNodes, focus: Sequence[str]) -> list[Node]:
    first = [known.nodes[each] for each in dict.fromkeys(focus) if each in known.nodes]
    ids = {node.id for node in first}
    near = [each.concept.id for node in first for each in _related(known, node.id, MOST_NODES)]
    return [*first, *(known.nodes[each] for each in dict.fromkeys(near) if each not in ids)]


def _related(known: AllNodes, concept_id: str, limit: int) -> list[Related]:
    if concept_id not in known.nodes:
        return []
    best: dict[str, Edge] = {}
    for edge in edges_of(known, concept_id):
        other = edge.b if edge.a == concept_id else edge.a
        if other not in best or _weight(edge) > _weight(best[other]):
            best[other] = edge
    ranked = sorted(best, key=lambda other: (-_weight(best[other]), -known.nodes[other].importance, other))
    return [Related(concept=known.nodes[other].shown(), edge=best[other]) for other in ranked[:limit]]


def _weight(edge: Edge) -> float:
    """How telling an edge is: what a text states counts more than being named together."""
    return edge.weight or edge.strength


def _shortest_path(known: AllNodes, a: str, b: str) -> list[str]:
    """Ids of the nodes from ``a`` to ``b``: over edges from texts if possible, else over all edges; empty if there is
    no path."""
    content: nx.Graph[str] = known.grown.content.graph
    for graph in (content, None):
        try:
            if graph is None:
                graph = joined_graph(known)
            if a in graph and b in graph:
                return [str(each) for each in nx.bidirectional_dijkstra(graph, a, b, weight=_length)[1]]
        except nx.NetworkXNoPath:
            continue
    return []


def _length(one: str, other: str, data: Mapping[str, object]) -> float:
    """An edge's length: 1, slightly less for strong edges."""
    items = data.get("items")
    return 1.0 + 0.001 / (len(items) if isinstance(items, dict) and items else 1)
