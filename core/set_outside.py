"""Finds out which settings are set by environment variables or ``.env``."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from core.setting_names import OTHER_NAMES, OtherNames, at, by_field, field_names
from core.settings import Settings, given_names

Given = frozenset[tuple[str, str | None]]


def what_is_set_outside() -> Callable[[str], bool]:
    """A function that says whether the environment or ``.env`` currently sets a field, by dotted path
    ("limits.file_bytes")."""
    given = _set_outside(_ours(EnvSettingsSource(Settings)), _ours(DotEnvSettingsSource(Settings)))
    return lambda name: any(at(each, name) is not None for each in given)


def _ours(source: EnvSettingsSource) -> Given:
    """The variables in the source that belong to our settings."""
    names = _names()
    given = source.env_vars.items()
    return frozenset((name, value) for name, value in given if name.startswith("palimpsest_") or name in names)


@cache
def _names() -> frozenset[str]:
    """Names of variables, in lower case; those of a group's fields begin with the group's name."""
    names = (*field_names(Settings, "PALIMPSEST_"), *(other.name for other in OTHER_NAMES))
    return frozenset(map(str.lower, names))


@lru_cache(maxsize=1)
def _set_outside(_environment: Given, _dotenv: Given) -> list[dict[str, object]]:
    """The fields that each source sets. Cached for equal input, because reading takes long and every changeable setting
    needs it."""
    env, dotenv = EnvSettingsSource(Settings), DotEnvSettingsSource(Settings)
    others = OtherNames(Settings, given_names(dotenv.env_vars), {**dotenv(), **env()})
    return [by_field(Settings, source()) for source in (env, dotenv, others)]
