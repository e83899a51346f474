"""Tests that the client configurations in ``docs/mcp.md`` are valid JSON, and that their command is one of ours."""

from __future__ import annotations

import json
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)


PROGRAMS = ("Claude Desktop", "Cursor", "VS Code")
"""Client programs. The document describes each in two ways: it starts the server itself, or connects over the network.
"""


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_is_told_of_both_ways(program: str) -> None:
    _, started, network = re.split(r"^## (?=Started|Over)", TEXT, flags=re.MULTILINE)
    assert f"{program}, in `" in started
    assert f"{program}" in network.split("## What to know")[0]


def servers() -> list[dict[str, Any]]:
    given = [json.loads(block) for block in BLOCKS]
    return [each for block in given for each in (block.get("mcpServers") or block["servers"]).values()]


@pytest.mark.parametrize("block", BLOCKS)
def test_what_is_pasted_is_json(block: str) -> None:
    assert json.loads(block)


def test_the_command_exists_and_takes_what_is_written() -> None:
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    commands = [each for each in servers() if each.get("command") == "palimpsest"]
    assert commands
    for each in commands:
        module, _, function = scripts[each["command"]].partition(":")
        assert callable(getattr(import_module(module), function))
        assert each["args"][0] in import_module("command.main").COMMANDS


def test_addresses_are_where_the_server_answers() -> None:
    addresses = [each["url"] for each in servers() if "url" in each]
    addresses += [word for each in servers() for word in each.get("args", []) if "://" in word]
    assert len(addresses) == len(PROGRAMS)
    assert all(each.endswith(import_module("pages.mcp.mounted").PATH) for each in addresses)
