"""The Settings tab: models, spending limit, limits, storage, and each user's preferences."""

from __future__ import annotations

import asyncio
from typing import Annotated

from pydantic import Field

from core.models.configuration.records import ModelChoice, ProviderId
from core.personality.records import Preferences
from pages.actions import Blank, Call, Handlers, Reply, action

MOST_LISTED = 200
SPENDING = "model_spending"


class Picked(Call, hide_input_in_errors=True):
    """A selected model and its API key. Validation errors in other fields never contain the key."""

    provider: ProviderId
    address: Annotated[str | None, Blank] = Field(None, max_length=500)
    key: Annotated[str | None, Blank] = Field(None, max_length=500, repr=False)
    answers: Annotated[str | None, Blank] = Field(None, max_length=200)
    small: Annotated[str | None, Blank] = Field(None, max_length=200)
    further: list[Annotated[str, Field(max_length=200)]] = Field([], max_length=20)

    def choice(self) -> ModelChoice:
        return ModelChoice.model_validate(self.model_dump(exclude={"ui"}))


class Liked(Call, Preferences):
    """A user's new preferences."""


class ChangedSpending(Call):
    """The new spending limit. ``value``: US dollars per user and month; empty means no limit."""

    value: float | None = None


class ChangedLimit(Call):
    """A limit and its new ``value``; an empty value restores the default."""

    name: str = Field(max_length=100)
    value: int | None = None


class SettingsPage(Handlers):
    """Actions that the script of the Settings tab can call."""

    @action("settings", endpoint="get_settings", scope="read")
    async def settings(self, user_id: str, call: Call) -> Reply:
        """Models, limits, storage and preferences. API keys are not returned, only whether they are set."""
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
        """Where questions and passages would be sent: the host, and whether it is this machine, in the local network or
        on the internet."""
        return self._workbench.chosen_models.reach(call.choice()).model_dump()

    @action("settings", endpoint="list_offered_models", who="administrator")
    async def offered(self, user_id: str, call: Picked) -> Reply:
        """The models that the selected provider offers now."""
        found = await self._workbench.chosen_models.offered(call.choice())
        return {"models": [each.model_dump() for each in found[:MOST_LISTED]]}

    @action("settings", endpoint="try_model", who="administrator")
    async def try_model(self, user_id: str, call: Picked) -> Reply:
        """Test whether the selected model answers, streams, calls tools, returns JSON and writes each language."""
        trial = await self._workbench.chosen_models.try_out(call.choice())
        trouble = trial.problem.told(call.ui) if trial.problem else None
        return {**trial.model_dump(exclude={"problem"}), "trouble": trouble}

    @action("chat", "settings", endpoint="choose_model", who="administrator", noted="changed")
    async def choose_model(self, user_id: str, call: Picked) -> Reply:
        """Use the selected model for all users' answers from now on."""
        await self._workbench.chosen_models.choose(call.choice())
        return await self.settings(user_id, call)

    @action("settings", endpoint="quote_only", who="administrator", noted="changed")
    async def quote_only(self, user_id: str, call: Call) -> Reply:
        """Answer without a model from now on: answers then quote passages."""
        await self._workbench.chosen_models.quote_only()
        return await self.settings(user_id, call)

    @action("chat", "settings", endpoint="find_models", who="administrator")
    async def find_models(self, user_id: str, call: Call) -> Reply:
        """Look for model servers at their usual addresses, and list each one's chat models, the best first.

        If there are none, ``advice`` says what to install; ``empty`` lists programs that run without a chat model. Also
        list the embedding models and rerankers on this machine, each with the environment settings to use it.
        """
        found, services = await asyncio.gather(
            self._workbench.find_local_models(), self._workbench.find_search_services()
        )
        return {
            **found.model_dump(),
            "search": [
                {"kind": each.kind, "model": each.model, "lines": [f"{k}={v}" for k, v in each.settings().items()]}
                for each in services
            ],
        }

    @action("library", endpoint="list_limits", scope="read")
    async def limits(self, user_id: str, call: Call) -> Reply:
        """Each limit with its value, the allowed range, and whether an environment variable fixes it."""
        return {
            "limits": [each.model_dump() for each in self._workbench.overrides.all()],
            "table_bytes": self._workbench.settings.limits.table_file_bytes,
            "may_change": self._identity.is_administrator(user_id),
        }

    @action("library", "settings", endpoint="change_limit", who="administrator", noted="changed")
    async def change_limit(self, user_id: str, call: ChangedLimit) -> Reply:
        """Change a limit. The change applies immediately to all users."""
        await self._workbench.overrides.change(call.name, call.value)
        return await self.limits(user_id, call)

    @action("settings", endpoint="limit_spending", who="administrator", noted="changed")
    async def limit_spending(self, user_id: str, call: ChangedSpending) -> Reply:
        """Limit the cost of each user's model calls per month."""
        await self._workbench.overrides.change(SPENDING, call.value)
        return await self.settings(user_id, call)

    @action("frame", "settings", endpoint="get_preferences", scope="read")
    async def preferences(self, user_id: str, call: Call) -> Reply:
        """The user's language, theme and search depth, if the user has set them."""
        return {"preferences": (await self._workbench.preferences.of(user_id)).model_dump()}

    @action("frame", "settings", "chat", endpoint="set_preferences")
    async def prefer(self, user_id: str, call: Liked) -> Reply:
        """Save the given preferences. The others stay unchanged."""
        liked = Preferences.model_validate(call.model_dump(exclude={"ui"}))
        return {"preferences": (await self._workbench.preferences.prefer(user_id, liked)).model_dump()}
