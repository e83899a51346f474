"""Tests that an upload is visible only to its owner, also when another user sends the same file at the same time."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import httpx
import pytest
from fastapi import FastAPI

from core.errors import PalimpsestError, explain
from core.library.intake.uploads import Uploads
from core.setting_groups import Limits
from core.settings import Settings
from pages.gradio_uploads import upload_routes
from pages.http_doors import http_routes

FILE = {"files": ("report.txt", b"the same bytes")}


class ByHeader:
    """Replaces the sign-in check: a request header names the user."""

    def user(self, request: Any) -> str | None:
        return cast("str | None", request.headers.get("x-user"))


Received = Callable[[str, str], Path]


@pytest.fixture
def workbench(tmp_path: Path) -> Any:
    limits = Limits(file_bytes=5_000, table_file_bytes=5_000, disk_low_bytes=0)
    settings = Settings(_env_file=None, home=tmp_path, limits=limits)  # type: ignore[call-arg]
    return SimpleNamespace(settings=settings, uploads=Uploads(settings))


@pytest.fixture
def received(workbench: Any) -> Received:
    return cast(Received, workbench.uploads.received)


@pytest.fixture
def asked(workbench: Any) -> httpx.AsyncClient:
    app = FastAPI()
    app.include_router(upload_routes(workbench, cast(Any, ByHeader())))
    app.include_router(http_routes(cast(Any, SimpleNamespace(user_of=lambda _: "ada")), workbench))
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app), base_url="http://here", headers={"Accept-Language": "he", "x-user": "ada"}
    )


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


async def test_a_full_disk_is_said_at_both_doors(
    asked: httpx.AsyncClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("core.library.intake.uploads.Arrival.take", full)
    words = explain(OSError(errno.ENOSPC, "")).what
    sent, put = await asked.post("/gradio_api/upload", files=FILE), await asked.put("/api/uploads", content=b"x")
    assert (sent.status_code, put.status_code) == (507, 507)
    assert {name: told["what"] for name, told in sent.json()["problems"].items()} == {"en": words.en, "he": words.he}
    assert put.json()["problem"]["what"] == words.he
    assert not _files_in(tmp_path)


async def test_too_little_room_and_too_much_that_waits_are_refused_in_words_at_both_doors(
    asked: httpx.AsyncClient, workbench: Any, tmp_path: Path
) -> None:
    workbench.settings.uploads.unsubmitted_bytes = 1
    await _sent(asked, "ada")
    for refusing, status, words in (("unsubmitted", 400, "have not been added"), ("room", 507, "free on the disk")):
        sent, put = await asked.post("/gradio_api/upload", files=FILE), await asked.put("/api/uploads", content=b"x")
        assert (sent.status_code, put.status_code) == (status, status), refusing
        assert words in sent.json()["problems"]["en"]["why"]
        assert put.json()["problem"] == sent.json()["problems"]["he"]
        assert _files_in(tmp_path) == ["report.txt"]
        workbench.settings.uploads.unsubmitted_bytes, workbench.settings.limits.disk_low_bytes = 2**40, 2**60


async def test_a_body_that_says_that_it_is_too_large_is_not_read(asked: httpx.AsyncClient, tmp_path: Path) -> None:
    async def nothing() -> Any:
        raise AssertionError("it is read")
        yield b""

    put = await asked.put("/api/uploads", content=nothing(), headers={"Content-Length": "9000"})
    assert put.status_code == 400
    assert not _files_in(tmp_path)
