"""API keys of a user: create, list, revoke."""

from __future__ import annotations

from pydantic import Field

from core.accounts.records import KEY_SCOPES, ApiKey, KeyScope
from pages.actions import Call, Chosen, Handlers, Reply, action


class NewKey(Call):
    """A new API key. ``name``: its purpose; ``scopes``: its rights; ``days``: days until it expires (none: valid until
    revoked)."""

    name: str = Field(max_length=200)
    scopes: list[KeyScope] = Field(list(KEY_SCOPES), max_length=4)
    days: float | None = Field(None, gt=0, le=3_650)


class KeyRing(Handlers):
    """Actions that the script of the Settings tab can call. API keys cannot create or revoke keys."""

    @action("settings", endpoint="list_api_keys", part="keys", who="in person")
    async def keys(self, user_id: str, call: Call) -> Reply:
        """The user's API keys without their secrets, newest first."""
        return {"keys": [_row(each) for each in await self._workbench.api_keys.all(user_id)]}

    @action("settings", endpoint="create_api_key", who="in person", noted="key_made")
    async def create_key(self, user_id: str, call: NewKey) -> Reply:
        """Create an API key. ``secret`` is the key itself; it is returned only once."""
        key, secret = await self._workbench.api_keys.create(user_id, call.name, call.scopes, call.days)
        return {"key": _row(key), "secret": secret}

    @action("settings", endpoint="revoke_api_key", who="in person", noted="key_revoked")
    async def revoke_key(self, user_id: str, call: Chosen) -> Reply:
        """Revoke an API key."""
        await self._workbench.api_keys.revoke(user_id, call.id)
        return {"revoked": call.id}


SHOWN = {"id", "name", "prefix", "created_at", "expires_at", "last_used_at", "scopes"}


def _row(key: ApiKey) -> Reply:
    return key.model_dump(mode="json", include=SHOWN)
