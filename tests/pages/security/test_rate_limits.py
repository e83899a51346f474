from __future__ import annotations

import httpx
from fastapi import FastAPI
from starlette.requests import Request

from core.coordination.rate_windows import RateWindows
from core.setting_groups import Rates
from pages.auth import Caller
from pages.security.rate_limits import RateLimits

RATES = Rates(session=3, user=5, address=7, files=2, sign_in=2)
CALL = "/gradio_api/component_server"


class Known:
    """Replaces the sign-in check: a header names the user."""

    def __init__(self, app: object) -> None:
        self._app = app

    async def __call__(self, scope: dict, receive: object, send: object) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            name, _, via = request.headers.get("x-who", "").partition("/")
            request.state.caller = Caller(name, "machine" if via == "machine" else "session", via=via) if name else None
        await self._app(scope, receive, send)  # type: ignore[operator]


def client(*, held: bool = True, address: str = "10.0.0.1") -> httpx.AsyncClient:
    app = FastAPI()
    app.add_middleware(RateLimits, rates=RATES, windows=RateWindows(), held=lambda: held)
    app.add_middleware(Known)

    @app.api_route("/{path:path}", methods=["GET", "POST", "PUT"])
    async def anything(path: str) -> str:
        return path

    return httpx.AsyncClient(transport=httpx.ASGITransport(app, client=(address, 1)), base_url="http://bench")


async def statuses(asked: httpx.AsyncClient, count: int, who: str = "", path: str = CALL, method: str = "POST") -> set:
    return {(await asked.request(method, path, headers={"x-who": who})).status_code for _ in range(count)}


async def test_a_session_a_person_and_an_address_have_each_their_own() -> None:
    async with client() as asked:
        assert await statuses(asked, 3, "ada/1") == {200}
        refused = await asked.post(CALL, headers={"x-who": "ada/1", "accept-language": "he"})
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 60
        assert "יותר מדי" in refused.json()["problem"]["what"]
        assert await statuses(asked, 2, "ada/2") == {200}, "another browser of hers"
        assert await statuses(asked, 1, "ada/3") == {429}, "all of hers together"
        assert await statuses(asked, 2, "bob/4") == {200}, "somebody else"
        assert await statuses(asked, 1, "eve/5") == {429}, "all from there together"


async def test_streams_pages_and_commands_of_this_machine_are_not_counted() -> None:
    async with client() as asked:
        for path in ("/", "/health", "/live/library", "/documents/doc_1/pages/1.webp", "/gradio_api/queue/data"):
            assert await statuses(asked, 9, "ada/1", path, "GET") == {200}, path
        assert await statuses(asked, 9, "ada/machine") == {200}


async def test_files_are_counted_apart_so_that_who_brings_many_can_still_ask() -> None:
    async with client() as asked:
        assert await statuses(asked, 1, "ada/1", "/api/uploads", "PUT") == {200}
        assert await statuses(asked, 1, "ada/2", "/gradio_api/upload") == {200}
        assert await statuses(asked, 1, "ada/1", "/gradio_api/upload") == {429}, "all of hers together"
        assert await statuses(asked, 3, "ada/1") == {200}
        assert await statuses(asked, 1, "bob/3", "/gradio_api/upload") == {200}


async def test_signing_in_is_held_more_strictly() -> None:
    async with client() as asked:
        assert await statuses(asked, 2, path="/login") == {200}
        assert await statuses(asked, 1, path="/login") == {429}
        assert await statuses(asked, 1, path="/login", method="GET") == {200}


async def test_who_has_the_server_alone_is_not_counted() -> None:
    async with client(held=False) as asked:
        assert await statuses(asked, 20, "local/") == {200}
