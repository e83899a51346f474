"""Tests that all internals of Gradio that we use exist in the installed version, so that an upgrade cannot break them
unnoticed."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable
from pathlib import Path

import gradio as gr
import pytest
from fastapi import FastAPI
from gradio.events import api
from gradio.route_utils import API_PREFIX, upload_fn
from gradio.routes import App
from gradio.state_holder import StateHolder
from gradio.utils import get_upload_folder
from playwright.sync_api import Page, expect

from core.settings import Settings
from core.workbench import Workbench
from pages.actions import Actions
from pages.auth import Identity
from pages.build import ENDPOINTS, SESSIONS, build
from pages.handlers import all_handlers
from tests.interface.conftest import ROOT, Served
from tests.people import Named

SELECTORS = (
    "gradio-app",
    ".gradio-container",
    ".gradio-container *",
    ".gradio-container main.contain",
    ".gradio-container .main",
    ".gradio-container .column",
    ".gradio-container .nav-holder",
    "#pal-tabs",
    "#pal-tabs > .tab-wrapper",
    "#pal-tabs .tabitem",
    "#pal-tabs [data-tab-id]",
    ".pal-widget > div",
)
"""Selectors that our CSS and scripts use in Gradio's markup."""

PARAMETERS: dict[Callable[..., object], tuple[str, ...]] = {
    gr.HTML.__init__: (
        "html_template",
        "js_on_load",
        "server_functions",
        "apply_default_css",
        "elem_id",
        "elem_classes",
    ),
    gr.Blocks.__init__: ("title", "fill_width", "analytics_enabled"),
    gr.Tab.__init__: ("id",),
    gr.mount_gradio_app: ("path", "head", "footer_links", "run_history", "show_error", "max_file_size", "ssr_mode"),
    App.create_app: ("blocks",),
    gr.Blocks._resolve_ssr_mode: ("ssr_mode", "disable_when_multi_page"),
    gr.Blocks.route: ("name", "path", "show_in_navbar"),
    api: ("api_name", "concurrency_limit"),
}
"""Gradio parameters that we pass by name."""

SENT = 100_000
"""Maximum length of the page in characters. With the descriptions of all endpoints it would have 700,000."""

GIVEN_TO_SCRIPTS = ("element", "server", "upload")
"""Names that our code in ``js_on_load`` uses: our markup, the server's functions, and the file upload."""


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve()


def test_markup_is_as_we_name_it(served: Served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    for selector in SELECTORS:
        expect(page.locator(selector).first).to_be_attached()


def test_every_tab_has_a_hidden_button_that_shows_it(served: Served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    names = page.locator("#pal-tabs [data-tab-id]").evaluate_all("nodes => nodes.map((each) => each.dataset.tabId)")
    assert {"chat", "library", "knowledge", "memory", "personality"} <= set(names)
    page.locator('#pal-tabs [data-tab-id="memory"]').evaluate("node => node.click()")
    expect(page.locator(".pal-memory")).to_be_visible()


def test_nothing_else_of_its_markup_is_named() -> None:
    assets = ROOT / "pages" / "assets"
    rules = re.sub(r"\{[^{}]*\}|/\*.*?\*/", ";", (assets / "shared" / "palimpsest.css").read_text("utf-8"), flags=re.S)
    named = {each.strip() for each in re.split(r"[;,]", rules) if re.match(r"\s*(\.gradio|gradio|#pal-tabs)", each)}
    named |= {
        re.sub(r"=.*", "]", each)
        for path in assets.rglob("*.js")
        for each in re.findall(r"#pal-tabs[^`\"']*", path.read_text("utf-8"))
    }
    assert named == {each for each in SELECTORS if not each.startswith(".pal-widget")}


def test_a_browser_is_sent_no_endpoint_and_a_client_all(served: Served, opened: Callable[..., Page]) -> None:
    page = opened(served.url)
    expect(page.locator(".nav-holder")).to_be_hidden()
    at_home, everything = (page.request.get(f"{served.url}{path}").text() for path in ("/", "/config"))
    assert '"type":"api"' not in at_home
    assert len(at_home) < SENT
    assert everything.count('"type":"api"') > 100
    assert page.goto(f"{served.url}/{ENDPOINTS}").url == f"{served.url}/"  # type: ignore[union-attr]


@pytest.mark.parametrize("taker", PARAMETERS, ids=lambda taker: taker.__qualname__)
def test_parameters_are_as_we_name_them(taker: Callable[..., object]) -> None:
    assert set(PARAMETERS[taker]) <= set(inspect.signature(taker).parameters)


def test_scripts_are_given_what_they_take(served: Served, opened: Callable[..., Page]) -> None:
    loader = (ROOT / "pages" / "assets" / "shared" / "loader.js").read_text("utf-8")
    assert f"mount({{ {', '.join(GIVEN_TO_SCRIPTS)} }})" in loader
    expect(opened(served.url).locator("[data-health][data-state]")).to_be_visible()


def test_the_queue_is_told_how_long_to_sleep() -> None:
    with gr.Blocks() as blocks:
        gr.HTML("")
    blocks.queue()
    assert isinstance(blocks._queue.sleep_when_free, float)


def built(home: Path) -> gr.Blocks:
    settings = Settings(_env_file=None, home=home)
    workbench, identity = Workbench(settings), Identity(settings, Named())
    return build(Actions(identity, all_handlers(workbench, identity)))


def test_one_application_is_made_when_it_is_mounted_and_nothing_is_warned_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[object] = []
    make = App.create_app
    monkeypatch.setattr(
        App, "create_app", staticmethod(lambda *given, **named: (made.append(given), make(*given, **named))[1])
    )
    blocks = built(tmp_path)
    assert not made
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        gr.mount_gradio_app(FastAPI(), blocks, path="/")
    assert len(made) == 1


def test_page_loads_are_not_kept_for_good(tmp_path: Path) -> None:
    """Gradio keeps a configuration copy for each session. Copies without state may be removed, the oldest first."""
    blocks = built(tmp_path)
    kept = StateHolder()
    kept.set_blocks(blocks)
    for number in range(SESSIONS + 20):
        kept[f"session {number}"]
    assert len(kept.session_data) == SESSIONS
    assert not [each for each in blocks.blocks.values() if isinstance(each, gr.State)]


def test_the_limit_of_uploads_can_be_changed_after_mounting() -> None:
    with gr.Blocks() as blocks:
        gr.HTML("")
    gr.mount_gradio_app(FastAPI(), blocks, path="/", max_file_size=1024)
    assert getattr(blocks, "max_file_size", None) == 1024


def test_files_are_served_under_the_prefix_that_the_gate_knows() -> None:
    assert {"request", "upload_dir", "max_file_size", "upload_id", "force_move", "upload_progress"} == set(
        inspect.signature(upload_fn).parameters
    )
    assert f'"{API_PREFIX}/file' in (ROOT / "pages" / "auth.py").read_text("utf-8")


def test_uploads_go_where_we_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path))
    assert Path(get_upload_folder()) == tmp_path
