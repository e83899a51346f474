"""A page's own widget: a ``gr.HTML`` whose markup and script are files under ``pages/assets``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import gradio as gr

from pages.kept_files import ASSETS, with_kept_addresses

ServerFunction = Callable[..., Awaitable[object]]


def widget(name: str, functions: Sequence[ServerFunction]) -> gr.HTML:
    """Mount ``assets/{name}/{name}.html`` and hand it to ``mount()`` of the script beside it, which may
    call ``functions``.
    """
    markup, loader = (
        with_kept_addresses((ASSETS / file).read_text(encoding="utf-8"))
        for file in (f"{name}/{name}.html", "shared/loader.js")
    )
    return gr.HTML(
        html_template=markup,
        js_on_load=loader.replace("WIDGET", name),
        server_functions=list(functions),
        apply_default_css=False,
        elem_id=f"pal-{name}",
        elem_classes=["pal-widget"],
    )
