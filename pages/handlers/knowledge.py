"""The Knowledge tab: the three graphs, drawn as one graph or listed as a table, and the evidence for a concept."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from core.errors import PalimpsestError
from core.knowledge.views import Colour, Concept, Edge, GraphView, Order, Period
from core.memory.items.records import preview
from core.words import Language
from core.workbench import Workbench
from pages.actions import Blank, Call, Handlers, Reply, action, alias
from pages.auth import Identity
from viz.knowledge.charts import charts
from viz.knowledge.concept import Evidence, concept_panel, path_panel
from viz.knowledge.export import as_html, as_json
from viz.knowledge.graph import concept_name, drawn_edges, drawn_graph, drawn_node
from viz.knowledge.layout import Layouts, Positions

MOST = 2_000
NEAR = 12
"""Number of neighbours added by a double click on a concept."""
SHARE = 7
"""One in this many of the shown concepts is reserved for each colour."""
OFFERED = 12
"""Number of names suggested while typing."""
OF_ANSWER = 8
"""Number of an answer's concepts that the panel shows."""

FILTERS = ("search", "colours", "period", "sort", "top", "conversation_id")

ConceptId = Annotated[str, Field(max_length=100)]
AnswerId = Annotated[str, Field(max_length=100)]


class View(Call):
    """The requested view of the graph. ``version``: the graph version that the page already shows; ``answer``: the
    answer whose concepts come first."""

    search: str = Field("", max_length=200)
    colours: list[Colour] = Field([], max_length=4)
    period: Period = "all"
    sort: Order = "importance"
    top: int = Field(20, ge=1, le=MOST)
    session: Annotated[AnswerId | None, Blank, alias("conversation_id", "session")] = None
    focus: list[ConceptId] = Field([], max_length=64)
    answer: AnswerId | None = None
    version: str = Field("", max_length=200)


class Exported(View):
    """The requested view, to be exported as a file."""

    format: Literal["json", "html"] = "json"


class OneConcept(Call):
    """A concept by its id. ``optional``: it is not an error if the concept no longer exists."""

    id: Annotated[ConceptId, alias("concept_id", "id")]
    optional: bool = False


class Named(Call):
    """A concept by its name in an answer."""

    name: str = Field(max_length=300)
    answer: AnswerId | None = None


class Two(Call):
    """Two concepts by their ids."""

    a: ConceptId
    b: ConceptId


class Neighbourhood(OneConcept):
    """A concept, and the number of its neighbours to return."""

    limit: int = Field(20, ge=1, le=200)


class Days(Call):
    """Number of days to look back."""

    days: int = 30


class OneAnswer(Call):
    """An answer, by its message id or run id."""

    id: Annotated[AnswerId, alias("answer_id", "id")]


class Explorer(Handlers):
    """Actions that the tab's script can call."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        super().__init__(workbench, identity)
        self._layouts = Layouts()

    @action("knowledge", endpoint="knowledge_graph", parameters=FILTERS, scope="read")
    async def graph(self, user_id: str, call: View) -> Reply:
        """The knowledge graph for display: positions, sizes, edge widths. ``unchanged`` if the page already has it."""
        started = time.perf_counter()
        view = await self._view(user_id, call)
        if call.version and view.version == call.version:
            return {"unchanged": True, "version": view.version, "pending": view.pending}
        positions = await self._positions(user_id, view)
        drawn = drawn_graph(view, positions, call.ui)
        return {
            **drawn.model_dump(mode="json"),
            "version": view.version,
            "totals": view.totals.model_dump(mode="json"),
            "pending": view.pending,
            "milliseconds": round(1000 * (time.perf_counter() - started)),
        }

    @action("knowledge", scope="read")
    async def concept(self, user_id: str, call: OneConcept) -> Reply:
        """The details panel of a concept."""
        try:
            detail = await self._workbench.knowledge.concept(user_id, call.id)
        except PalimpsestError as error:
            if call.optional and error.problem.category == "not_found":
                return {"html": "", "label": ""}
            raise
        return {"html": str(concept_panel(detail, call.ui)), "label": concept_name(detail.concept, call.ui)}

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
        if call.format == "json":
            return {"name": "knowledge.json", "type": "application/json", "text": as_json(view, positions)}
        text = await asyncio.to_thread(as_html, view, positions, call.ui)
        return {"name": "knowledge.html", "type": "text/html", "text": text}

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

    async def _view(self, user_id: str, call: View) -> GraphView:
        focus = list(call.focus)
        if call.answer:
            of_answer = await self._workbench.knowledge.concepts_of_answer(user_id, call.answer)
            focus += [each.id for each in of_answer.concepts]
        view = await self._graph(user_id, call, call.colours, max(call.top, len(focus)), focus)
        if focus or call.sort != "importance":
            return view
        return await self._with_every_colour(user_id, call, view)

    async def _with_every_colour(self, user_id: str, call: View, view: GraphView) -> GraphView:
        """Adds concepts of every colour. Texts name so many concepts that otherwise questions and actions would never
        be among the top ones."""
        shown = Counter(node.colour for node in view.nodes)
        share = max(1, call.top // SHARE)
        extra: list[str] = []
        for colour, count in view.totals.colours.items():
            if shown[colour] < min(share, count):
                best = await self._graph(user_id, call, [colour], share)
                extra += [node.id for node in best.nodes]
        if not extra:
            return view
        ids = [node.id for node in view.nodes if node.id not in extra][: max(1, call.top - len(extra))]
        mixed = await self._graph(user_id, View(), [], len(ids) + len(extra), [*ids, *extra])
        totals = view.totals.model_copy(update={"shown": len(mixed.nodes), "edges": len(mixed.edges)})
        return mixed.model_copy(update={"totals": totals})

    async def _graph(
        self, user_id: str, call: View, colours: Sequence[Colour], top: int, focus: Sequence[str] = ()
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
