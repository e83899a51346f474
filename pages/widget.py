"""A page's own widget: a ``gr.HTML`` whose markup and script are files under ``pages/assets``."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import gradio as gr

ASSETS = Path(__file__).parent / "assets"

ServerFunction = Callable[..., Awaitable[object]]


def widget(name: str, functions: Sequence[ServerFunction]) -> gr.HTML:
    """Mount ``assets/{name}/{name}.html`` and hand it to ``mount()`` of the script beside it, which may
    call ``functions``.
    """
    loader = (ASSETS / "shared" / "loader.js").read_text(encoding="utf-8").replace("WIDGET", name)
    return gr.HTML(
        html_template=(ASSETS / name / f"{name}.html").read_text(encoding="utf-8"),
        js_on_load=loader,
        server_functions=list(functions),
        apply_default_css=False,
        elem_id=f"pal-{name}",
        elem_classes=["pal-widget"],
    )
