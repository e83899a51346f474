"""The header over every tab: language, theme, health."""

from __future__ import annotations

import gradio as gr

from core.workbench import Workbench
from pages.answers import Call, Reply, answering
from pages.identity import Identity
from pages.widget import widget
from viz.health import health_card


def build(workbench: Workbench, identity: Identity) -> gr.HTML:
    @answering(identity, Call)
    async def health(user_id: str, call: Call) -> Reply:
        """Green: all stages; amber: something is left out; red: the truth cannot be reached."""
        report = await workbench.health()
        return {
            "state": report.state,
            "summary": report.summary.to(call.ui),
            "html": str(health_card(report, call.ui)),
        }

    return widget("frame", [health])
