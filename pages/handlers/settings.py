"""The Settings tab: which models answer, what they may cost, limits, storage, and how each person likes the page."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from core.models.configuration.records import ModelChoice, ProviderId
from core.personality.records import Preferences
from pages.actions import Blank, Call, Handlers, Reply, action

MOST_LISTED = 200
MOST_MODELS = 5
"""Of one server that was found, that are told."""
SPENDING = "model_spending"


class Picked(Call, hide_input_in_errors=True):
    """A model somebody picked; the key stays in no message about what is wrong with the others."""

    provider: ProviderId
    address: Annotated[str | None, Blank] = Field(None, max_length=500)
    key: Annotated[str | None, Blank] = Field(None, max_length=500, repr=False)
    answers: Annotated[str | None, Blank] = Field(None, max_length=200)
    small: Annotated[str | None, Blank] = Field(None, max_length=200)
    further: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=20)

    def choice(self) -> ModelChoice:
        return ModelChoice.model_validate(self.model_dump(exclude={"ui"}))


class Liked(Call, Preferences):
    """What somebody prefers from now on."""


class ChangedSpending(Call):
    """``value`` in US dollars a person and month; nothing is no limit."""

    value: float | None = None


class ChangedLimit(Call):
    """``value``: nothing goes back to the default."""

    name: str = Field(max_length=100)
    value: int | None = None


class SettingsPage(Handlers):
    """What the script of the tab may call."""

    @action("settings", endpoint="get_settings", scope="read")
    async def settings(self, user_id: str, call: Call) -> Reply:
        """Models, limits, storage and preferences as they are; keys are only said to be there."""
        bench, may = self._workbench, self._identity.is_administrator(user_id)
        return {
            "models": bench.chosen_models.configuration().model_dump(),
            "limits": [each.model_dump() for each in bench.overrides.all()],
            "spending": bench.overrides.of(SPENDING).model_dump(),
            "spent": (await bench.spending.of(user_id)).model_dump(),
            "storage": (await self._workbench.storage()).model_dump() if may else None,
            "preferences": (await bench.preferences.of(user_id)).model_dump(),
            "samples": len(bench.samples.files),
            "may_change": may,
        }

    @action("settings", endpoint="get_destination", who="administrator")
    async def destination(self, user_id: str, call: Picked) -> Reply:
        """Where questions and passages would go: a host, and whether it is this machine, its network or beyond."""
        return self._workbench.chosen_models.reach(call.choice()).model_dump()

    @action("settings", endpoint="list_offered_models", who="administrator")
    async def offered(self, user_id: str, call: Picked) -> Reply:
        """The models that the picked provider offers, asked of it now."""
        found = await self._workbench.chosen_models.offered(call.choice())
        return {"models": [each.model_dump() for each in found[:MOST_LISTED]]}

    @action("settings", endpoint="try_model", who="administrator")
    async def try_model(self, user_id: str, call: Picked) -> Reply:
        """Whether the picked model answers, streams, calls tools, gives JSON and writes each language."""
        trial = await self._workbench.chosen_models.try_out(call.choice())
        trouble = trial.problem.told(call.ui) if trial.problem else None
        return {**trial.model_dump(exclude={"problem"}), "trouble": trouble}

    @action("settings", endpoint="choose_model", who="administrator", noted="changed")
    async def choose_model(self, user_id: str, call: Picked) -> Reply:
        """Answers are the picked model's from now on, for everybody."""
        await self._workbench.chosen_models.choose(call.choice())
        return await self.settings(user_id, call)

    @action("settings", endpoint="quote_only", who="administrator", noted="changed")
    async def quote_only(self, user_id: str, call: Call) -> Reply:
        """No model answers from now on; passages are quoted."""
        await self._workbench.chosen_models.quote_only()
        return await self.settings(user_id, call)

    @action("chat", "settings", endpoint="find_models", who="administrator")
    async def find_models(self, user_id: str, call: Call) -> Reply:
        """Servers that listen where they usually do, each with the models that can answer; and the embedding models and
        rerankers of this machine, each with the lines of the environment that use it."""
        found, services = await asyncio.gather(
            self._workbench.find_model_servers(), self._workbench.find_search_services()
        )
        able = [(server, [each.id for each in server.models if not each.embeds]) for server in found]
        return {
            "servers": [
                {"name": server.name, "address": server.address, "models": [*models[:MOST_MODELS]]}
                for server, models in able
                if models
            ],
            "search": [
                {"kind": each.kind, "model": each.model, "lines": [f"{k}={v}" for k, v in each.settings().items()]}
                for each in services
            ],
        }

    @action("library", endpoint="list_limits", scope="read")
    async def limits(self, user_id: str, call: Call) -> Reply:
        """Each limit with its value, its bounds and whether the environment fixes it."""
        return {
            "limits": [each.model_dump() for each in self._workbench.overrides.all()],
            "table_bytes": self._workbench.settings.limits.table_file_bytes,
            "may_change": self._identity.is_administrator(user_id),
        }

    @action("library", "settings", endpoint="change_limit", who="administrator", noted="changed")
    async def change_limit(self, user_id: str, call: ChangedLimit) -> Reply:
        """Change one; it holds at once and for everybody."""
        await self._workbench.overrides.change(call.name, call.value)
        return await self.limits(user_id, call)

    @action("settings", endpoint="limit_spending", who="administrator", noted="changed")
    async def limit_spending(self, user_id: str, call: ChangedSpending) -> Reply:
        """What one person's model calls may cost in a month."""
        await self._workbench.overrides.change(SPENDING, call.value)
        return await self.settings(user_id, call)

    @action("frame", "settings", endpoint="get_preferences", scope="read")
    async def preferences(self, user_id: str, call: Call) -> Reply:
        """Language, theme and depth, as far as this person ever said them."""
        return {"preferences": (await self._workbench.preferences.of(user_id)).model_dump()}

    @action("frame", "settings", "chat", endpoint="set_preferences")
    async def prefer(self, user_id: str, call: Liked) -> Reply:
        """Keep what is said; what is left open stays as it was."""
        liked = Preferences.model_validate(call.model_dump(exclude={"ui"}))
        return {"preferences": (await self._workbench.preferences.prefer(user_id, liked)).model_dump()}
