"""Simulates a user of a served workbench over HTTP, and logs all users' actions."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Any, TypeVar

import httpx

from core.store.data_directory import Holder

T = TypeVar("T")
Json = dict[str, Any]

PATIENCE = 90.0
"""Seconds after which a user gives up waiting for a call."""
LOOKS = 0.25
"""Seconds between two checks of a document that is being read."""


class RefusedError(Exception):
    """The server refused with a message, or an answer failed."""


@dataclass(frozen=True)
class Deed:
    """A user's action: its kind, the question or file, and its start and end by the monotonic clock.

    ``problem``: why it failed.
    """

    person: str
    kind: str
    about: str
    began: float
    ended: float
    problem: str = ""

    @property
    def seconds(self) -> float:
        return self.ended - self.began


class Person:
    """Acts for a user with the token of the data directory, to which rate limits do not apply."""

    def __init__(self, name: str, holder: Holder, log: list[Deed]) -> None:
        headers = {"Authorization": f"Bearer {holder.token}", "X-Palimpsest-User": name}
        self.name = name
        self.http = httpx.Client(base_url=holder.address, headers=headers, timeout=PATIENCE, trust_env=False)
        self._log = log

    def does(self, kind: str, about: str, call: Callable[[], T]) -> T | None:
        """Performs an action and logs it; returns ``None`` if it failed."""
        began, problem, result = time.monotonic(), "", None
        try:
            result = call()
        except (httpx.HTTPError, RefusedError) as error:
            problem = f"{type(error).__name__}: {error}"
        self._log.append(Deed(self.name, kind, about, began, time.monotonic(), problem))
        return result

    def call(self, endpoint: str, **fields: object) -> Json:
        """Calls an action. Raises ``RefusedError`` or ``httpx.HTTPError``."""
        return _reply(self.http.post(f"/api/{endpoint}", json=fields))

    def ask(self, question: str, conversation: str | None = None) -> Json:
        """Asks and waits for the whole answer; a question to the user counts as an answer."""
        answer = self.call("ask", question=question, conversation_id=conversation)
        if answer.get("outcome") != "answered" and not answer.get("interrupt"):
            raise RefusedError(f"the answer ended as {answer.get('outcome')}")
        return answer

    def drop(self, path: Path) -> str:
        """Uploads a file and adds it to the library; returns its id."""
        return self.drop_all(path)[0]

    def drop_all(self, path: Path) -> list[str]:
        """Uploads a file and adds it to the library; returns the ids of all resulting documents (several for an archive
        or a mailbox).

        Raises:
            RefusedError: nothing was added.
        """
        with path.open("rb") as file:
            uploaded = _reply(self.http.request("PUT", "/api/uploads", content=file))
        given = self.call("upload_document", file=uploaded["path"], name=path.name, choice="keep_both")
        documents = given.get("documents") or [given["document"]]
        if not any(documents):
            raise RefusedError(" ".join(_problem_words(each["problem"]) for each in given["left_out"]))
        return [document["id"] for document in documents]

    def row(self, document_id: str) -> Json:
        """Returns the document's row of the library. Raises ``RefusedError`` if the document could not be read."""
        row: Json = self.call("get_document", document_id=document_id)["document"]
        if row["state"] == "failed":
            raise RefusedError(_problem_words(row["problem"]))
        return row

    def waits_for(self, document_id: str, ready: Callable[[Json], bool], stop: Event) -> bool:
        """Checks a document's row until the document is ready, or until ``stop``; returns whether it is ready.

        Raises:
            RefusedError: the document could not be read.
        """
        while not ready(self.row(document_id)):
            if stop.wait(LOOKS):
                return False
        return True

    def removes(self, document_id: str) -> None:
        """Stops reading a document and deletes it."""
        for endpoint in ("cancel_document", "delete_document"):
            with suppress(RefusedError, httpx.HTTPError):
                self.call(endpoint, document_id=document_id)

    def page_function(self, name: str) -> Callable[..., Json]:
        """Calls a server function of the pages by its name."""
        components = self.http.get("/config").json()["components"]
        component = next(part["id"] for part in components if name in (part["props"].get("server_fns") or []))

        def call(**fields: object) -> Json:
            body = {
                "data": {"ui": "en", **fields},
                "component_id": component,
                "fn_name": name,
                "session_hash": "frozen",
            }
            return _reply(self.http.post("/gradio_api/component_server", json=body))

        return call


def all_searchable(row: Json) -> bool:
    """Returns whether keyword search can find the whole document."""
    return bool(row["searchable"] == row["chunks"] > 0)


def partly_searchable(row: Json) -> bool:
    """Returns whether search can find at least a part of the document."""
    return bool(row["searchable"] > 0)


def _reply(reply: httpx.Response) -> Json:
    """Returns the reply. Raises ``RefusedError`` if the server refused or the reply is unreadable."""
    if "json" not in reply.headers.get("content-type", ""):
        raise RefusedError(f"status {reply.status_code}")
    found: Json = reply.json()
    if found.get("problem"):
        raise RefusedError(_problem_words(found["problem"]))
    if reply.is_error:
        raise RefusedError(f"status {reply.status_code}: {reply.text[:200]}")
    return found


def _problem_words(problem: Json) -> str:
    return f"{problem['what']} {problem['why']}"
