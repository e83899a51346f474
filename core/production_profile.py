"""Provides the default values of the production profile; any configured value overrides them."""

from __future__ import annotations

from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource


class ProfileDefaults(PydanticBaseSettingsSource):
    """A settings source with a profile's default values; any configured value overrides them."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        return None, field_name, False

    def __call__(self) -> dict[str, Any]:
        return PRODUCTION if self.current_state.get("profile") == "production" else {}


PRODUCTION: dict[str, Any] = {
    "login": "always",
    "tool_servers": "file",
    "session_hours": 12.0,
    "backups": {"every_hours": 24.0},
}
