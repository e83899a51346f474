"""Tests that ``docs/configuration.md`` lists every setting with its default, and no others.

After a change of the settings, run ``python tests/test_configuration_docs.py`` to write the tables again.
"""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple, get_args, get_origin

import pytest
from annotated_types import Le
from pydantic import AliasChoices, BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import to_jsonable_python

from core.setting_names import OTHER_NAMES
from core.settings import Settings

DOCUMENT = Path(__file__).parents[1] / "docs" / "configuration.md"
NAMES_START = "<!-- other names: written by tests/test_configuration_docs.py -->"
NAMES_END = "<!-- end of other names -->"
START, END = "<!-- settings: written by tests/test_configuration_docs.py -->", "<!-- end of settings -->"


class Setting(NamedTuple):
    group: str
    path: tuple[str, ...]
    names: tuple[str, ...]
    default: object
    meaning: str
    field: FieldInfo
    needs: dict[str, str]
    """Environment variables for other settings that this setting requires."""

    @property
    def row(self) -> str:
        names = " or ".join(f"`{name}`" for name in self.names)
        return f"| {names} | {_shown(self.default)} | {self.meaning} |"


def settings() -> list[Setting]:
    prefix = str(Settings.model_config["env_prefix"])
    return list(_walk(Settings, Settings(_env_file=None), (), prefix, ""))


def _walk(model: type[BaseModel], values: BaseModel, path: tuple[str, ...], prefix: str, of: str) -> Iterator[Setting]:
    for name, field in model.model_fields.items():
        default = getattr(values, name)
        meaning = field.description or f"{of.rstrip('.')} ({name.replace('_', ' ')})."
        if isinstance(default, BaseModel):
            yield from _walk(
                type(default), default, (*path, name), f"{prefix}{name.upper()}__", field.description or ""
            )
            continue
        alias = field.validation_alias
        names = tuple(map(str, alias.choices)) if isinstance(alias, AliasChoices) else (f"{prefix}{name.upper()}",)
        needs = {
            f"{prefix}{sibling.upper()}": str(getattr(values, sibling))
            for sibling, its in model.model_fields.items()
            if its.is_required() and sibling != name
        }
        yield Setting(path[0] if path else "", (*path, name), names, default, meaning, field, needs)


def _shown(default: object) -> str:
    if default is None or default == "":
        return "not set"
    if isinstance(default, Path):
        return f"`{default.as_posix()}`"
    return f"`{default if isinstance(default, str) else json.dumps(to_jsonable_python(default))}`"


def tables() -> str:
    every = settings()
    parts = []
    for group in dict.fromkeys(setting.group for setting in every):
        rows = [setting.row for setting in every if setting.group == group]
        parts += [_heading(group), "\n".join(["| Environment | Default | Meaning |", "|---|---|---|", *rows])]
    return "\n\n".join([START, *parts, END])


def _heading(group: str) -> str:
    if not group:
        return "## General"
    about = type(getattr(Settings(_env_file=None), group)).__dict__.get("__doc__") or ""
    first = re.sub(r"\s*\[[^]]*]", "", inspect.cleandoc(about).split("\n\n")[0]).strip(" .")
    return f"## {group.capitalize()}" + (f"\n\n{first}." if first else "")


def other_names() -> str:
    """Returns the table of alternative setting names and our names."""
    ours = {".".join(each.path): each.names[0] for each in settings()}
    rows = [f"| `{each.name}` | `{ours[each.setting]}` |" for each in OTHER_NAMES]
    return "\n".join([NAMES_START, "| Name | Our setting |", "|---|---|", *rows, NAMES_END])


def _names_table(text: str) -> str:
    return NAMES_START + text.split(NAMES_START)[1].split(NAMES_END)[0] + NAMES_END


def _split(text: str) -> tuple[str, str, str]:
    before, rest = text.split(START)
    written, after = rest.split(END)
    return before, f"{START}{written}{END}", after


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in settings():
        for name in setting.names:
            monkeypatch.delenv(name, raising=False)


def test_every_setting_is_documented_with_its_default_and_no_other() -> None:
    _, written, _ = _split(DOCUMENT.read_text(encoding="utf-8"))
    assert written.splitlines() == tables().splitlines()


def test_every_other_name_is_documented_and_no_other() -> None:
    assert _names_table(DOCUMENT.read_text(encoding="utf-8")).splitlines() == other_names().splitlines()


def test_names_in_the_prose_are_settings() -> None:
    before, _, after = _split(DOCUMENT.read_text(encoding="utf-8"))
    known = {name for setting in settings() for name in setting.names} | {each.name for each in OTHER_NAMES}
    named = set(re.findall(r"\b(?:PALIMPSEST_[A-Z0-9_]+|[A-Z]+_(?:URI|URL|API_KEY))\b", before + after))
    assert named
    assert named <= known


def test_the_first_of_two_names_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QDRANT_URL", "http://first:6333")
    monkeypatch.setenv("PALIMPSEST_QDRANT_URL", "http://second:6333")
    assert Settings(_env_file=None).qdrant_url == "http://first:6333"


def test_a_research_mode_is_set_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_SEARCH__QUICK__TOP_K", "5")
    monkeypatch.setenv("PALIMPSEST_SEARCH__QUICK__STRENGTH", "0.5")
    chosen = Settings(_env_file=None)
    assert (chosen.mode("quick").top_k, chosen.mode("quick").strength) == (5, 0.5)
    assert chosen.mode("deep") == Settings.model_fields["search"].default.deep


TOGETHER = {
    "PALIMPSEST_OPENID__ISSUER": {
        "PALIMPSEST_OPENID__ISSUER": "https://login.example",
        "PALIMPSEST_OPENID__CLIENT_ID": "bench",
    },
    "PALIMPSEST_QDRANT__WRITE_REPLICAS": {"PALIMPSEST_QDRANT__REPLICAS": "9"},
}
"""Settings that are valid only together with others, and the values to give these others."""
NAMED = [(name, setting) for setting in settings() for name in setting.names]


@pytest.mark.parametrize(("name", "setting"), NAMED, ids=[name for name, _ in NAMED])
def test_a_documented_name_is_read_from_the_environment(
    name: str, setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PALIMPSEST_USERS", '{"ada": "a long password"}')
    monkeypatch.setenv(name, _other(setting))
    for sibling, given in {**setting.needs, **TOGETHER.get(name, {})}.items():
        monkeypatch.setenv(sibling, given)
    value: object = Settings(_env_file=None)
    for part in setting.path:
        value = getattr(value, part)
    assert value != setting.default


def _other(setting: Setting) -> str:
    """A valid value of the setting that is not its default."""
    default, kind = setting.default, setting.field.annotation
    if get_origin(kind) is Literal:
        return str(next(choice for choice in get_args(kind) if choice != default))
    if default is None and {int, float} & set(get_args(kind)):
        return "4096"
    if default is None and bool in get_args(kind):
        return "true"
    match default:
        case bool():
            return str(not default)
        case int() | float():
            most = [each.le for each in setting.field.metadata if isinstance(each, Le)]
            return str(default - 1 if default in most else default + 1)
        case dict():
            return '{"noa": "another long password"}'
        case list():
            return '["openai:another"]'
        case _:
            return "another"


if __name__ == "__main__":
    text = DOCUMENT.read_text(encoding="utf-8")
    text = text.replace(_names_table(text), other_names())
    before, _, after = _split(text)
    DOCUMENT.write_text(before + tables() + after, encoding="utf-8")
