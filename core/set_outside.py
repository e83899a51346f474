"""Which settings the environment or ``.env`` fixes: *a field's dotted path* → whether it is set there, and how."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from pydantic_settings import DotEnvSettingsSource, EnvSettingsSource

from core.setting_names import OTHER_NAMES, OtherNames, at, by_field, field_names
from core.settings import Settings, given_names

Given = frozenset[tuple[str, str | None]]


def what_is_set_outside() -> Callable[[str], bool]:
    """Whether the environment or ``.env`` sets a field, by its dotted path ("limits.file_bytes"), as they are now."""
    given = _set_outside(_ours(EnvSettingsSource(Settings)), _ours(DotEnvSettingsSource(Settings)))
    return lambda name: any(at(each, name) is not None for each in given)


def _ours(source: EnvSettingsSource) -> Given:
    """What is given there that settings may be read from."""
    names = _names()
    given = source.env_vars.items()
    return frozenset((name, value) for name, value in given if name.startswith("palimpsest_") or name in names)


@cache
def _names() -> frozenset[str]:
    """Of variables, in lower case; those of parts of a group begin with the name of the group."""
    names = (*field_names(Settings, "PALIMPSEST_"), *(other.name for other in OTHER_NAMES))
    return frozenset(map(str.lower, names))


@lru_cache(maxsize=1)
def _set_outside(_environment: Given, _dotenv: Given) -> list[dict[str, object]]:
    """By field, what each source sets while this is given: reading takes long, and all settings that may change ask."""
    env, dotenv = EnvSettingsSource(Settings), DotEnvSettingsSource(Settings)
    others = OtherNames(Settings, given_names(dotenv.env_vars), {**dotenv(), **env()})
    return [by_field(Settings, source()) for source in (env, dotenv, others)]
