"""Sets of documents: named selections that a question may mention."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from pydantic import BaseModel, Field, JsonValue

from core.clock import Clock
from core.errors import PalimpsestError, fail
from core.ids import NewId
from core.language.normalisation import fold
from core.library.catalogue import Catalogue
from core.store.items import LIBRARY
from core.store.scope import ScopedTruth
from core.store.truth import Change, Collection, Sorted, Truth

NAME_CHARACTERS = 80
MOST_DOCUMENTS = 1_000

_QUOTES = str.maketrans('"“”„', "''''")
"""A mention stands between quotation marks."""


class DocumentSet(BaseModel):
    """``document_ids`` in the order they were put in; readers see those that are in the library now."""

    id: str = Field(alias="_id")
    user_id: str
    name: str
    document_ids: list[str] = []
    deleted: bool = False
    created_at: float
    updated_at: float
    version: int = 0

    model_config = {"populate_by_name": True}


class Sets:
    """Every method is bound to the user it is called for."""

    def __init__(self, truth: Truth, catalogue: Catalogue, clock: Clock, new_id: NewId) -> None:
        self._truth = truth
        self._catalogue = catalogue
        self._clock = clock
        self._new_id = new_id
        self._gate = asyncio.Lock()

    async def ensure(self) -> None:
        await self._truth.collection("sets").ensure(sort=[Sorted(("user_id", "deleted"))])

    async def all(self, user_id: str) -> list[DocumentSet]:
        """By name; of their documents those that are in the library now."""
        there = await self._published(user_id)
        found = [_seen(each, there) for each in await self._live(user_id)]
        return sorted(found, key=lambda each: fold(each.name))

    async def get(self, user_id: str, set_id: str) -> DocumentSet:
        """Raises ``PalimpsestError`` (not found), for a deleted one too."""
        return _seen(await self._get(user_id, set_id), await self._published(user_id))

    async def create(self, user_id: str, name: str, document_ids: Sequence[str] = ()) -> DocumentSet:
        """Raises ``PalimpsestError``: the name is empty, too long or taken, or a document is not in the library."""
        async with self._gate:
            name = await self._free(user_id, name)
            members = await self._members(user_id, document_ids)
            now = self._clock()
            made = DocumentSet(
                id=self._new_id("set"), user_id=user_id, name=name, document_ids=members, created_at=now, updated_at=now
            )
            await self._of(user_id).upsert(made.model_dump(by_alias=True, mode="json"))
            return made

    async def rename(self, user_id: str, set_id: str, name: str) -> DocumentSet:
        """Raises ``PalimpsestError``: there is no such set, or the name is empty, too long or taken."""
        async with self._gate:
            await self._get(user_id, set_id)
            return await self._change(user_id, set_id, name=await self._free(user_id, name, but=set_id))

    async def fill(
        self, user_id: str, set_id: str, *, add: Sequence[str] = (), remove: Sequence[str] = ()
    ) -> DocumentSet:
        """Put documents in and take others out; what is there already, or is not, makes no difference.

        Raises:
            PalimpsestError: there is no such set, one of ``add`` is not in the library, or there would be too many.
        """
        async with self._gate:
            known = await self._get(user_id, set_id)
            added = await self._members(user_id, add)
            out = set(remove)
            members = [each for each in dict.fromkeys([*known.document_ids, *added]) if each not in out]
            if len(members) > MOST_DOCUMENTS:
                raise _too_many(len(members))
            return await self._change(user_id, set_id, document_ids=[*members])

    async def delete(self, user_id: str, set_id: str) -> None:
        """The documents stay; ``undelete`` brings the set back for a while."""
        await self._get(user_id, set_id)
        await self._change(user_id, set_id, deleted=True)

    async def undelete(self, user_id: str, set_id: str) -> DocumentSet:
        """Raises ``PalimpsestError``: it is gone for good, or another set has its name now."""
        async with self._gate:
            row = await self._of(user_id).get(set_id)
            if row is None:
                raise no_set()
            await self._free(user_id, DocumentSet.model_validate(row).name, but=set_id)
            return await self._change(user_id, set_id, deleted=False)

    async def compact(self, grace_seconds: float) -> int:
        """Remove for good what was deleted more than ``grace_seconds`` ago (maintenance, all users)."""
        moment = self._clock() - grace_seconds
        return await self._truth.collection("sets").delete({"deleted": True, "updated_at": {"$lt": moment}})

    async def _get(self, user_id: str, set_id: str) -> DocumentSet:
        row = await self._of(user_id).get(set_id)
        if row is None or row["deleted"]:
            raise no_set()
        return DocumentSet.model_validate(row)

    async def _live(self, user_id: str) -> list[DocumentSet]:
        return [DocumentSet.model_validate(row) for row in await self._of(user_id).find({"deleted": False})]

    async def _change(self, user_id: str, set_id: str, **fields: JsonValue) -> DocumentSet:
        row = await self._of(user_id).update(set_id, Change(set={**fields, "updated_at": self._clock()}))
        if row is None:
            raise no_set()
        return _seen(DocumentSet.model_validate(row), await self._published(user_id))

    async def _free(self, user_id: str, name: str, but: str | None = None) -> str:
        """``name`` as it is stored: on one line and without quotation marks."""
        clean = " ".join(name.translate(_QUOTES).split())
        if not clean or len(clean) > NAME_CHARACTERS:
            raise _no_name() if not clean else _long_name(len(clean))
        if any(fold(each.name) == fold(clean) and each.id != but for each in await self._live(user_id)):
            raise _taken(clean)
        return clean

    async def _members(self, user_id: str, document_ids: Sequence[str]) -> list[str]:
        wanted = list(dict.fromkeys(document_ids))
        if len(wanted) > MOST_DOCUMENTS:
            raise _too_many(len(wanted))
        if wanted and not await self._published(user_id) >= set(wanted):
            raise _not_published()
        return wanted

    async def _published(self, user_id: str) -> set[str]:
        return {document.id for document in await self._catalogue.all(user_id, scope=LIBRARY)}

    def _of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection("sets")


def _seen(each: DocumentSet, there: set[str]) -> DocumentSet:
    return each.model_copy(update={"document_ids": [id for id in each.document_ids if id in there]})


def no_set() -> PalimpsestError:
    return fail(
        "not_found",
        ("This set does not exist.", "האוסף הזה אינו קיים."),
        ("It was deleted, or it belongs to someone else.", "הוא נמחק, או שהוא שייך למישהו אחר."),
        ("Choose one from the Library, or make a new one.", "בחרו אוסף בספרייה, או צרו חדש."),
    )


def _no_name() -> PalimpsestError:
    return fail(
        "validation",
        ("The set has no name.", "לאוסף אין שם."),
        ("A question mentions a set by its name.", "שאלה מזכירה אוסף בשמו."),
        ("Give it a short name.", "תנו לו שם קצר."),
    )


def _long_name(characters: int) -> PalimpsestError:
    return fail(
        "validation",
        ("The name is too long.", "השם ארוך מדי."),
        (
            f"It has {characters} characters; the limit is {NAME_CHARACTERS}.",
            f"יש בו {characters} תווים; המגבלה היא {NAME_CHARACTERS}.",
        ),
        ("Give the set a shorter name.", "תנו לאוסף שם קצר יותר."),
    )


def _taken(name: str) -> PalimpsestError:
    return fail(
        "validation",
        (f"There is a set called “{name}” already.", f"כבר יש אוסף בשם „{name}”."),
        (
            "Two sets of one name could not be told apart in a question.",
            "אי אפשר להבחין בשאלה בין שני אוספים בעלי אותו שם.",
        ),
        ("Choose another name, or add the documents to that set.", "בחרו שם אחר, או הוסיפו את המסמכים לאוסף הקיים."),
    )


def _too_many(count: int) -> PalimpsestError:
    return fail(
        "validation",
        ("These are too many documents for one set.", "אלה יותר מדי מסמכים לאוסף אחד."),
        (
            f"It would hold {count:,}; the limit is {MOST_DOCUMENTS:,}.",
            f"יהיו בו {count:,}; המגבלה היא {MOST_DOCUMENTS:,}.",
        ),
        (
            "Spread them over two sets; a question may mention both.",
            "חלקו אותם לשני אוספים; אפשר להזכיר את שניהם בשאלה אחת.",
        ),
    )


def _not_published() -> PalimpsestError:
    return fail(
        "not_found",
        ("A chosen document is not in your library.", "אחד המסמכים שנבחרו אינו בספרייה שלכם."),
        ("It was deleted, or it is attached to a conversation only.", "הוא נמחק, או שהוא מצורף לשיחה בלבד."),
        (
            "Choose again from the list; an attachment has to be published first.",
            "בחרו שוב מהרשימה; קובץ מצורף יש לפרסם תחילה.",
        ),
    )
