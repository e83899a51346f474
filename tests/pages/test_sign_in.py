"""Tests the sign-in page with a separate record store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from pydantic import SecretStr
from starlette.requests import Request

from core.accounts.accounts import Accounts
from core.accounts.audit import Audit
from core.accounts.pauses import FREE
from core.ids import new_id
from core.settings import Settings
from core.store.open import open_truth
from pages.auth import COOKIE, Gate, Identity, user_of
from pages.sign_in import Entrance, login_routes

NOGA = "נגה"
PASSWORDS = {"ada": "analytical", NOGA: "loom-1945"}


class House:
    def __init__(self, settings: Settings) -> None:
        self.now = 1_000.0
        self.truth = open_truth(settings)
        self.accounts = Accounts(self.truth, settings, lambda: self.now)
        identity = Identity(settings, self.accounts)
        self.app = FastAPI()
        self.app.add_middleware(Gate, identity=identity)
        self.audit = Audit(self.truth, lambda: self.now, new_id, 365.0)
        self.app.include_router(login_routes(Entrance(identity, self.accounts, self.audit)))

        @self.app.get("/who")
        async def who(request: Request) -> str:
            return user_of(identity, request)

    def browser(self, address: str = "10.0.0.1", base: str = "http://bench.example") -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=(address, 1234))
        return httpx.AsyncClient(transport=transport, base_url=base)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    users = {name: SecretStr(password) for name, password in PASSWORDS.items()}
    made = House(Settings(_env_file=None, home=tmp_path, users=users))
    await made.truth.start()
    await made.accounts.ensure()
    await made.audit.ensure()
    yield made
    await made.truth.stop()


async def sign_in(browser: httpx.AsyncClient, name: str = "ada", password: str | None = None) -> httpx.Response:
    return await browser.post("/login", data={"name": name, "password": password or PASSWORDS[name]})


async def opens(browser: httpx.AsyncClient, cookie: str | None) -> bool:
    browser.cookies.clear()
    return (await browser.get("/who", headers={"cookie": f"{COOKIE}={cookie}"})).status_code == 200


async def test_a_hebrew_name_signs_in(house: House) -> None:
    async with house.browser() as browser:
        assert (await sign_in(browser, NOGA)).status_code == 303
        assert (await browser.get("/who")).json() == NOGA


async def test_a_cookie_opens_nothing_after_signing_out_or_in_again(house: House) -> None:
    async with house.browser() as browser:
        first = (await sign_in(browser)).cookies[COOKIE]
        second = (await sign_in(browser)).cookies[COOKIE]
        assert first != second
        assert (await browser.get("/who")).json() == "ada"
        await browser.post("/logout")
        for cookie in (first, second):
            assert not await opens(browser, cookie)


async def test_a_cookie_opens_nothing_after_the_password_was_changed(house: House) -> None:
    async with house.browser() as browser:
        cookie = (await sign_in(browser)).cookies[COOKIE]
        assert await opens(browser, cookie)
        await house.accounts.change_password("ada", PASSWORDS["ada"], "difference engine")
        assert not await opens(browser, cookie)


async def test_a_cookie_ends_with_its_day_and_with_its_owner(house: House) -> None:
    async with house.browser() as browser:
        cookie, his = [(await sign_in(browser, name)).cookies[COOKIE] for name in ("ada", NOGA)]
        await house.truth.collection("accounts").delete({"user_id": NOGA})
        assert not await opens(browser, his)
        house.now += 24 * 3600 + 1
        assert not await opens(browser, cookie)


async def test_wrong_passwords_are_told_and_then_wait(house: House) -> None:
    async with house.browser() as browser, house.browser("10.0.0.2") as elsewhere:
        for _ in range(FREE):
            refused = await sign_in(browser, "ada", "wrong")
            assert refused.status_code == 401
            assert 'role="alert"' in refused.text
        paused = await sign_in(browser)
        assert paused.status_code == 429
        assert int(paused.headers["retry-after"]) >= 1
        assert "Try again in" in paused.text
        assert COOKIE not in paused.cookies
        assert (await sign_in(elsewhere)).status_code == 303


async def test_cookies_are_for_this_server_alone(house: House) -> None:
    async with house.browser() as plain, house.browser(base="https://bench.example") as safe:
        header = (await sign_in(plain)).headers["set-cookie"].lower()
        assert "httponly" in header
        assert "samesite=lax" in header
        assert "secure" not in header
        assert "secure" in (await sign_in(safe)).headers["set-cookie"].lower()
