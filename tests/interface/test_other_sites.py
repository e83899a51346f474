"""Tests attacks from another site's page in the same browser: it cannot store, delete, read or frame anything."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx
import pytest
from gradio_client import Client
from playwright.sync_api import Browser

pytestmark = pytest.mark.interface


class _Hostile(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<html><body>another site</body></html>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Hostile)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://localhost:{server.server_port}/"
    server.shutdown()


@pytest.fixture(scope="module")
def served(serve):
    return serve(PALIMPSEST_DENSE_ENABLED="false")


def _component(url: str, name: str) -> tuple[str, int]:
    """Returns the page's component that has this server function, found as the page's own script finds it."""
    config = httpx.get(f"{url}/config").json()
    for each in config["components"]:
        if name in (each["props"].get("server_fns") or []):
            return name, each["id"]
    raise AssertionError(name)


def test_another_sites_page_plants_no_memory(browser: Browser, served, elsewhere: str) -> None:
    name, component = _component(served.url, "add_bank_item")
    body = {
        "data": {"ui": "en", "text": "Planted from elsewhere", "tags": ["identity"]},
        "component_id": component, "fn_name": name, "session_hash": "x",
    }  # fmt: skip
    planting = """async ([url, body, type]) => {
        try {
            const mode = type === 'text/plain' ? 'no-cors' : 'cors';
            const reply = await fetch(url, {method: 'POST', mode, headers: {'Content-Type': type}, body});
            return `${reply.type} ${reply.status} ${await reply.text()}`;
        } catch (error) { return `${error}`; }
    }"""
    page = browser.new_page()
    page.goto(elsewhere)
    for kind in ("text/plain", "application/json"):
        page.evaluate(planting, [f"{served.url}/gradio_api/component_server", json.dumps(body), kind])
    page.close()
    bank = Client(served.url, verbose=False).predict(api_name="/list_bank")
    assert "Planted" not in json.dumps(bank)

    ours = httpx.post(f"{served.url}/gradio_api/component_server", json=body)
    assert ours.status_code == 200, "the same call of a program is answered, so that the refusal was what stopped it"
    assert "Planted" in json.dumps(Client(served.url, verbose=False).predict(api_name="/list_bank"))


def test_another_sites_page_reads_and_frames_nothing(browser: Browser, served, elsewhere: str) -> None:
    page = browser.new_page()
    page.goto(elsewhere)
    read = page.evaluate(
        "async (url) => { try { return await (await fetch(url)).text(); } catch (error) { return 'refused'; } }",
        f"{served.url}/config",
    )
    assert read == "refused"
    page.evaluate(
        "(url) => { const f = document.createElement('iframe'); f.src = url; document.body.append(f); }", served.url
    )
    page.wait_for_function("() => document.querySelector('iframe').contentWindow.length !== undefined")
    framed = next(each for each in page.frames if each != page.main_frame)
    framed.wait_for_load_state()
    assert "pal-header" not in framed.content()
    page.close()


def test_a_rebound_name_reads_nothing(served) -> None:
    assert httpx.get(f"{served.url}/config", headers={"Host": "rebound.example"}).status_code == 403
