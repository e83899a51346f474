from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from core.settings import Settings
from pages.auth import ACTING, COOKIE, Caller, Gate, Identity


def settings(home: Path, **fields: object) -> Settings:
    return Settings(_env_file=None, home=home, **fields)


def request(cookie: str = "") -> SimpleNamespace:
    return SimpleNamespace(cookies={COOKIE: cookie})


def test_without_users_everyone_is_local_whatever_they_send(tmp_path: Path) -> None:
    assert Identity(settings(tmp_path)).user(request("bob.x.y")) == "local"


def test_a_session_names_its_user_until_it_is_altered_or_expires(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path, users={"ada": "engine"}))
    cookie = identity.sign_in("ada", "engine")
    assert cookie
    assert identity.user(request(cookie)) == "ada"
    assert identity.user(request(cookie.replace("ada", "bob"))) is None
    assert identity.user(request("")) is None
    expired = Identity(settings(tmp_path, users={"ada": "engine"}, session_hours=-1))
    assert expired.user(request(cookie)) is None


def test_wrong_names_and_passwords_are_refused(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path, users={"ada": "engine"}))
    assert identity.sign_in("ada", "wrong") is None
    assert identity.sign_in("bob", "engine") is None
    assert identity.sign_in("bob", "") is None


def test_the_secret_survives_a_restart(tmp_path: Path) -> None:
    cookie = Identity(settings(tmp_path, users={"ada": "engine"})).sign_in("ada", "engine")
    assert Identity(settings(tmp_path, users={"ada": "engine"})).user(request(cookie or "")) == "ada"


TOKEN = "pal_local_of-this-start"


class Keys:
    """Two keys, one of somebody who has left."""

    async def owner_of(self, text: str) -> str | None:
        return {"pal_of_ada": "ada", "pal_of_who_left": "carla"}.get(text)


def asking(authorization: str = "", acting: str = "", cookie: str = "") -> Request:
    given = {"authorization": authorization, ACTING: acting, "cookie": f"{COOKIE}={cookie}" if cookie else ""}
    headers = [(name.encode(), value.encode()) for name, value in given.items() if value]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


@pytest.fixture
def guarded(tmp_path: Path) -> Identity:
    return Identity(settings(tmp_path, users={"ada": "engine", "נועה": "loom"}), Keys(), TOKEN)


@pytest.mark.parametrize(
    ("authorization", "acting", "caller"),
    [
        ("Bearer pal_of_ada", "", Caller("ada", "key")),
        ("bearer pal_of_ada", "נועה", Caller("ada", "key")),
        ("Bearer pal_of_who_left", "", None),
        ("Bearer pal_of_nobody", "", None),
        (f"Bearer {TOKEN}", "", Caller("ada", "machine")),
        (f"Bearer {TOKEN}", "נועה", Caller("נועה", "machine")),
        (f"Bearer {TOKEN}", "carla", None),
        (f"Bearer {TOKEN}x", "", None),
        ("Bearer of-a-proxy", "", None),
        ("Basic pal_of_ada", "", None),
        ("", "ada", None),
    ],
)
async def test_who_shows_what(guarded: Identity, authorization: str, acting: str, caller: Caller | None) -> None:
    assert await guarded.caller(asking(authorization, quote(acting))) == caller


async def test_what_a_proxy_sends_does_not_end_a_session(guarded: Identity) -> None:
    session = guarded.sign_in("ada", "engine")
    assert await guarded.caller(asking("Bearer of-a-proxy", cookie=session or "")) == Caller("ada", "session")
    assert await guarded.caller(asking("Bearer pal_revoked", cookie=session or "")) is None


async def test_without_users_a_key_that_is_none_still_opens_nothing(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path), Keys(), TOKEN)
    assert await identity.caller(asking()) == Caller("local", "session")
    assert await identity.caller(asking(f"Bearer {TOKEN}")) == Caller("local", "machine")
    assert await identity.caller(asking("Bearer pal_of_ada")) is None
    assert await Identity(settings(tmp_path)).caller(asking(f"Bearer {TOKEN}")) is None


async def test_the_gate_settles_who_asks_for_everything_behind_it(guarded: Identity) -> None:
    seen: list[tuple[str | None, bool]] = []

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        inner = Request(scope)
        seen.append((guarded.user(inner), guarded.is_in_person(inner)))

    async def ask(request: Request) -> list[int]:
        said: list[int] = []

        async def send(message: Message) -> None:
            said.extend([message["status"]] if "status" in message else [])

        await Gate(behind, guarded)(dict(request.scope), request.receive, send)
        return said

    session = guarded.sign_in("ada", "engine") or ""
    assert await ask(asking("Bearer pal_of_ada")) == []
    assert await ask(asking(f"Bearer {TOKEN}")) == []
    assert await ask(asking(cookie=session)) == []
    assert seen == [("ada", False), ("ada", True), ("ada", True)]
    assert await ask(asking("Bearer pal_of_nobody")) == [303]
    assert len(seen) == 3
