"""Effects of the settings for sign-in, for the maximum number of questions, and for stored usage data."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlsplit

import httpx
from fastapi import FastAPI
from starlette.requests import Request
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

import app
from core.accounts.audit import Audit
from core.accounts.openid import OpenIdProvider
from core.accounts.records import BegunSignIn
from core.clock import DAY
from core.coordination.rate_windows import RateWindows
from core.errors import PalimpsestError
from core.ids import new_id
from core.store.open import open_truth
from pages.auth import Caller
from pages.security.rate_limits import RateLimits
from tests.service.effects.experiment import Bench, attempt, changes

DESCRIBED = {
    "issuer": "https://login.example",
    "authorization_endpoint": "https://login.example/authorize",
    "token_endpoint": "https://login.example/token",
    "jwks_uri": "https://login.example/keys",
}
OFFICE = {"openid__issuer": DESCRIBED["issuer"], "openid__client_id": "bench"}
CLAIMS = {
    "sub": "1",
    "preferred_username": "dana",
    "nickname": "dee",
    "groups": ["readers"],
    "roles": ["admins"],
}


@changes("openid.issuer", "https://login.example", "https://other.example", openid__client_id="bench")
async def where_the_provider_is_looked_for(bench: Bench) -> object:
    bench.wire.reply = lambda _: DESCRIBED
    await attempt(OpenIdProvider(bench.settings.openid, lambda: 1.0).begin("https://bench.example/back"))
    return bench.wire.sent


@changes("openid.client_id", "bench", "desk", openid__issuer=DESCRIBED["issuer"])
@changes("openid.scopes", '["openid"]', '["openid", "groups"]', **OFFICE)
async def what_the_browser_is_sent_with(bench: Bench) -> object:
    bench.wire.reply = lambda _: DESCRIBED
    address, _ = await OpenIdProvider(bench.settings.openid, lambda: 1.0).begin("https://bench.example/back")
    asked = dict(parse_qsl(urlsplit(address).query))
    return asked["client_id"], asked["scope"]


@changes("openid.client_secret", "one", "another", **OFFICE)
async def with_what_a_code_is_redeemed(bench: Bench) -> object:
    bench.wire.reply = lambda _: DESCRIBED
    begun = BegunSignIn(state="s", nonce="n", verifier="v", at=1.0)
    back = "https://bench.example/back"
    await attempt(OpenIdProvider(bench.settings.openid, lambda: 1.0).finish(begun, back, {"state": "s", "code": "c"}))
    return [key for address, key, _ in bench.wire.sent if address.endswith("/token")]


@changes("openid.user_claim", "preferred_username", "nickname", **OFFICE)
@changes("openid.group_claim", "groups", "roles", openid__administrator_group="admins", **OFFICE)
@changes("openid.people_group", "readers", "writers", **OFFICE)
@changes("openid.administrator_group", "readers", "admins", **OFFICE)
@changes("openid.org_claim", "roles", "groups", **OFFICE)
async def who_somebody_is_by_their_claims(bench: Bench) -> object:
    try:
        return OpenIdProvider(bench.settings.openid, lambda: 1.0).identified(CLAIMS)
    except PalimpsestError as error:
        return error.problem.category


@changes("openid.name", "the office", "the school", **OFFICE)
async def what_the_provider_is_called(bench: Bench) -> object:
    return OpenIdProvider(bench.settings.openid, lambda: 1.0).name


@changes("audit_days", "1", "30")
async def whether_an_entry_of_last_week_is_kept(bench: Bench) -> object:
    truth, now = open_truth(bench.settings), 1_000_000.0
    await truth.start()
    audit = Audit(truth, lambda: now, new_id, bench.settings.audit_days)
    await audit.note("ada", "deleted")
    now += 7 * DAY
    await audit.compact()
    found = len(await audit.find(None))
    await truth.stop()
    return found


@changes("trusted_proxies", "[]", '["10.0.0.1"]')
async def whose_address_it_is_behind_a_proxy(bench: Bench) -> object:
    served = app.create_app(bench.settings, with_pages=False)
    proxies = [each for each in served.user_middleware if each.cls is ProxyHeadersMiddleware]
    seen: list[object] = []
    behind = FastAPI(middleware=proxies)

    @behind.get("/")
    async def who(request: Request) -> None:
        seen.append((request.client and request.client.host, request.url.scheme))

    transport = httpx.ASGITransport(behind, client=("10.0.0.1", 1))
    headers = {"x-forwarded-for": "192.0.2.7", "x-forwarded-proto": "https"}
    async with httpx.AsyncClient(transport=transport, base_url="http://bench") as asked:
        await asked.get("/", headers=headers)
    return seen


async def three_requests(bench: Bench, path: str, caller: Caller | None) -> list[int]:
    behind = FastAPI()

    @behind.post("/{path:path}")
    async def anything(path: str) -> None: ...

    limited = RateLimits(behind, bench.settings.rates, RateWindows(), lambda: True)

    async def known(scope: dict, receive: object, send: object) -> None:
        scope.setdefault("state", {})["caller"] = caller
        await limited(scope, receive, send)  # type: ignore[arg-type]

    async with httpx.AsyncClient(transport=httpx.ASGITransport(known), base_url="http://bench") as asked:
        return [(await asked.post(path)).status_code for _ in range(3)]


@changes("rates.session", "2", "9")
@changes("rates.user", "2", "9")
@changes("rates.address", "2", "9")
async def whether_three_actions_in_a_minute_are_taken(bench: Bench) -> object:
    return await three_requests(bench, "/api/search", Caller("ada", via="one"))


@changes("rates.files", "2", "9")
async def whether_three_files_in_a_minute_are_taken(bench: Bench) -> object:
    return await three_requests(bench, "/gradio_api/upload", Caller("ada", via="one"))


@changes("rates.sign_in", "2", "9")
async def whether_three_sign_ins_in_a_minute_are_taken(bench: Bench) -> object:
    return await three_requests(bench, "/login", None)
