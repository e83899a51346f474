from __future__ import annotations

import os
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.prompts.built_in import BUILT_IN
from core.prompts.templates import OURS, Prompts

VALUES = {"mode": "quick"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "answer").mkdir()
    return tmp_path


def write(file: Path, text: str, age: int = 0) -> None:
    """Writes a template file that is ``age`` seconds old, so that two writes at the same moment differ."""
    file.write_text(text, "utf-8")
    os.utime(file, (1_000_000 - age, 1_000_000 - age))


def test_a_users_template_wins_as_soon_as_it_is_there_and_ours_is_back_when_it_is_gone(folder: Path) -> None:
    prompts, file = Prompts(folder), folder / "answer" / "mode.md.j2"
    ours = prompts.render("answer/mode", **VALUES)
    assert ours.startswith("## Depth: quick")
    write(file, "Mine: {{ mode }}", 20)
    assert prompts.render("answer/mode", **VALUES) == "Mine: quick"
    write(file, "Changed: {{ mode }}")
    assert prompts.render("answer/mode", **VALUES) == "Changed: quick"
    file.unlink()
    assert prompts.render("answer/mode", **VALUES) == ours


@pytest.mark.parametrize("broken", ["{% if %}", "{{ unheard_of }}", "{{ 1 / 0 }}", "{{ ''.__class__.__mro__ }}"])
def test_a_broken_one_gives_way_to_ours(folder: Path, broken: str) -> None:
    write(folder / "answer" / "mode.md.j2", broken)
    assert Prompts(folder).render("answer/mode", **VALUES).startswith("## Depth: quick")


def test_an_unreadable_one_gives_way_to_ours(folder: Path) -> None:
    (folder / "answer" / "mode.md.j2").write_bytes(b"\xff\xfe\xff")
    assert Prompts(folder).render("answer/mode", **VALUES).startswith("## Depth: quick")


def test_without_any_file_an_answer_can_still_be_asked_for(tmp_path: Path) -> None:
    prompts = Prompts(tmp_path / "users", tmp_path / "ours")
    assert "quick" in prompts.render("answer/mode", **VALUES)
    with pytest.raises(PalimpsestError) as caught:
        prompts.render("intent", today="2026-11-21", follows=False)
    assert "intent.md.j2" in caught.value.problem.what.en


def test_every_layer_of_ours_has_a_built_in_one() -> None:
    ours = {f"answer/{file.name.removesuffix('.md.j2')}" for file in (OURS / "answer").glob("*.md.j2")}
    assert ours == set(BUILT_IN)


def test_no_template_is_read_outside_of_its_folder(folder: Path) -> None:
    write(folder / "secret.md.j2", "secret")
    with pytest.raises(PalimpsestError):
        Prompts(folder / "answer").render("../secret")
