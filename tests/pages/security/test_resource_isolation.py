"""Tests that requests from other sites' pages and with other host names are refused; requests from our own pages and
from programs are accepted."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from pages.security.headers import ALWAYS, SecurityHeaders, content_policy
from pages.security.resource_isolation import ResourceIsolation

HERE = "http://127.0.0.1:7860"
PAGE = "<html><script>first()</script><script src='/x.js'></script><script type='module'>second()</script></html>"


async def _text(_: object) -> PlainTextResponse:
    return PlainTextResponse("done")


async def _page(_: object) -> HTMLResponse:
    return HTMLResponse(PAGE)


def client(*hosts: str, any_host: bool = False) -> httpx.AsyncClient:
    app = Starlette(routes=[Route("/do", _text, methods=["GET", "POST"]), Route("/", _page)])
    app.add_middleware(SecurityHeaders)
    app.add_middleware(ResourceIsolation, hosts=hosts, any_host=lambda: any_host)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=HERE)


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:3000"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:3000"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    ],
)
async def test_another_sites_page_changes_nothing(headers: dict[str, str]) -> None:
    async with client() as asked:
        assert (await asked.post("/do", headers=headers)).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
    ],
)
async def test_another_sites_page_reads_and_frames_nothing(headers: dict[str, str]) -> None:
    async with client() as asked:
        assert (await asked.get("/do", headers=headers)).status_code == 403


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": HERE, "Sec-Fetch-Site": "same-origin"},
        {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
    ],
    ids=["a program", "our page", "a bookmark"],
)
async def test_our_page_and_programs_are_let_in(headers: dict[str, str]) -> None:
    async with client() as asked:
        assert (await asked.post("/do", headers=headers)).text == "done"


async def test_a_link_from_elsewhere_may_be_followed() -> None:
    visit = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
    async with client() as asked:
        assert (await asked.get("/", headers=visit)).status_code == 200


@pytest.mark.parametrize(("host", "status"), [
    ("evil.example:7860", 403), ("", 403), ("localhost:7860", 200), ("LOCALHOST.", 200), ("[::1]:7860", 200),
    ("192.168.1.7:7860", 200), ("bench.example", 200),
])  # fmt: skip
async def test_only_names_of_ours_are_answered_to(host: str, status: int) -> None:
    async with client("bench.example") as asked:
        assert (await asked.get("/do", headers={"Host": host})).status_code == status


async def test_where_people_sign_in_names_are_not_looked_at() -> None:
    async with client(any_host=True) as asked:
        assert (await asked.get("/do", headers={"Host": "any.example"})).status_code == 200


async def test_every_reply_has_the_headers_and_a_page_its_policy() -> None:
    async with client() as asked:
        text, page = await asked.get("/do"), await asked.get("/", headers={"Accept": "text/html"})
    assert ALWAYS.items() <= dict(text.headers.items() | {(k, text.headers[k]) for k in ALWAYS}).items()
    assert "content-security-policy" not in text.headers
    assert page.text == PAGE
    assert page.headers["content-security-policy"] == content_policy(PAGE)


def test_a_page_runs_its_own_inline_scripts_and_no_other() -> None:
    scripts = content_policy(PAGE).split("script-src ")[1].split(";")[0]
    assert scripts.count("'sha256-") == 2
    assert "'unsafe-inline'" not in scripts
