"""Sets of documents in the Library tab."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from core.ids import ID_PATTERN
from core.library.sets import DocumentSet
from core.workbench import Workbench
from pages.answers import Call, Handler, Reply

Id = Annotated[str, Field(pattern=ID_PATTERN.pattern)]
Ids = Annotated[list[Id], Field(max_length=1_000)]


class ChosenSet(Call):
    id: Id


class NewSet(Call):
    name: str = Field(max_length=500)
    documents: Ids = Field([])


class RenamedSet(ChosenSet):
    name: str = Field(max_length=500)


class FilledSet(ChosenSet):
    add: Ids = Field([])
    remove: Ids = Field([])


class SetShelf:
    """What the script of the strip may call."""

    def __init__(self, workbench: Workbench) -> None:
        self._sets = workbench.sets

    @property
    def handlers(self) -> tuple[Handler, ...]:
        return (self.sets, self.create_set, self.rename_set, self.fill_set, self.delete_set, self.undo_delete_set)

    async def sets(self, user_id: str, call: Call) -> Reply:
        """By name."""
        return {"sets": [shown(each) for each in await self._sets.all(user_id)]}

    async def create_set(self, user_id: str, call: NewSet) -> Reply:
        """A set of these documents."""
        return {"set": shown(await self._sets.create(user_id, call.name, call.documents))}

    async def rename_set(self, user_id: str, call: RenamedSet) -> Reply:
        """Questions mention it by its new name from now on."""
        return {"set": shown(await self._sets.rename(user_id, call.id, call.name))}

    async def fill_set(self, user_id: str, call: FilledSet) -> Reply:
        """Put documents in and take others out."""
        return {"set": shown(await self._sets.fill(user_id, call.id, add=call.add, remove=call.remove))}

    async def delete_set(self, user_id: str, call: ChosenSet) -> Reply:
        """The documents stay; can be undone for a while."""
        await self._sets.delete(user_id, call.id)
        return {}

    async def undo_delete_set(self, user_id: str, call: ChosenSet) -> Reply:
        """Bring it back."""
        return {"set": shown(await self._sets.undelete(user_id, call.id))}


def shown(each: DocumentSet) -> Reply:
    return {"id": each.id, "name": each.name, "documents": [*each.document_ids]}
