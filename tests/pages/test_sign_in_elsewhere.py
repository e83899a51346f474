"""Tests sign-in with an OpenID Connect provider: which users get in, which do not, and their rights."""

from __future__ import annotations

import logging
import time
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from joserfc.jwk import RSAKey
from pydantic import SecretStr, ValidationError
from starlette.requests import Request

from core.accounts.accounts import Accounts
from core.accounts.audit import Audit
from core.accounts.openid import LEEWAY
from core.accounts.records import SIGN_IN_SECONDS
from core.ids import new_id
from core.openid_settings import OpenId
from core.settings import Settings
from core.store.open import open_truth
from pages.auth import COOKIE, Gate, Identity, user_of
from pages.sign_in import Entrance, login_routes
from pages.sign_in_elsewhere import COOKIE as BEGUN
from pages.sign_in_elsewhere import PATH, provider_routes
from tests.servers.openid_provider import CLIENT, SECRET, OpenIdProvider


class House:
    """The sign-in pages of a workbench, and the OpenID Connect provider that it trusts."""

    def __init__(self, home: Path, provider: OpenIdProvider, **given: object) -> None:
        self.provider = provider
        openid = {"issuer": provider.issuer, "client_id": CLIENT, "client_secret": SECRET, **given}
        settings = Settings(_env_file=None, home=home, openid=openid, users={"ada": SecretStr("analytical")})
        self.ahead = 0.0
        self.truth = open_truth(settings)
        self.accounts = Accounts(self.truth, settings, self.clock)
        self.audit = Audit(self.truth, self.clock, new_id, 365.0)
        self.identity = Identity(settings, self.accounts)
        entrance = Entrance(self.identity, self.accounts, self.audit)
        self.app = FastAPI()
        self.app.add_middleware(Gate, identity=self.identity)
        self.app.include_router(login_routes(entrance))
        self.app.include_router(provider_routes(entrance))

        @self.app.get("/who")
        async def who(request: Request) -> str:
            return user_of(self.identity, request)

    def clock(self) -> float:
        return time.time() + self.ahead

    def browser(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(transport=httpx.ASGITransport(self.app), base_url="https://bench.example")

    async def come_back(self, browser: httpx.AsyncClient, **other: str) -> httpx.Response:
        """Signs in at the provider and returns; ``other`` replaces parameters that the provider sent."""
        begun = await browser.get(PATH)
        assert begun.status_code == 303, begun.text
        returned = self.provider.follow(begun.headers["location"])
        return await browser.get(f"{PATH}/back", params={**returned, **other})

    async def is_refused(self, words: str = "not signed in", **other: str) -> None:
        async with self.browser() as browser:
            reply = await self.come_back(browser, **other)
            assert (reply.status_code, COOKIE in reply.cookies) == (403, False)
            assert words in reply.text
            assert "לא נכנסתם" in reply.text
            assert BEGUN not in browser.cookies, "what was begun ends with the return"
            assert (await browser.get("/who")).status_code == 401
        assert self.accounts.of("dana") is None
        assert [each.kind for each in await self.audit.find(None)] == ["sign_in_failed"]


@pytest.fixture
async def provider() -> AsyncIterator[OpenIdProvider]:
    async with OpenIdProvider.serving() as made:
        yield made


async def opened(home: Path, provider: OpenIdProvider, **given: object) -> House:
    made = House(home, provider, **given)
    await made.truth.start()
    await made.accounts.ensure()
    await made.audit.ensure()
    return made


@pytest.fixture
async def house(tmp_path: Path, provider: OpenIdProvider) -> AsyncIterator[House]:
    made = await opened(tmp_path, provider, name="the office")
    yield made
    await made.truth.stop()


async def test_somebody_signs_in_with_a_session_like_every_other(house: House) -> None:
    async with house.browser() as browser:
        page = (await browser.get("/login")).text
        assert "Sign in with the office" in page
        assert "כניסה באמצעות the office" in page
        assert (await house.come_back(browser)).headers["location"] == "/"
        first = browser.cookies[COOKIE]
        assert (await browser.get("/who")).json() == "dana"
        await house.come_back(browser)
        assert browser.cookies[COOKIE] != first
        assert len(await house.accounts.sessions.all("dana")) == 1, "the one before has ended"
        await house.accounts.sessions.end_all("dana")
        assert (await browser.get("/who")).status_code == 401
    account = house.accounts.of("dana")
    assert account
    assert (account.role, account.password) == ("person", "")
    async with house.browser() as browser:
        for typed in ("", "dana"):
            refused = await browser.post("/login", data={"name": "dana", "password": typed})
            assert COOKIE not in refused.cookies, "no password opens an account that has none"


async def test_a_way_that_was_begun_elsewhere_ends_there(house: House) -> None:
    """Sign-in is refused with a wrong ``state``, without one, in another browser, and with a code that was already
    used."""
    await house.is_refused(state="another")
    async with house.browser() as mine, house.browser() as theirs:
        returned = house.provider.follow((await theirs.get(PATH)).headers["location"])
        assert (await mine.get(f"{PATH}/back", params=returned)).status_code == 403
        await mine.get(PATH)
        assert (await mine.get(f"{PATH}/back", params=returned)).status_code == 403
        sealed = theirs.cookies[BEGUN]
        assert (await theirs.get(f"{PATH}/back", params=returned)).status_code == 303
        theirs.cookies.set(BEGUN, sealed, path=PATH)
        assert (await theirs.get(f"{PATH}/back", params=returned)).status_code == 403, "a code is good once"
        assert (await mine.get("/who", headers={"cookie": f"{COOKIE}={sealed}"})).status_code == 401


LIES = {
    "another nonce": {"nonce": "another"},
    "no nonce": {"nonce": None},
    "for another client": {"aud": "another"},
    "for another client, as if we had asked": {"aud": "another", "azp": CLIENT},
    "for several, of whom another asked": {"aud": [CLIENT, "another"], "azp": "another"},
    "for nobody": {"aud": None},
    "another's issuer": {"iss": "https://elsewhere.example"},
    "expired": {"exp": int(time.time()) - LEEWAY - 60},
    "without an end": {"exp": None},
    "without a subject": {"sub": None},
}


@pytest.mark.parametrize("changed", LIES.values(), ids=LIES)
async def test_a_token_that_says_something_else_is_not_believed(house: House, changed: dict[str, object]) -> None:
    house.provider.lie = lambda claims: {
        name: value for name, value in {**claims, **changed}.items() if value is not None
    }
    await house.is_refused()


async def test_a_token_that_its_own_key_did_not_sign_is_not_believed(house: House) -> None:
    house.provider.sign = OpenIdProvider.unsigned
    await house.is_refused()
    house.provider.sign = OpenIdProvider.signed_with_its_public_key
    async with house.browser() as browser:
        assert (await house.come_back(browser)).status_code == 403
    foreign = RSAKey.generate_key(2048, {"kid": "one"})
    house.provider.sign = lambda provider, claims: provider.signed(claims, foreign)
    async with house.browser() as browser:
        assert (await house.come_back(browser)).status_code == 403
        house.provider.sign = None
        assert (await house.come_back(browser)).status_code == 303, "nothing of it stays"


async def test_a_provider_that_calls_itself_otherwise_is_not_asked(house: House) -> None:
    async with house.browser() as browser:
        house.provider.describes = {"issuer": "https://elsewhere.example"}
        assert (await browser.get(PATH)).status_code == 403
        house.provider.describes = {"token_endpoint": "http://elsewhere.example/token"}
        assert (await browser.get(PATH)).status_code == 403
    house.provider.describes = {}
    await house.is_refused(iss="https://elsewhere.example")


async def test_who_takes_longer_than_ten_minutes_begins_again(house: House) -> None:
    async with house.browser() as browser:
        returned = house.provider.follow((await browser.get(PATH)).headers["location"])
        house.ahead = SIGN_IN_SECONDS + 1
        assert (await browser.get(f"{PATH}/back", params=returned)).status_code == 403
    assert not house.provider.redeemed


async def test_a_name_that_is_another_s_opens_nothing_of_theirs(house: House) -> None:
    house.provider.about = {"sub": "1", "preferred_username": "ada"}
    await house.is_refused("already uses the name")
    house.provider.about = {"sub": "2", "preferred_username": "noga"}
    async with house.browser() as browser:
        assert (await house.come_back(browser)).status_code == 303
        house.provider.about = {"sub": "3", "preferred_username": "noga"}
        assert (await house.come_back(browser)).status_code == 403, "the same name, another person"
        house.provider.about = {"sub": "2", "preferred_username": "noga-cohen"}
        assert (await house.come_back(browser)).status_code == 303
        assert (await browser.get("/who")).json() == "noga", "a person keeps their name here"


async def test_a_provider_that_is_away_is_said(tmp_path: Path, provider: OpenIdProvider) -> None:
    provider.describes = {"jwks_uri": f"{provider.issuer}/nowhere"}
    house = await opened(tmp_path, provider)
    async with house.browser() as browser:
        reply = await house.come_back(browser)
    assert (reply.status_code, "did not respond as expected" in reply.text) == (403, True)
    await house.truth.stop()


async def test_a_group_makes_administrators_and_unmakes_them(tmp_path: Path, provider: OpenIdProvider) -> None:
    house = await opened(tmp_path, provider, administrator_group="bench-admins", group_claim="roles")
    async with house.browser() as browser:
        for groups, role in ((["bench-admins", "x"], "administrator"), (["x"], "person"), ("bench-admins-2", "person")):
            provider.about = {"sub": "1001", "preferred_username": "dana", "roles": groups}
            assert (await house.come_back(browser)).status_code == 303
            assert house.accounts.of("dana").role == role  # type: ignore[union-attr]
    await house.truth.stop()


async def test_the_only_administrator_stays_one(tmp_path: Path, provider: OpenIdProvider) -> None:
    house = await opened(tmp_path, provider, administrator_group="bench-admins")
    provider.about["groups"] = ["bench-admins"]
    async with house.browser() as browser:
        await house.come_back(browser)
        await house.accounts.give_role("ada", "person")
        provider.about["groups"] = []
        assert (await house.come_back(browser)).status_code == 303
        assert house.accounts.of("dana").role == "administrator"  # type: ignore[union-attr]
    await house.truth.stop()


async def test_only_members_of_a_group_are_let_in(tmp_path: Path, provider: OpenIdProvider) -> None:
    house = await opened(tmp_path, provider, people_group="bench", group_claim="realm_access.roles")
    await house.is_refused("not in the group")
    async with house.browser() as browser:
        for claim, status in (({"roles": ["benches"]}, 403), ("bench", 403), ({"roles": ["x", "bench"]}, 303)):
            provider.about["realm_access"] = claim
            assert (await house.come_back(browser)).status_code == status
    await house.truth.stop()


async def test_an_address_counts_where_the_provider_has_verified_it(tmp_path: Path, provider: OpenIdProvider) -> None:
    house = await opened(tmp_path, provider, user_claim="email")
    provider.about = {"sub": "1", "email": "dana@office.example"}
    async with house.browser() as browser:
        refused = await house.come_back(browser)
        assert (refused.status_code, "(email)" in refused.text) == (403, True)
        provider.about["email_verified"] = True
        await house.come_back(browser)
        assert (await browser.get("/who")).json() == "dana@office.example"
    await house.truth.stop()


async def test_what_was_secret_stands_in_no_log(house: House, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with house.browser() as browser:
        await house.come_back(browser)
        cookie = browser.cookies[COOKIE]
        house.provider.lie = lambda claims: {**claims, "aud": "another"}
        await house.come_back(browser)
    for secret in (SECRET, cookie, "canary-access"):
        assert secret not in caplog.text


@pytest.mark.parametrize(
    "wrong", [{"issuer": "http://login.example", "client_id": "x"}, {"issuer": "https://x.example"}]
)
def test_half_a_provider_is_refused_at_the_start(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        OpenId(**wrong)  # type: ignore[arg-type]
