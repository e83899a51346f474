"""The System tab: health, current work, statistics, errors, and when maintenance last ran.

Administrators see the data of all users, other users only their own.
"""

from __future__ import annotations

from pydantic import Field, JsonValue

from core.errors import PalimpsestError
from core.operations.records import FeatureRow, RunError, UnderWay
from core.words import Language
from pages.actions import Call, Handlers, Reply, action
from pages.handlers.operations import finding_row


class SwitchedFeature(Call):
    """A feature's name, and whether to switch it on or off."""

    name: str = Field(max_length=50)
    on: bool


class Span(Call):
    """The number of days for which figures are requested."""

    days: int = Field(30, ge=1, le=90)


class SystemPage(Handlers):
    """Actions that the tab's script and clients can call, besides those in :mod:`pages.handlers.operations`."""

    @action("system", endpoint="get_system", scope="read")
    async def system(self, user_id: str, call: Call) -> Reply:
        """Health of each part and current work; for administrators also storage, dependencies and maintenance."""
        bench, may = self._workbench, self._identity.is_administrator(user_id)
        health = await bench.health()
        backups = await bench.operations.backups.all(None if may else user_id)
        working = await bench.operations.under_way(None if may else user_id)
        return {
            "may_change": may,
            "user": user_id,
            "state": health.state,
            "parts": [finding_row(each, call.ui) for each in bench.operations.findings_of(health)],
            "storage": (await bench.storage()).model_dump() if may else None,
            "called": [{**each.model_dump(), "name": each.name.to(call.ui)} for each in bench.operations.called()]
            if may
            else None,
            "responsiveness": self._responsiveness(call.ui) if may else None,
            "features": self._features(call.ui) if may else None,
            "upkeep": (await bench.retrieval.last_done.read()).model_dump() if may else None,
            "backed_up": backups[0].made_at if backups else None,
            "under_way": [await self._work_row(each, user_id) for each in working],
        }

    @action("system", endpoint="list_features", who="administrator")
    async def features(self, user_id: str, call: Call) -> Reply:
        """The features that can be switched on and off; for each, what is hidden when it is off."""
        return {"features": self._features(call.ui)}

    @action("system", endpoint="switch_feature", who="administrator", noted="changed")
    async def switch_feature(self, user_id: str, call: SwitchedFeature) -> Reply:
        """Switch a feature on or off. The change applies immediately to all users."""
        await self._workbench.operations.features.switch(call.name, on=call.on)
        return await self.features(user_id, call)

    @action("system", endpoint="get_figures", scope="read")
    async def figures(self, user_id: str, call: Span) -> Reply:
        """Response times, answers, tokens, cost and hits by day. Administrators get the figures of all users; other
        users get their own."""
        may = self._identity.is_administrator(user_id)
        view = await self._workbench.operations.figures(None if may else user_id, call.days)
        steps = [{**each.model_dump(), "label": each.label.to(call.ui)} for each in view.steps]
        return {**view.model_dump(mode="json"), "steps": steps, "of_everyone": may}

    @action("system", endpoint="list_errors", scope="read")
    async def errors(self, user_id: str, call: Call) -> Reply:
        """The latest errors with their runs. Administrators get all users' errors and those in the log; other users get
        their own."""
        may = self._identity.is_administrator(user_id)
        found = await self._workbench.operations.run_errors(None if may else user_id)
        logged = self._workbench.operations.logged_errors() if may else []
        return {
            "errors": [_error_row(each, user_id, call.ui) for each in found],
            "logged": [each.model_dump() for each in logged] if may else None,
        }

    def _responsiveness(self, language: Language) -> Reply:
        """The longest time for which the server was blocked, and the calculations that were stopped because they took
        too long."""
        report = self._workbench.responsiveness.report
        stopped = [{**each.model_dump(), "name": each.name.to(language)} for each in report.stopped]
        return {**report.model_dump(), "stopped": stopped}

    def _features(self, language: Language) -> list[JsonValue]:
        return [_feature_row(each, language) for each in self._workbench.operations.features.all()]

    async def _work_row(self, each: UnderWay, user_id: str) -> Reply:
        """A row of current work. For other users' work, the document or question is hidden."""
        mine = each.user_id == user_id
        about = await self._about(each) if mine else None
        return {**each.model_dump(exclude={"about"}), "about": about, "mine": mine}

    async def _about(self, each: UnderWay) -> str | None:
        if each.kind == "question":
            return each.about
        try:
            return (await self._workbench.library.get(each.user_id, each.about)).filename
        except PalimpsestError:
            return None


def _feature_row(each: FeatureRow, language: Language) -> Reply:
    told: Reply = {
        "title": each.title.to(language),
        "hides": each.hides.to(language),
        "notice": each.notice.to(language) if each.notice else None,
    }
    return {**each.model_dump(mode="json", include={"name", "setting", "on", "fixed"}), **told}


def _error_row(each: RunError, user_id: str, language: Language) -> Reply:
    """A row about an error. Other users' questions, documents and links are hidden."""
    mine = each.user_id == user_id
    return {
        "at": each.at,
        "run_id": each.run_id,
        "kind": each.kind,
        "user_id": each.user_id,
        "mine": mine,
        "asked": each.subject if mine and each.kind == "question" else None,
        "conversation_id": each.conversation_id if mine else None,
        "document_id": each.subject if mine and each.kind == "ingestion" else None,
        "category": each.problem.category,
        **each.problem.told(language),
    }
