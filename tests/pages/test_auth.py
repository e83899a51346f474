from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from core.accounts.records import KEY_SCOPES, ApiKey
from core.errors import PalimpsestError, fail
from core.settings import Settings
from pages.auth import ACTING, COOKIE, Caller, Gate, Identity
from tests.people import Named


def settings(home: Path) -> Settings:
    return Settings(_env_file=None, home=home)


TOKEN = "pal_local_of-this-start"


class Keys:
    """A fake key store, with two keys; one of them belongs to a removed user."""

    async def presented(self, text: str) -> ApiKey | None:
        if text == "pal_too_old":
            raise fail("auth", "accounts.key_expired", name="of last year")
        owner = {"pal_of_ada": "ada", "pal_of_who_left": "carla"}.get(text)
        return ApiKey(id="key_1", user_id=owner, name="", prefix="", digest="", created_at=0.0) if owner else None


class Sessions:
    """A fake session store, with two browsers' sessions; one of them belongs to a removed user."""

    async def owner_of(self, text: str) -> str | None:
        return {"of ada's browser": "ada", "of who left": "carla"}.get(text)


def asking(authorization: str = "", acting: str = "", cookie: str = "") -> Request:
    given = {"authorization": authorization, ACTING: acting, "cookie": f"{COOKIE}={cookie}" if cookie else ""}
    headers = [(name.encode(), value.encode()) for name, value in given.items() if value]
    return Request({"type": "http", "method": "GET", "path": "/", "headers": headers})


@pytest.fixture
def guarded(tmp_path: Path) -> Identity:
    people = Named("ada", "נועה")
    people.sessions = Sessions()  # type: ignore[assignment]
    return Identity(settings(tmp_path), people, Keys(), TOKEN)


@pytest.mark.parametrize(
    ("authorization", "acting", "caller"),
    [
        ("Bearer pal_of_ada", "", Caller("ada", "key", KEY_SCOPES)),
        ("bearer pal_of_ada", "נועה", Caller("ada", "key", KEY_SCOPES)),
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
    session = guarded.cookie_of("of ada's browser")
    assert await guarded.caller(asking("Bearer of-a-proxy", cookie=session)) == Caller("ada", "session")
    assert await guarded.caller(asking("Bearer pal_revoked", cookie=session)) is None


async def test_without_users_a_key_that_is_none_still_opens_nothing(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path), Named(), Keys(), TOKEN)
    assert await identity.caller(asking()) == Caller("local", "session")
    assert await identity.caller(asking(f"Bearer {TOKEN}")) == Caller("local", "machine")
    assert await identity.caller(asking("Bearer pal_of_ada")) is None
    assert await Identity(settings(tmp_path), Named()).caller(asking(f"Bearer {TOKEN}")) is None


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

    session = guarded.cookie_of("of ada's browser")
    assert await ask(asking("Bearer pal_of_ada")) == []
    assert await ask(asking(f"Bearer {TOKEN}")) == []
    assert await ask(asking(cookie=session)) == []
    assert seen == [("ada", False), ("ada", True), ("ada", True)]
    assert await ask(asking("Bearer pal_of_nobody")) == [303]
    assert await ask(asking("Bearer pal_too_old")) == [401]
    assert len(seen) == 3


async def test_while_sessions_cannot_be_looked_up_nobody_is_told_to_sign_in(
    guarded: Identity, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_: Request) -> Caller | None:
        raise fail("connection", "store.mongo.mongodb_reached", detail="nobody answers")

    monkeypatch.setattr(guarded, "caller", away)
    said: list[Message] = []

    async def send(message: Message) -> None:
        said.append(message)

    async def behind(scope: Scope, receive: Receive, send: Send) -> None:
        raise AssertionError("it was let in")

    request = asking(cookie=guarded.cookie_of("of ada's browser"))
    await Gate(behind, guarded)(dict(request.scope), request.receive, send)
    assert said[0]["status"] == 503
    assert b"www-authenticate" not in dict(said[0]["headers"])


@pytest.mark.parametrize("cookie", ["", "of ada's browser", "of ada's browser.x", "ada", "נועה"])
async def test_a_cookie_that_was_not_signed_here_opens_nothing(guarded: Identity, tmp_path: Path, cookie: str) -> None:
    assert await guarded.caller(asking(cookie=cookie.encode().decode("latin-1"))) is None
    signed = guarded.cookie_of("of ada's browser")
    assert await guarded.caller(asking(cookie=signed)) == Caller("ada", "session")
    assert await guarded.caller(asking(cookie=signed[:-2])) is None
    assert await guarded.caller(asking(cookie=guarded.cookie_of("of who left"))) is None
    (tmp_path / "session.key").write_bytes(b"")
    assert Identity(settings(tmp_path), Named("ada")).token_in(asking(cookie=signed)) is None


async def test_who_is_removed_is_turned_away_at_the_next_request(guarded: Identity) -> None:
    assert guarded.is_administrator("ada")
    assert not guarded.is_administrator("נועה")
    assert not guarded.is_administrator("carla")
    assert not guarded.is_administrator("local")
    assert guarded.user(asking()) is None


async def test_without_accounts_everybody_is_local_whatever_they_send(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path), Named())
    assert identity.user(asking(cookie="bob.x.y")) == "local"
    assert identity.is_administrator("local")


async def test_a_key_that_has_expired_says_so(guarded: Identity) -> None:
    with pytest.raises(PalimpsestError) as caught:
        await guarded.caller(asking("Bearer pal_too_old"))
    assert caught.value.problem.what.en == "The key “of last year” has expired."


async def test_a_cookie_of_one_server_is_read_by_another_once_they_have_agreed(tmp_path: Path) -> None:
    people = Named("ada")
    people.sessions = Sessions()  # type: ignore[assignment]
    one, other = (Identity(settings(tmp_path / name), people) for name in ("one", "other"))
    before = one.cookie_of("of ada's browser")
    assert other.token_in(asking(cookie=before)) is None

    async def as_the_first(_: bytes) -> bytes:
        return one._key

    for each in (one, other):
        await each.agree(as_the_first)
    assert await one.caller(asking(cookie=before)) == Caller("ada", "session")
    assert await other.caller(asking(cookie=before)) == Caller("ada", "session")
    assert other.unsealed(one.sealed({"state": "x"})) == {"state": "x"}
