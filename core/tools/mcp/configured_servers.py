"""Lists the configured servers, from the file in the data directory and from the form; stored secrets are encrypted."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from pydantic import SecretStr, TypeAdapter

from core.clock import Clock
from core.errors import PalimpsestError, Problem, fail
from core.ids import NewId, hashed_id
from core.messages import message
from core.settings import Settings
from core.store.secrets import Secrets
from core.store.truth import Change, Json, Truth
from core.tools.mcp.configuration import FILE, LONGEST_NAME, Configured, Launch, Reached, Remote, reached_by, read_file
from core.tools.mcp.records import ServerDraft

COLLECTION = "tool_servers"
KIND = "srv"
_TEXTS = TypeAdapter(dict[str, str])


class ConfiguredServers:
    """The configured servers. ``problem`` is an error that affects the whole file, found at the last call of
    :meth:`all`."""

    def __init__(self, truth: Truth, settings: Settings, clock: Clock, identifiers: NewId) -> None:
        self._kept = truth.collection(COLLECTION)
        self._path = settings.folder / FILE
        self._settings = settings
        self._clock = clock
        self._identifiers = identifiers
        self._secrets = Secrets(settings)
        self.problem: Problem | None = None

    async def ensure(self) -> None:
        await self._kept.ensure()

    async def all(self) -> list[Configured]:
        """The servers by name, except removed ones."""
        rows = {str(row["_id"]): row for row in await self._kept.find({"removed_at": None})}
        found = await self._of_file(rows)
        names = {each.name for each in found}
        for row in rows.values():
            if self.typed and row["origin"] == "page" and row["name"] not in names:
                found.append(await self._of_row(row))
        return sorted(found, key=lambda each: each.name.casefold())

    async def add(self, draft: ServerDraft) -> str:
        """Add a server; returns its id. Raises ``PalimpsestError`` ("validation") if it is invalid or the name is
        taken."""
        self._refuse_unless_typed()
        name = await self._free_name(draft.name)
        row = await self._row(draft, {})
        id = self._identifiers(KIND)
        await self._kept.insert_many(
            [{"_id": id, "origin": "page", "name": name, "enabled": True, "removed_at": None, **row}]
        )
        return id

    async def edit(self, id: str, draft: ServerDraft) -> None:
        """Raises ``PalimpsestError`` as :meth:`add`, or when a stored secret would be sent to another address."""
        row = await self._typed_row(id)
        name = await self._free_name(draft.name, id)
        reached = (await self._of_row(row)).reached
        changed = await self._row(draft, self._kept_secrets(reached, draft))
        await self._kept.update(id, Change(set={"name": name, **changed}))

    async def switch(self, id: str, enabled: bool) -> None:
        """Switch a server on or off; for a server from the file, this is stored separately. Raises ``PalimpsestError``
        ("not_found")."""
        one = next((each for each in await self.all() if each.id == id), None)
        if one is None:
            raise unknown_server()
        if one.origin == "page":
            await self._kept.update(id, Change(set={"enabled": enabled}))
        else:
            await self._kept.upsert({"_id": id, "origin": "file", "enabled": enabled, "removed_at": None})

    async def remove(self, id: str) -> None:
        """Remove a server; this can be undone for a while. Raises ``PalimpsestError`` if the server does not exist or
        is in the file."""
        await self._typed_row(id)
        await self._kept.update(id, Change(set={"removed_at": self._clock()}))

    async def restore(self, id: str) -> None:
        """Restore a removed server. Raises ``PalimpsestError`` if it was removed permanently, or its name has been
        taken."""
        row = await self._kept.get(id)
        if row is None or row["origin"] != "page":
            raise unknown_server()
        if row["removed_at"] is not None:
            await self._free_name(str(row["name"]), id)
            await self._kept.update(id, Change(set={"removed_at": None}))

    async def forget_removed(self, seconds: float) -> list[str]:
        """Permanently delete servers that were removed some time ago; returns their ids."""
        gone = await self._kept.find({"removed_at": {"$lte": self._clock() - seconds}}, fields=["removed_at"])
        ids = [str(row["_id"]) for row in gone]
        if ids:
            await self._kept.delete({"_id": {"$in": ids}})
        return ids

    def drafted(self, draft: ServerDraft, kept: Reached | None = None) -> Reached:
        """The program or address of a draft. Raises ``PalimpsestError`` ("validation") if it is invalid."""
        self._refuse_unless_typed()
        return reached_by(_given(draft, self._kept_secrets(kept, draft)))

    @property
    def typed(self) -> bool:
        """Whether servers may currently be configured on the page."""
        return self._settings.tool_servers == "page"

    def _refuse_unless_typed(self) -> None:
        if self._settings.tool_servers == "off":
            raise fail(
                "validation", "operations.features.is_off", name=message("operations.features.tool_servers.title")
            )
        if not self.typed:
            raise fail("validation", "tools.mcp.not_typed")

    async def _of_file(self, rows: Mapping[str, Json]) -> list[Configured]:
        try:
            entries, self.problem = await asyncio.to_thread(read_file, self._path), None
        except PalimpsestError as error:
            entries, self.problem = {}, error.problem
        found = []
        for name, entry in entries.items():
            id = hashed_id(KIND, name)
            enabled = bool(rows[id]["enabled"]) if id in rows else entry.enabled
            problem = entry.reached if isinstance(entry.reached, Problem) else None
            reached = None if isinstance(entry.reached, Problem) else entry.reached
            found.append(Configured(id=id, name=name, origin="file", reached=reached, enabled=enabled, problem=problem))
        return found

    async def _of_row(self, row: Json) -> Configured:
        problem: Problem | None = None
        reached: Reached | None = None
        opened = await asyncio.to_thread(self._secrets.decrypt, str(row["secrets"]))
        if opened is None:
            problem = fail("auth", "tools.mcp.secrets_lost").problem
        try:
            kept = _TEXTS.validate_json(opened.get_secret_value()) if opened else {}
            way = row["way"]
            reached = reached_by({**(way if isinstance(way, dict) else {}), "env": kept, "headers": kept})
        except PalimpsestError as error:
            problem = error.problem
        return Configured(
            id=str(row["_id"]), name=str(row["name"]), origin="page", reached=reached, enabled=bool(row["enabled"]),
            problem=problem,
        )  # fmt: skip

    async def _row(self, draft: ServerDraft, kept: Mapping[str, SecretStr]) -> Json:
        reached = reached_by(_given(draft, kept))
        secrets = {name: value.get_secret_value() for name, value in reached.secrets.items()}
        ciphertext = await asyncio.to_thread(self._secrets.encrypt, _TEXTS.dump_json(secrets).decode())
        return {"way": reached.model_dump(exclude={"env", "headers"}), "secrets": ciphertext}

    def _kept_secrets(self, reached: Reached | None, draft: ServerDraft) -> Mapping[str, SecretStr]:
        """Stored secrets that the user did not type again. They are not reused for another address or program."""
        wanted = [name for name, value in {**draft.env, **draft.headers}.items() if value is None]
        if not wanted:
            return {}
        kept = {name: value for name, value in reached.secrets.items() if name in wanted} if reached else {}
        if len(kept) < len(wanted) or not _same_target(reached, draft):
            raise fail("validation", "tools.mcp.secret_again")
        return kept

    async def _typed_row(self, id: str) -> Json:
        self._refuse_unless_typed()
        row = await self._kept.get(id)
        if row is None or row["origin"] != "page" or row["removed_at"] is not None:
            raise unknown_server()
        return row

    async def _free_name(self, name: str, but: str | None = None) -> str:
        name = " ".join(name.split())
        if not name or len(name) > LONGEST_NAME or not name.isprintable():
            raise fail("validation", "tools.mcp.no_name", most=LONGEST_NAME)
        if any(each.name.casefold() == name.casefold() and each.id != but for each in await self.all()):
            raise fail("validation", "tools.mcp.name_taken", name=name)
        return name


def _given(draft: ServerDraft, kept: Mapping[str, SecretStr]) -> Mapping[str, object]:
    if draft.command and draft.url:
        raise fail("validation", "tools.mcp.entry_unusable", wrong="command, url")
    way: dict[str, object] = {"command": draft.command.strip(), "args": draft.args, "url": draft.url.strip()}
    secrets = draft.headers if draft.url else draft.env
    whole = {name: kept[name] if value is None else value for name, value in secrets.items()}
    return {**way, "hosts": draft.hosts, "env": whole, "headers": whole}


def _same_target(reached: Reached | None, draft: ServerDraft) -> bool:
    if isinstance(reached, Remote):
        return reached.url == draft.url.strip()
    return isinstance(reached, Launch) and reached.command == draft.command.strip()


def unknown_server() -> PalimpsestError:
    return fail("not_found", "tools.mcp.unknown_server")
