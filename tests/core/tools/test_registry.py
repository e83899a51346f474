"""Tests the tool registry: servers are added and removed, tool names match as models spell them, each definition is in
one file."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from core.messages import message_group
from core.tools import definition_files
from core.tools.definition import Effects
from core.tools.definition_files import OwnDefinitions, definition_of, laid_over, our_definitions
from core.tools.registry import ToolRegistry
from core.tools.tool import ToolResult
from core.words import LANGUAGES
from tests.core.tools.made import ADA, Made, Server, call, definition, tools_over, with_tools

OWN_WEB = {"web_search", "web_answer", "web_page", "memory", "documents"}


def test_every_definition_of_ours_is_complete_in_each_language() -> None:
    for name, each in our_definitions().items():
        told = each.messages
        for words in (each.title, told.progress, told.none_found, told.suggestion, told.failure, *each.hints.values()):
            assert all(words.to(language).strip() for language in LANGUAGES), name
        assert (words_differ := told.failure.to("he") != told.failure.to("en")), (name, words_differ)
        assert len({each.name for each in each.parameters}) == len(each.parameters), name


def test_no_text_of_a_definition_is_cut_by_its_notation() -> None:
    """In a YAML map on one line, a comma in a text without quotes begins a key without a value."""

    def empty_keys(given: object) -> list[str]:
        if isinstance(given, list):
            return [key for each in given for key in empty_keys(each)]
        if not isinstance(given, dict):
            return []
        return [key for key, value in given.items() if value is None or empty_keys(value)]

    folder = Path(definition_files.__file__).parent / "definitions"
    for path in folder.glob("*.yaml"):
        assert empty_keys(yaml.safe_load(path.read_text("utf-8"))) == [], path.name


def test_people_read_of_every_tool_and_argument_of_ours_in_their_language() -> None:
    about = message_group("tools.about")
    assert set(about) == set(our_definitions())
    for name, each in our_definitions().items():
        hints = message_group(f"tools.argument_hints.{name}")
        assert set(hints) == {parameter.name for parameter in each.parameters}, name
        for words in (about[name], *hints.values()):
            assert words.en != words.to("he"), name


def test_what_a_definition_names_is_there_or_is_a_catalogue_of_others() -> None:
    known = set(our_definitions()) | {"datagov_query"}
    for each in our_definitions().values():
        assert {*each.fallbacks, *each.conflicts, *each.complements} <= known, each.name


def test_what_only_reads_is_said_and_what_writes_too() -> None:
    harmless = {name for name, each in our_definitions().items() if each.effects.harmless}
    assert {"fetch", "tavily_search", "search_memory", "list_documents"} <= harmless
    assert not {"add_to_memory_bank", "update_memory", "archive_memory", "record_response"} & harmless
    assert not Effects().harmless


@pytest.mark.parametrize(
    ("spelled", "name"),
    [
        ("tavily_search", "tavily_search"),
        ("tavily-search", "tavily_search"),
        ("Tavily_Search", "tavily_search"),
        ("web_search", "tavily_search"),
        ("tavily.search", "tavily_search"),
        ("elsewhere", None),
    ],
)
async def test_a_name_is_found_as_models_spell_it(tmp_path: Path, spelled: str, name: str | None) -> None:
    tools = await with_tools(tmp_path, Made(definition_of("tavily_search")))
    found = tools.registry.find(spelled)
    assert (found.name if found else None) == name


async def test_servers_come_and_go_while_it_runs(tmp_path: Path) -> None:
    registry = tools_over(tmp_path).registry
    first, second = Server("one", [Made(definition("a", "one"))]), Server("one", [Made(definition("b", "one"))])
    await registry.register(first)
    assert [each.name for each in registry.all()] == ["a"]
    await registry.register(second)
    assert (first.began, first.ended, second.began) == (1, 1, 1)
    assert [each.name for each in registry.all()] == ["b"]
    second.made.append(Made(definition("c", "one")))
    assert [each.name for each in registry.all()] == ["b", "c"]
    await registry.unregister("one")
    await registry.unregister("one")
    assert registry.all() == []
    assert second.ended == 1


async def test_a_server_that_does_not_start_is_not_there(tmp_path: Path) -> None:
    class Broken(Server):
        async def start(self) -> None:
            raise OSError("no such program")

    registry = tools_over(tmp_path).registry
    with pytest.raises(OSError, match="no such program"):
        await registry.register(Broken("broken", [Made(definition("x", "broken"))]))
    assert registry.all() == []


async def test_whoever_was_first_keeps_the_name(tmp_path: Path) -> None:
    ours = Made(definition("search_memory", "memory"), [ToolResult(text="ours")])
    theirs = Made(definition("search_memory", "sly"), [ToolResult(text="theirs")])
    tools = await with_tools(tmp_path, ours, theirs)
    assert [each.name for each in tools.registry.all()] == ["search_memory", "sly_search_memory"]
    (outcome,) = await tools.run([call("search_memory", query="x")], ADA)
    assert outcome.result is not None
    assert outcome.result.text == "ours"


async def test_names_are_as_providers_of_models_allow_them(tmp_path: Path) -> None:
    tools = await with_tools(tmp_path, Made(definition("files/read me.now" + "x" * 80)))
    (entry,) = tools.registry.all()
    assert len(entry.name) == 64
    assert entry.name.startswith("files_read_me_now")
    assert tools.registry.find(entry.name) == entry


async def test_a_file_of_ones_own_says_otherwise_of_any_tool(tmp_path: Path) -> None:
    folder = tmp_path / "tools"
    folder.mkdir()
    tools = await with_tools(tmp_path, Made(definition("read", "files")), Made(definition("read2", "files")))
    own = {"name": "read", "server": "files", "priority": 99, "title": {"en": "My notes", "he": "הפתקים שלי"}}
    (folder / "notes.yaml").write_text(yaml.safe_dump(own, allow_unicode=True), encoding="utf-8")
    entry = tools.registry.find("read")
    assert entry is not None
    assert (entry.definition.priority, entry.definition.title.to("he")) == (99, "הפתקים שלי")
    assert entry.definition.parameters
    (folder / "notes.yaml").write_text(yaml.safe_dump({**own, "priority": 12}), encoding="utf-8")
    assert tools.registry.find("read").definition.priority == 12  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["{", "- a list", "name: read\npriority: 900", "name: read\nnonsense: 1"])
def test_a_file_that_cannot_be_used_changes_nothing(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.yaml").write_text(text, encoding="utf-8")
    plain = definition("read", "files")
    assert laid_over(plain, OwnDefinitions(tmp_path).read()) == plain


async def test_what_is_switched_off_is_there_and_not_available(tmp_path: Path) -> None:
    off: list[str] = []
    registry = ToolRegistry(OwnDefinitions(tmp_path), lambda: off)
    await registry.register(Server("one", [Made(definition("a", "one")), Made(definition("b", "one"))]))
    off.append("a")
    assert [each.name for each in registry.all()] == ["a", "b"]
    assert [each.name for each in registry.available()] == ["b"]
    assert not registry.is_on("a")


async def test_a_digest_tells_that_a_server_says_something_else(tmp_path: Path) -> None:
    registry = tools_over(tmp_path).registry
    server = Server("one", [Made(definition("a", "one")), Made(definition("b", "one"))])
    await registry.register(server)
    before = registry.digest("one")
    server.made.reverse()
    assert registry.digest("one") == before
    for changed in ({"description": "Does more."}, {"parameters": []}, {"effects": Effects()}, {"name": "c"}):
        server.made[0] = Made(definition(**{"name": "b", "server": "one", **changed}))
        assert registry.digest("one") != before
