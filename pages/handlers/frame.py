"""The header above every tab: language, theme, system health."""

from __future__ import annotations

from pages.actions import Call, Handlers, Reply, action
from viz.templating import render


class Header(Handlers):
    """Actions that the header's script can call."""

    @action("frame", scope="read")
    async def health(self, user_id: str, call: Call) -> Reply:
        """The system's health. Green: all stages work; amber: some stages are unavailable; red: the record store is
        unavailable."""
        report = await self._workbench.health()
        summary = report.summary.to(call.ui)
        parts = [(part.state, part.name.to(call.ui), part.meaning.to(call.ui)) for part in report.parts]
        return {
            "state": report.state,
            "summary": summary,
            "html": str(render("health", summary=summary, parts=parts)),
            "signed_in": self._identity.required,
            "hidden": [] if self._workbench.settings.knowledge_enabled else ["knowledge"],
        }

    @action("frame", scope="read")
    async def assistant(self, user_id: str, call: Call) -> Reply:
        """The assistant's name."""
        return {"name": (await self._workbench.personalities.voice(user_id)).assistant}
