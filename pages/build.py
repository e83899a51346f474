"""All pages in one Blocks: the header, then a tab each; and the named endpoints, on a page of their own."""

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
"""Seconds between two looks at the queue of endpoint calls while it is empty; the pages do not go through it."""
SESSIONS = 256
"""That Gradio keeps a copy of the page's configuration for, .17 MiB each; one that went is made anew."""
ENDPOINTS = "endpoints"
"""A page of Gradio's that nobody is shown. A browser is sent what is on its page and walks it, and these are
hundreds: a page was thirteen times as large and took twice as long with them."""


KINDS = {"READABLE-EXTENSIONS": READABLE, "TABLE-EXTENSIONS": TABLES}


class _Pages(gr.Blocks):
    def _resolve_ssr_mode(self, ssr_mode: bool | None, disable_when_multi_page: bool = True) -> bool:
        """Gradio warns of what nobody asked for, as soon as there are two pages."""
        return False


def build(actions: Actions) -> gr.Blocks:
    """The pages, which hold ids and no other state."""
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
    blocks._queue.sleep_when_free = IDLE  # Gradio looks every millisecond, a tenth of a core for nothing
    return blocks


def widget(name: str, functions: Sequence[Callable[..., Awaitable[object]]]) -> gr.HTML:
    """Mount ``assets/{name}/{name}.html`` and hand it to ``mount()`` of the script beside it, which may
    call ``functions``. The kinds of files that can be read are put in where the markup names them.
    """
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
    """Without the four applications that Gradio makes on the way to the one that is mounted: half of all the time."""
    make = App.create_app
    App.create_app = staticmethod(lambda *_, **__: None)  # type: ignore[assignment]
    try:
        yield
    finally:
        App.create_app = staticmethod(make)  # type: ignore[method-assign]
