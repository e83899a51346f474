"""The Knowledge tab: the three graphs, drawn as one graph or listed as a table, and the evidence for a concept."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence

from pydantic import JsonValue

from core.errors import PalimpsestError
from core.knowledge.views import Colour, Concept, Edge, GraphView, Within
from core.memory.items.records import preview
from core.words import Language
from core.workbench import Workbench
from pages.actions import Call, Handlers, Reply, action
from pages.auth import Identity
from pages.knowledge.choices import chosen_documents, offered
from pages.knowledge.figures import figures_of
from pages.knowledge.files import graph_file, sources_of
from pages.knowledge.requests import (
    MOST,
    Days,
    Exported,
    Named,
    Neighbourhood,
    OneAnswer,
    OneConcept,
    Two,
    View,
)
from viz.knowledge.charts import charts
from viz.knowledge.concept import Evidence, concept_panel, path_panel
from viz.knowledge.graph import concept_name, drawn_edges, drawn_graph, drawn_node
from viz.knowledge.layout import Layouts, Positions
from viz.knowledge.unlinked import unlinked_list

NEAR = 12
"""Number of neighbours added by a double click on a concept."""
SHARE = 7
"""One in this many of the shown concepts is reserved for each colour."""
SEARCHED, NEAR_FOUND = 40, 6
"""Number of found concepts that are added with neighbours, and number of neighbours of each."""
OFFERED = 12
"""Number of names suggested while typing."""
OF_ANSWER = 8
"""Number of an answer's concepts that the panel shows."""

FILTERS = ("search", "colours", "period", "sort", "top", "conversation_id")


