"""The header over every tab: language, theme, health."""

from __future__ import annotations

import gradio as gr

from core.workbench import Workbench
from pages.answers import Call, Reply, answering
from pages.identity import Identity
from pages.widget import widget
from viz.health import health_card


class Header:
    """What the script of the header may call."""

    def __init__(self, workbench: Workbench, identity: Identity) -> None:
        self._workbench = workbench
        self._identity = identity

    async def health(self, user_id: str, call: Call) -> Reply:
        """Green: all stages; amber: something is left out; red: the truth cannot be reached."""
        report = await self._workbench.health()
        return {
            "state": report.state,
            "summary": report.summary.to(call.ui),
            "html": str(health_card(report, call.ui)),
            "signed_in": self._identity.required,
        }

    async def assistant(self, user_id: str, call: Call) -> Reply:
        """The name of who speaks."""
        return {"name": (await self._workbench.personalities.voice(user_id)).assistant}


def build(workbench: Workbench, identity: Identity) -> gr.HTML:
    page = Header(workbench, identity)
    return widget(
        "frame",
        answering(
            identity,
            page.health,
            page.assistant,
        ),
    )
