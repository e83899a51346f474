"""Defines the requests of the Knowledge tab."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from core.knowledge.views import Colour, ConceptKind, Order, Period
from core.records.memory_meta import Tier
from pages.actions import Blank, Call, alias

MOST = 2_000

ConceptId = Annotated[str, Field(max_length=100)]
AnswerId = Annotated[str, Field(max_length=100)]
ObjectId = Annotated[str, Field(max_length=100)]
Month = Annotated[str | None, Field(pattern=r"^\d{4}-\d{2}$"), Blank]


class DocumentChoice(Call):
    """The chosen documents: one, those of a set, or those dated in a span of months (``YYYY-MM``, both included)."""

    document: Annotated[ObjectId | None, Blank] = None
    set: Annotated[ObjectId | None, Blank] = None
    since: Month = None
    until: Month = None

    @property
    def chooses(self) -> bool:
        """Whether it leaves out some documents."""
        return bool(self.document or self.set or self.since or self.until)


class View(DocumentChoice):
    """The requested view of the graph. ``version``: the graph version that the page already shows; ``answer``: the
    answer whose concepts come first; ``surroundings``: also send what is around the concepts that are searched for."""

    search: str = Field("", max_length=200)
    surroundings: bool = False
    colours: list[Colour] = Field([], max_length=4)
    kinds: list[ConceptKind] = Field([], max_length=30)
    tier: Annotated[Tier | None, Blank] = None
    period: Period = "all"
    sort: Order = "importance"
    top: int = Field(20, ge=1, le=MOST)
    session: Annotated[AnswerId | None, Blank, alias("conversation_id", "session")] = None
    focus: list[ConceptId] = Field([], max_length=64)
    answer: AnswerId | None = None
    version: str = Field("", max_length=200)


class Exported(View):
    """The requested view, to be exported as a file."""

    format: Literal["json", "html", "svg", "graphml", "nodes", "links"] = "json"


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
