"""Builds one Gradio Blocks with all pages: the header and a tab for each page. The named endpoints are on a separate
page."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager

import gradio as gr
from gradio.routes import App

from core.library.intake.records import READABLE, TABLES
from pages.actions import Actions
from pages.gradio_doors import functions, register
from pages.kept_files import ASSETS, with_kept_addresses

TABS = ("chat", "library", "knowledge", "memory", "personality", "tools", "system", "settings")
IDLE = 0.02
"""Seconds between two checks of the endpoint queue while it is empty; the pages do not use this queue."""
SESSIONS = 256
"""Number of copies of the page's configuration that Gradio keeps, 0.17 MiB each; a removed copy is created again when
needed."""
ENDPOINTS = "endpoints"
"""Address of a Gradio page that is never shown; it holds the components of the endpoints. A browser downloads and
processes all components of its page, and these are hundreds: with them the page was thirteen times as large and took
twice as long."""


KINDS = {"READABLE-EXTENSIONS": READABLE, "TABLE-EXTENSIONS": TABLES}


class _Pages(gr.Blocks):
    def _resolve_ssr_mode(self, ssr_mode: bool | None, disable_when_multi_page: bool = True) -> bool:
        """Suppresses a warning that Gradio gives as soon as there are two pages."""
        return False


def build(actions: Actions) -> gr.Blocks:
    """Builds the pages. Their markup contains ids and no other state."""
    with _mounted_later():
        blocks: gr.Blocks = _Pages(title="Palimpsest", fill_width=True, analytics_enabled=False)
        with blocks:
            widget("frame", functions(actions, "frame"))
            with gr.Tabs(elem_id="pal-tabs"):
                for tab in TABS:
                    with gr.Tab(tab.capitalize(), id=tab):
                        widget(tab, functions(actions, tab))
        with blocks.route(ENDPOINTS.capitalize(), ENDPOINTS, show_in_navbar=False):
            register(actions)
        blocks.queue()
    blocks.state_session_capacity = SESSIONS
    blocks._queue.sleep_when_free = IDLE  # Gradio checks every millisecond, which wastes a tenth of a core
    return blocks


def widget(name: str, functions: Sequence[Callable[..., Awaitable[object]]]) -> gr.HTML:
    """Inserts ``assets/{name}/{name}.html`` into the page. Its root element is passed to ``mount()`` of the script in
    the same folder; the script may call ``functions``. Where the markup has the placeholder for the supported file
    types, they are filled in."""
    markup, loader = (
        with_kept_addresses((ASSETS / file).read_text(encoding="utf-8"))
        for file in (f"{name}/{name}.html", "shared/loader.js")
    )
    for word, extensions in KINDS.items():
        markup = markup.replace(word, " ".join(extensions))
    return gr.HTML(
        html_template=markup,
        js_on_load=loader.replace("WIDGET", name),
        server_functions=list(functions),
        apply_default_css=False,
        elem_id=f"pal-{name}",
        elem_classes=["pal-widget"],
    )


@contextmanager
def _mounted_later() -> Iterator[None]:
    """Gradio creates four applications before the mounted one, which takes half of the time; this skips them."""
    make = App.create_app
    App.create_app = staticmethod(lambda *_, **__: None)  # type: ignore[assignment]
    try:
        yield
    finally:
        App.create_app = staticmethod(make)  # type: ignore[method-assign]
