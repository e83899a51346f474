"""An open data portal like CKAN on a local port, which serves the test catalogue: actions, paging, files and failures.

with CkanServer() as portal:
    ...  # portal.url, portal.requests; portal.moods.append(blocked()): the next request gets this reply
"""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.servers.ckan_catalogue import MadeDataset, made_datasets
from tests.servers.local import LocalServer, Reply, Request

STORE_PAGE = 32_000
"""Maximum number of rows on one page of the data store, whatever limit is requested."""
ACTIONS = "/api/3/action/"


def reply(body: bytes, status: int = 200, content: str = "application/json", **headers: str) -> Reply:
    async def answer(writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status} X", f"Content-Type: {content}", f"Content-Length: {len(body)}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        writer.write("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        await writer.drain()

    return answer


def blocked() -> Reply:
    """A firewall's reply that refuses programs."""
    return reply(b"<html>Access denied</html>", 403, "text/html")


def challenged() -> Reply:
    """A firewall's reply that asks for proof that the client is a browser."""
    return reply(b"<html>please wait</html>", 202, "text/html", x_amzn_waf_action="challenge")


def failing(status: int = 503, **headers: str) -> Reply:
    return reply(b"<html>down</html>", status, "text/html", **headers)


def slow(until: asyncio.Event | None = None) -> Reply:
    """A reply that comes only when the event is set; without an event, it never comes."""

    async def answer(writer: asyncio.StreamWriter) -> None:
        await (until or asyncio.Event()).wait()

    return answer


def _envelope(result: Any) -> Reply:
    return reply(json.dumps({"help": "", "success": True, "result": result}, ensure_ascii=False).encode())


def _error(kind: str, status: int, **said: Any) -> Reply:
    return reply(json.dumps({"success": False, "error": {"__type": kind, **said}}).encode(), status)


@dataclass
class CkanServer(LocalServer):
    """``moods``: replies that the next requests get instead of data. ``miscounts`` is added to every total.
    ``emptied``: the data store has no rows, as in the hours after an upload."""

    datasets: Sequence[MadeDataset] = field(default_factory=made_datasets)
    moods: list[Reply] = field(default_factory=list)
    miscounts: int = 0
    emptied: bool = False

    def __post_init__(self) -> None:
        self.responder = self._respond
        self._resources = {each.resource_id: each for each in self.datasets}
        self._sets = {key: each for each in self.datasets for key in (each.id, each.slug)}

    def actions(self) -> list[str]:
        """Returns the names of the requested actions, in order."""
        return [urlsplit(each.path).path.removeprefix(ACTIONS) for each in self.requests]

    def _respond(self, request: Request) -> Reply:
        if self.moods:
            return self.moods.pop(0)
        parts = urlsplit(request.path)
        asked = {key: values[0] for key, values in parse_qs(parts.query).items()}
        if parts.path.startswith(ACTIONS):
            handler: Callable[[dict[str, str]], Reply] | None = getattr(
                self, f"_{parts.path.removeprefix(ACTIONS)}", None
            )
            return handler(asked) if handler else _error("Bad request", 400, message="Action name not known")
        return self._file(parts.path)

    # -- the catalogue ---------------------------------------------------------------------

    def _package_search(self, asked: dict[str, str]) -> Reply:
        wanted = asked.get("q", "").strip("*: ").split()
        fits = [each for each in self.datasets if all(word in f"{each.title} {each.notes}" for word in wanted)]
        start, rows = int(asked.get("start", 0)), min(int(asked.get("rows", 10)), 1_000)
        page = [each.package(self.url) for each in fits[start : start + rows]]
        return _envelope({"count": max(0, len(fits) + self.miscounts), "results": page})

    def _package_show(self, asked: dict[str, str]) -> Reply:
        found = self._sets.get(asked.get("id", ""))
        return _envelope(found.package(self.url)) if found else _error("Not Found Error", 404)

    def _package_list(self, asked: dict[str, str]) -> Reply:
        return _envelope([each.slug for each in self.datasets])

    def _organization_list(self, asked: dict[str, str]) -> Reply:
        return _listed([(each.organisation, each.publisher) for each in self.datasets], "all_fields" in asked)

    def _group_list(self, asked: dict[str, str]) -> Reply:
        return _listed([(each.group, each.group_title) for each in self.datasets], "all_fields" in asked)

    def _tag_list(self, asked: dict[str, str]) -> Reply:
        return _envelope(sorted({tag for each in self.datasets for tag in each.tags}))

    # -- the data store --------------------------------------------------------------------

    def _datastore_search(self, asked: dict[str, str]) -> Reply:
        found = self._resources.get(asked.get("resource_id", ""))
        if found is None or not found.stored:
            return _error("Not Found Error", 404, message="Resource was not found.")
        filters = json.loads(asked.get("filters", "{}"))
        if unknown := set(filters) - {*found.columns, "_id"}:
            return _error("Validation Error", 409, filters=[f"invalid: {sorted(unknown)}"])
        if asked.get("limit") == "0" and not filters and not asked.get("q"):
            return _envelope(self._page_of(found, ["_id", *found.columns], [], 0 if self.emptied else found.count))
        rows = [] if self.emptied else [row for row in found.rows if _fits(row, filters, asked.get("q", ""))]
        names = [name for name in asked.get("fields", "").split(",") if name] or ["_id", *found.columns]
        if asked.get("sort"):
            name, _, way = asked["sort"].rpartition(" ")
            rows = sorted(rows, key=lambda row: (row[name] is None, row[name]), reverse=way.strip() == "desc")
        rows = [{name: row[name] for name in names} for row in rows]
        if asked.get("distinct") == "true":
            rows = [dict(each) for each in dict.fromkeys(tuple(row.items()) for row in rows)]
        start, limit = int(asked.get("offset", 0)), min(int(asked.get("limit", 100)), STORE_PAGE)
        return _envelope(self._page_of(found, names, rows[start : start + limit], len(rows)))

    def _page_of(
        self, found: MadeDataset, names: Sequence[str], rows: Sequence[dict[str, Any]], total: int
    ) -> dict[str, Any]:
        fields = [{"id": name, "type": found.types.get(name, "numeric")} for name in names]
        total = max(0, total + self.miscounts)
        return {"resource_id": found.resource_id, "fields": fields, "records": list(rows), "total": total}

    def _file(self, path: str) -> Reply:
        """Returns the file at an address, as comma-separated values. It starts with a byte order mark, as published
        files do."""
        identifier = path.split("/resource/")[-1].split("/")[0]
        found = self._resources.get(identifier)
        if found is None or not found.columns:
            return reply(b"not here", 404, "text/plain")
        written = io.StringIO()
        sheet = csv.DictWriter(written, list(found.columns), extrasaction="ignore")
        sheet.writeheader()
        sheet.writerows(found.rows)
        return reply(written.getvalue().encode("utf-8-sig"), 200, "text/csv")


def _fits(row: dict[str, Any], filters: dict[str, Any], words: str) -> bool:
    """Returns whether a row matches: each filter's field equals a value, or one of several, as text; every query word
    is somewhere in the row."""
    for name, wanted in filters.items():
        if str(row[name]) not in [str(each) for each in (wanted if isinstance(wanted, list) else [wanted])]:
            return False
    whole = " ".join(str(value) for value in row.values())
    return all(word in whole for word in words.split())


def _listed(named: Sequence[tuple[str, str]], whole: bool) -> Reply:
    names = dict(named)
    if not whole:
        return _envelope(list(names))
    counts = {name: sum(each[0] == name for each in named) for name in names}
    return _envelope([{"name": n, "title": title, "package_count": counts[n]} for n, title in names.items()])
