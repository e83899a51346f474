"""The knowledge graph for programs, which name entities: facts about one entity, and how two entities are connected."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, Field

from core.errors import fail
from core.knowledge.views import Concept, ConceptDetail, EdgeKind, OutcomeCounts
from core.memory.items.records import preview
from core.records.memory_meta import Tier
from core.words import Language
from pages.actions import Call, Handlers, Tool, action
from pages.handlers.knowledge import by_name
from viz.knowledge.graph import concept_name

NEAR = 50
"""Maximum number of concepts with a similar name that are checked to find the intended one."""
SHOWN = 10
EVIDENCE = 3
"""Maximum number of source texts returned for an edge."""

EXPLORE = (
    "Show what the knowledge graph contains about a person, company, place, law, figure or term: its definition in "
    "the words of a text, its connections, the documents and passages that name it, and questions about it with the "
    "outcomes of their answers."
)
PATH = "Find the shortest path between two things in the knowledge graph, with the passages that support each step."

Name = Annotated[str, Field(min_length=1, max_length=300)]


class OneName(Call):
    """An entity by its name, in any spelling that occurs in the texts."""

    name: Name


class TwoNames(Call):
    """Two entities by their names."""

    a: Name
    b: Name


class Neighbour(BaseModel):
    """A connected entity: ``how`` the two are connected, and how strongly (0..1)."""

    name: str
    how: EdgeKind
    strength: float


class NamedIn(BaseModel):
    """A passage or memory that mentions the entity. If it is a document's passage, its text can be read with
    ``read_passage`` and ``item_id``."""

    item_id: str
    text: str
    document_id: str | None = None
    title: str | None = None
    page: int | None = None


class NamingDocument(BaseModel):
    document_id: str
    title: str
    passages: int


class QuestionAsked(BaseModel):
    question: str
    outcome: str | None = None
    conversation_id: str | None = None


class ConceptTold(BaseModel):
    """Facts about an entity. ``best_tiers``: memory tiers that contributed to answers about the entity that worked."""

    concept_id: str
    name: str
    kind: str
    definition: str | None = None
    mentions: int
    answers: int
    outcomes: OutcomeCounts
    best_tiers: list[Tier]
    related: list[Neighbour]
    documents: list[NamingDocument]
    passages: list[NamedIn]
    questions: list[QuestionAsked]


class Step(BaseModel):
    """One edge of a path, from entity ``a`` to entity ``b``."""

    a: str
    b: str
    how: EdgeKind
    strength: float
    evidence: list[NamedIn]


class PathTold(BaseModel):
    """The path between two entities; ``found`` is false if they are not connected."""

    found: bool
    steps: list[Step]


class Concepts(Handlers):
    """Endpoints and tools that find concepts by name; the Knowledge tab finds the same concepts by id."""

    @action(endpoint="explore_concept", tool=Tool("explore_concept", ConceptTold, EXPLORE, reads=True))
    async def explore_concept(self, user_id: str, call: OneName) -> ConceptTold:
        """Facts about an entity, by its name."""
        concept = await self._named(user_id, call.name)
        return _told(await self._workbench.knowledge.concept(user_id, concept.id), call.ui)

    @action(endpoint="find_path", tool=Tool("find_path", PathTold, PATH, reads=True))
    async def find_path(self, user_id: str, call: TwoNames) -> PathTold:
        """How two entities are connected, by their names."""
        one, other = await self._named(user_id, call.a), await self._named(user_id, call.b)
        path = await self._workbench.knowledge.path(user_id, one.id, other.id)
        names = {each.id: concept_name(each, call.ui) for each in path.nodes}
        order = [each.id for each in path.nodes]
        steps = [
            Step(
                a=names[a],
                b=names[b],
                how=edge.kind,
                strength=edge.strength,
                evidence=await self._evidence(user_id, edge.evidence),
            )
            for a, b, edge in zip(order, order[1:], path.edges, strict=False)
        ]
        return PathTold(found=path.found, steps=steps)

    async def _named(self, user_id: str, name: str) -> Concept:
        found = by_name((await self._workbench.knowledge.graph(user_id, search=name, top=NEAR)).nodes, name)
        if found is None:
            raise fail("not_found", "pages.concepts.unknown", name=name)
        return found

    async def _evidence(self, user_id: str, ids: list[str]) -> list[NamedIn]:
        items = await self._workbench.memory.items(
            user_id, [each for each in ids if each.startswith("mem_")][:EVIDENCE]
        )
        return [
            NamedIn(
                item_id=item.id,
                text=preview(item),
                document_id=item.document_id if item.source.book else None,
                title=item.source.book.title if item.source.book else None,
                page=item.source.book.page if item.source.book else None,
            )
            for item in items
        ]


def _told(detail: ConceptDetail, language: Language) -> ConceptTold:
    concept = detail.concept
    return ConceptTold(
        concept_id=concept.id,
        name=concept_name(concept, language),
        kind=concept.kind,
        definition=detail.definition.text if detail.definition else None,
        mentions=concept.mentions,
        answers=concept.answers,
        outcomes=concept.outcomes,
        best_tiers=concept.best_tiers,
        related=[
            Neighbour(name=concept_name(each.concept, language), how=each.edge.kind, strength=each.edge.strength)
            for each in detail.related[:SHOWN]
        ],
        documents=[NamingDocument.model_validate(each.model_dump()) for each in detail.documents[:SHOWN]],
        passages=[
            NamedIn(text=each.preview, **each.model_dump(include={"item_id", "document_id", "title", "page"}))
            for each in [*detail.passages, *detail.memories][:SHOWN]
        ],
        questions=[QuestionAsked.model_validate(each.model_dump()) for each in detail.answers[:SHOWN]],
    )