class Explorer(Handlers):
    """Actions that the tab's script can call."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        super().__init__(workbench, identity)
        self._layouts = Layouts()

    @action("knowledge", endpoint="knowledge_graph", parameters=FILTERS, scope="read")
    async def graph(self, user_id: str, call: View) -> Reply:
        """The knowledge graph for display: positions, sizes, edge widths. ``unchanged`` if the page already has it."""
        started = time.perf_counter()
        view, found = await self._searched(user_id, call)
        if call.version and view.version == call.version:
            return {"unchanged": True, "version": view.version, "pending": view.pending}
        positions = await self._positions(user_id, view)
        drawn = drawn_graph(view, positions, call.ui)
        return {
            **drawn.model_dump(mode="json"),
            "found": found,
            "unlinked": str(unlinked_list(drawn.nodes, call.ui)),
            "version": view.version,
            "totals": view.totals.model_dump(mode="json"),
            "pending": view.pending,
            "milliseconds": round(1000 * (time.perf_counter() - started)),
        }

    @action("knowledge", scope="read")
    async def choices(self, user_id: str, call: Call) -> Reply:
        """What the filters offer: documents, sets, kinds of concepts, tiers, and months of documents."""
        documents = await self._workbench.library.find(user_id)
        sets = [(each.id, each.name) for each in await self._workbench.sets.all(user_id)]
        kinds = await self._workbench.knowledge.kinds(user_id)
        return offered(documents, sets, kinds, call.ui)

    @action("knowledge", scope="read")
    async def concept(self, user_id: str, call: OneConcept) -> Reply:
        """The details panel of a concept."""
        try:
            detail = await self._workbench.knowledge.concept(user_id, call.id)
        except PalimpsestError as error:
            if call.optional and error.problem.category == "not_found":
                return {"html": "", "label": ""}
            raise
        figures = await figures_of(self._workbench, user_id, detail)
        html = await asyncio.to_thread(concept_panel, detail, call.ui, figures)
        return {"html": str(html), "label": concept_name(detail.concept, call.ui)}

    @action("knowledge", scope="read")
    async def neighbours(self, user_id: str, call: OneConcept) -> Reply:
        """The neighbours that a double click on a concept adds to the graph."""
        found = await self._workbench.knowledge.neighbours(user_id, call.id, NEAR)
        return {
            "nodes": [*_nodes([each.concept for each in found], call.ui)],
            "edges": [each.model_dump() for each in drawn_edges([each.edge for each in found], call.ui)],
        }

    @action("knowledge", scope="read")
    async def path(self, user_id: str, call: Two) -> Reply:
        """The shortest path between two concepts, with the evidence for each edge."""
        path = await self._workbench.knowledge.path(user_id, call.a, call.b)
        evidence = await self._evidence(user_id, path.edges)
        return {
            "html": str(path_panel(path, evidence, call.ui)),
            "found": path.found,
            "nodes": [*_nodes(path.nodes, call.ui)],
            "edges": [each.model_dump() for each in drawn_edges(path.edges, call.ui)],
        }

    @action("knowledge", scope="read")
    async def find_concept(self, user_id: str, call: Named) -> Reply:
        """The id of the concept with this name, preferring the answer's concepts; ``null`` if the graph does not
        contain it."""
        known = self._workbench.knowledge
        concepts = (await known.concepts_of_answer(user_id, call.answer)).concepts if call.answer else []
        found = by_name(concepts, call.name)
        if found is None:
            found = by_name((await known.graph(user_id, search=call.name, top=50)).nodes, call.name)
        return {"id": found.id if found else None}

    @action("knowledge", scope="read")
    async def find_names(self, user_id: str, call: Named) -> Reply:
        """Concepts whose name contains the typed letters, most important first, as suggestions."""
        view = await self._workbench.knowledge.graph(user_id, search=call.name, top=OFFERED)
        found: list[JsonValue] = [{"id": each.id, "label": concept_name(each, call.ui)} for each in view.nodes]
        return {"names": found}

    @action("chat", scope="read")
    async def answer_graph(self, user_id: str, call: OneAnswer) -> Reply:
        """The few concepts of one answer as a small graph; empty if the knowledge graph is switched off."""
        if not self._workbench.settings.knowledge_enabled:
            return {"nodes": [], "edges": []}
        of_answer = await self._workbench.knowledge.concepts_of_answer(user_id, call.id)
        ids = [each.id for each in of_answer.concepts[:OF_ANSWER]]
        if not ids:
            return {"nodes": [], "edges": []}
        view = await self._workbench.knowledge.graph(user_id, focus=ids, top=len(ids))
        return drawn_graph(view, await self._positions(user_id, view), call.ui).model_dump(mode="json")

    @action("knowledge", scope="read")
    async def charts(self, user_id: str, call: Call) -> Reply:
        """Charts of what the memory has learned, as data for the plotly script."""
        history = await self._workbench.knowledge.history(user_id)
        return {"figures": dict(await asyncio.to_thread(charts, history, call.ui))}

    @action(
        "knowledge", endpoint="export_graph", parameters=("format", "top", "search"), scope="read", noted="exported"
    )
    async def export_graph(self, user_id: str, call: Exported) -> Reply:
        """Export the current view of the knowledge graph as a file."""
        view = await self._view(user_id, call)
        positions = await self._positions(user_id, view)
        edges = view.edges if call.format == "links" else []
        sources = await sources_of(self._workbench, user_id, edges, call.ui)
        return await asyncio.to_thread(graph_file, call.format, view, positions, sources, call.ui)

    @action(endpoint="concept", parameters=("concept_id",), scope="read")
    async def concept_data(self, user_id: str, call: OneConcept) -> Reply:
        """One concept: its definition, success by memory tier, outcomes, related concepts, and all its evidence."""
        return (await self._workbench.knowledge.concept(user_id, call.id)).model_dump(mode="json")

    @action(endpoint="concept_neighbours", parameters=("concept_id", "limit"), scope="read")
    async def concept_neighbours(self, user_id: str, call: Neighbourhood) -> Reply:
        """A concept's neighbours, strongest first."""
        found = await self._workbench.knowledge.neighbours(user_id, call.id, call.limit)
        return {"neighbours": [each.model_dump(mode="json") for each in found]}

    @action(endpoint="concept_path", scope="read")
    async def concept_path(self, user_id: str, call: Two) -> Reply:
        """The shortest path between two concepts, with the evidence for each edge."""
        path = await self._workbench.knowledge.path(user_id, call.a, call.b)
        return {"found": path.found, **path.model_dump(mode="json")}

    @action(endpoint="answer_concepts", scope="read")
    async def answer_concepts(self, user_id: str, call: OneAnswer) -> Reply:
        """The concepts of an answer (by its message id or run id), with their small graph."""
        found = await self._workbench.knowledge.concepts_of_answer(user_id, call.id)
        drawn = await self.answer_graph(user_id, call)
        return {"concepts": [each.model_dump(mode="json") for each in found.concepts], "graph": drawn}

    @action(endpoint="knowledge_history", scope="read")
    async def knowledge_history(self, user_id: str, call: Days) -> Reply:
        """Outcomes by day, number of memories by tier over time, and success by tier."""
        return (await self._workbench.knowledge.history(user_id, call.days)).model_dump(mode="json")

    async def _searched(self, user_id: str, call: View) -> tuple[GraphView, list[str]]:
        """The view, and the ids of the concepts that were searched for. With ``surroundings`` the view without the
        search stays, and the found concepts are added to it with their strongest neighbours."""
        if not call.search.strip() or not call.surroundings:
            return await self._view(user_id, call), []
        found = await self._view(user_id, call)
        ids = [node.id for node in found.nodes]
        usual = await self._view(user_id, call.model_copy(update={"search": ""}))
        shown = [node.id for node in usual.nodes]
        for each in [each for each in ids if each not in shown][:SEARCHED]:
            near = await self._workbench.knowledge.neighbours(user_id, each, NEAR_FOUND)
            shown += [other.concept.id for other in near]
        view = await self._workbench.knowledge.graph(user_id, only=[*shown, *ids], top=MOST)
        totals = found.totals.model_copy(update={"edges": len(view.edges)})
        return view.model_copy(update={"totals": totals}), ids

    async def _view(self, user_id: str, call: View) -> GraphView:
        focus = list(call.focus)
        if call.answer:
            of_answer = await self._workbench.knowledge.concepts_of_answer(user_id, call.answer)
            focus += [each.id for each in of_answer.concepts]
        within = await self._within(user_id, call)
        view = await self._graph(user_id, call, call.colours, max(call.top, len(focus)), within, focus)
        if focus or call.sort != "importance" or call.kinds or call.chooses:
            return view
        return await self._with_every_colour(user_id, call, view, within)

    async def _within(self, user_id: str, call: View) -> Within:
        documents = await chosen_documents(self._workbench, user_id, call) if call.chooses else None
        ids = None if documents is None else frozenset(each.id for each in documents)
        return Within(kinds=frozenset(call.kinds), documents=ids, tier=call.tier)

    async def _with_every_colour(self, user_id: str, call: View, view: GraphView, within: Within) -> GraphView:
        """Adds concepts of every colour. Texts name so many concepts that otherwise questions and actions would never
        be among the top ones."""
        shown = Counter(node.colour for node in view.nodes)
        share = max(1, call.top // SHARE)
        extra: list[str] = []
        for colour, count in view.totals.colours.items():
            if shown[colour] < min(share, count):
                best = await self._graph(user_id, call, [colour], share, within)
                extra += [node.id for node in best.nodes]
        if not extra:
            return view
        ids = [node.id for node in view.nodes if node.id not in extra][: max(1, call.top - len(extra))]
        mixed = await self._workbench.knowledge.graph(user_id, only=[*ids, *extra], top=MOST)
        totals = view.totals.model_copy(update={"shown": len(mixed.nodes), "edges": len(mixed.edges)})
        return mixed.model_copy(update={"totals": totals})

    async def _graph(
        self, user_id: str, call: View, colours: Sequence[Colour], top: int, within: Within, focus: Sequence[str] = ()
    ) -> GraphView:
        return await self._workbench.knowledge.graph(
            user_id,
            colours=colours,
            period=call.period,
            sort=call.sort,
            search=call.search,
            top=top,
            session=call.session,
            focus=focus,
            within=within,
        )

    async def _positions(self, user_id: str, view: GraphView) -> Positions:
        return await self._layouts.of(user_id, view, self._workbench.responsiveness.workers)

    async def _evidence(self, user_id: str, edges: Sequence[Edge]) -> dict[str, Evidence]:
        """Evidence that can still be opened, by id; deleted sources are left out."""
        memory = self._workbench.memory
        ids = [each for edge in edges for each in edge.evidence]
        items = await memory.items(user_id, [each for each in ids if each.startswith("mem_")])
        evidence = {
            item.id: Evidence(
                text=preview(item),
                whole=item.text,
                title=item.source.book.title if item.source.book else None,
                page=item.source.book.page if item.source.book else None,
                document_id=item.document_id if item.source.book else None,
                memory_text=item.text[:200],
            )
            for item in items
        }
        for each in dict.fromkeys(ids):
            answer = None if each.startswith("mem_") else await memory.answer(user_id, each)
            if answer:
                evidence[each] = Evidence(
                    text=answer.question, answer_id=answer.id, conversation_id=answer.conversation_id
                )
        return evidence


def _nodes(concepts: Sequence[Concept], language: Language) -> list[Reply]:
    """Nodes without positions: the page places them around the existing nodes."""
    return [drawn_node(each, (0.0, 0.0), language).model_dump(mode="json") for each in concepts]


def by_name(concepts: Sequence[Concept], name: str) -> Concept | None:
    """Finds a concept by its label or another spelling; otherwise the first one whose name begins with it."""
    wanted = name.casefold().strip()
    named = [
        (each, [other.casefold() for other in (each.label, *each.labels.values(), *each.aliases)]) for each in concepts
    ]
    exact = next((each for each, names in named if wanted in names), None)
    return exact or next((each for each, names in named if any(other.startswith(wanted) for other in names)), None)
