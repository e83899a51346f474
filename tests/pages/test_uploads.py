"""An upload is its owner's alone, also when another sends the same file at the same time."""

from __future__ import annotations

import asyncio
import errno
import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from core.errors import PalimpsestError, explain
from core.setting_groups import Limits
from pages import uploads
from pages.gradio_uploads import upload_routes
from pages.http_doors import http_routes
from pages.uploads import ABANDONED, remove_abandoned

FILE = {"files": ("report.txt", b"the same bytes")}


class ByHeader:
    """Signs nobody in: a test says who asks."""

    def user(self, request: Any) -> str | None:
        return cast("str | None", request.headers.get("x-user"))


Received = Callable[[str, str], Path]


@pytest.fixture
def settings(tmp_path: Path) -> Any:
    return SimpleNamespace(folder=tmp_path, limits=Limits(file_bytes=5_000, table_file_bytes=5_000))


@pytest.fixture
def received(settings: Any) -> Received:
    return lambda user, path: uploads.received(user, path, settings)


@pytest.fixture
def asked(settings: Any) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(upload_routes(cast(Any, SimpleNamespace(settings=settings)), cast(Any, ByHeader())))
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://here")


def _files_in(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.rglob("*") if each.is_file())


async def _sent(asked: httpx.AsyncClient, user: str) -> str:
    reply = await asked.post("/gradio_api/upload", files=FILE, headers={"x-user": user})
    return str(reply.json()[0])


async def test_two_people_who_send_the_same_file_have_one_each(asked: httpx.AsyncClient, received: Received) -> None:
    ada, bob = await asyncio.gather(_sent(asked, "ada"), _sent(asked, "bob"))
    assert ada != bob
    received("ada", ada).unlink()
    assert received("bob", bob).read_bytes() == b"the same bytes"


async def test_who_knows_the_path_of_anothers_upload_has_nothing(asked: httpx.AsyncClient, received: Received) -> None:
    path = await _sent(asked, "ada")
    with pytest.raises(PalimpsestError) as caught:
        received("bob", path)
    assert caught.value.problem.category == "not_found"
    assert received("ada", path).is_file()


async def test_a_file_over_the_limit_is_refused_and_leaves_nothing(asked: httpx.AsyncClient, tmp_path: Path) -> None:
    big = {"files": ("big.txt", b"x" * 7_000)}
    reply = await asked.post("/gradio_api/upload", files=big, headers={"x-user": "ada"})
    assert reply.status_code == 413
    assert not _files_in(tmp_path)


async def test_a_full_disk_is_said_at_both_doors(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pages.gradio_uploads.upload_fn", full)
    monkeypatch.setattr("pages.http_doors._take_in", full)
    app = FastAPI()
    app.include_router(upload_routes(cast(Any, SimpleNamespace(settings=settings)), cast(Any, ByHeader())))
    app.include_router(http_routes(cast(Any, SimpleNamespace(user_of=lambda _: "ada")), settings))
    asked = httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://here", headers={"Accept-Language": "he", "x-user": "ada"}
    )
    words = explain(OSError(errno.ENOSPC, "")).what.he
    sent, put = await asked.post("/gradio_api/upload", files=FILE), await asked.put("/api/uploads", content=b"x")
    assert (sent.status_code, put.status_code) == (507, 507)
    assert sent.text.startswith(words)
    assert put.json()["problem"]["what"] == words


async def test_what_nobody_took_over_goes_after_a_day(
    asked: httpx.AsyncClient, received: Received, settings: Any, tmp_path: Path
) -> None:
    old, new = await _sent(asked, "ada"), await _sent(asked, "ada")
    os.utime(Path(old).parents[1], (0, 0))
    remove_abandoned(uploads.upload_folder(settings))
    assert _files_in(tmp_path) == ["report.txt"]
    assert received("ada", new)
    remove_abandoned(uploads.upload_folder(settings), now=os.stat(new).st_mtime + 2 * ABANDONED)
    assert _files_in(tmp_path) == []
