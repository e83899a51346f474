"""Tests users' own personality templates on both record stores."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.personality.personalities import BUILT_IN, PRESETS, Personalities
from core.personality.prompt import prompt_of
from core.store.scope import ScopedTruth
from core.store.truth import Change, Truth

ADA, BEN = "ada", "ben"
TEXT = "identity:\n  name: Ada\ncommunication:\n  tone: direct\n"
HEBREW = "identity:\n  name: עדה\ncommunication:\n  tone: warm\n"


@pytest.fixture
async def personalities(truth: Truth) -> Personalities:
    found = Personalities(truth, lambda: 100.0)
    await found.ensure()
    return found


async def names(personalities: Personalities, user_id: str = ADA) -> list[str]:
    return [each.name for each in await personalities.all(user_id)]


async def refused(doing: object) -> str:
    with pytest.raises(PalimpsestError) as error:
        await doing  # type: ignore[misc]
    return error.value.problem.what.en


async def test_presets_come_first_and_one_is_active(personalities: Personalities) -> None:
    assert await names(personalities) == ["Default", "Professional", "Teacher"]
    assert (await personalities.active(ADA)).slug == "default"
    assert (await personalities.voice(ADA)).assistant == "Palimpsest"


async def test_a_template_is_saved_activated_and_speaks(personalities: Personalities) -> None:
    saved = await personalities.save(ADA, "  My \n Ada ", TEXT)
    assert (saved.template.slug, saved.template.name, saved.replaced) == ("my_ada", "My Ada", None)
    await personalities.activate(ADA, "my_ada")
    voice = await personalities.voice(ADA)
    assert (voice.slug, voice.assistant, voice.fell_back) == ("my_ada", "Ada", False)
    assert voice.prompt.startswith("You are Ada.")
    await personalities.save(ADA, "My Ada", TEXT.replace("direct", "enthusiastic"))
    assert "enthusiasm" in (await personalities.voice(ADA)).prompt


async def test_overwriting_is_reported_with_what_stood_there(personalities: Personalities) -> None:
    await personalities.save(ADA, "My Ada", TEXT)
    saved = await personalities.save(ADA, "my ada", HEBREW)
    assert saved.replaced is not None
    assert (saved.replaced.name, saved.replaced.text) == ("My Ada", TEXT)
    assert await names(personalities) == ["Default", "Professional", "Teacher", "my ada"]


@pytest.mark.parametrize("name", ["default", "Default", " TEACHER ", "professional!"])
async def test_presets_cannot_be_saved_over(personalities: Personalities, name: str) -> None:
    assert "is a preset" in await refused(personalities.save(ADA, name, TEXT))


async def test_presets_and_the_active_one_cannot_be_deleted(personalities: Personalities) -> None:
    before = {path.name: path.read_bytes() for path in PRESETS.glob("*.yaml")}
    assert "is a preset" in await refused(personalities.delete(ADA, "teacher"))
    await personalities.save(ADA, "Ada", TEXT)
    await personalities.activate(ADA, "ada")
    assert "is in use" in await refused(personalities.delete(ADA, "ada"))
    assert {path.name: path.read_bytes() for path in PRESETS.glob("*.yaml")} == before


async def test_a_deleted_one_comes_back_by_saving_it(personalities: Personalities) -> None:
    await personalities.save(ADA, "עדה", HEBREW)
    slug = (await personalities.all(ADA))[-1].slug
    deleted = await personalities.delete(ADA, slug)
    assert "does not exist" in await refused(personalities.get(ADA, slug))
    again = await personalities.save(ADA, deleted.name, deleted.text)
    assert (again.template.slug, again.template.text) == (slug, HEBREW)


async def test_hebrew_names_have_ids_in_ascii(personalities: Personalities) -> None:
    for name in ("עדה", "עדה המקוצרת", "Ada עדה"):
        saved = await personalities.save(ADA, name, HEBREW)
        assert saved.template.slug.isascii()
        assert saved.replaced is None
        assert (await personalities.get(ADA, saved.template.slug)).name == name
    assert (await personalities.save(ADA, "\u200fעדה\u200e", HEBREW)).replaced is not None


@pytest.mark.parametrize("name", ["", "  ", "\u200f\x00", "x" * 81, "\ud800"])
async def test_a_template_needs_a_name(personalities: Personalities, name: str) -> None:
    assert await refused(personalities.save(ADA, name, TEXT)) == "The template needs a name."


@pytest.mark.parametrize("slug", ["", "..", "../default", "default.yaml", "a" * 200, "עדה", "x\x00"])
async def test_other_ids_do_not_exist(personalities: Personalities, slug: str) -> None:
    assert "does not exist" in await refused(personalities.get(ADA, slug))
    assert "does not exist" in await refused(personalities.activate(ADA, slug))


async def test_text_with_errors_is_not_saved_and_the_place_is_said(personalities: Personalities) -> None:
    await personalities.save(ADA, "Ada", TEXT)
    with pytest.raises(PalimpsestError) as error:
        await personalities.save(ADA, "Ada", TEXT.replace("direct", "rude"))
    assert error.value.problem.why.en.startswith("Line 4, column 9: communication.tone must be one of")
    assert error.value.problem.why.he.startswith("שורה 4, עמודה 9: ")
    assert (await personalities.get(ADA, "ada")).text == TEXT


async def test_two_users_never_meet(personalities: Personalities) -> None:
    await personalities.save(ADA, "Secret", TEXT)
    await personalities.activate(ADA, "secret")
    assert await names(personalities, BEN) == ["Default", "Professional", "Teacher"]
    for doing in (personalities.get, personalities.activate, personalities.delete):
        assert "does not exist" in await refused(doing(BEN, "secret"))
    assert (await personalities.voice(BEN)).assistant == "Palimpsest"
    assert (await personalities.save(BEN, "Secret", HEBREW)).replaced is None
    assert (await personalities.get(ADA, "secret")).text == TEXT
    assert (await personalities.voice(ADA)).assistant == "Ada"


async def test_a_broken_active_one_falls_back_to_the_default(truth: Truth, personalities: Personalities) -> None:
    await personalities.save(ADA, "Ada", TEXT)
    await personalities.activate(ADA, "ada")
    mine = ScopedTruth(truth, ADA).collection("personalities")
    row = (await mine.find())[0]
    await mine.update(str(row["_id"]), Change(set={"text": "identity: ["}))
    voice = await personalities.voice(ADA)
    assert (voice.assistant, voice.fell_back) == ("Palimpsest", True)
    await mine.delete({})
    assert (await personalities.voice(ADA)).slug == "default"


async def test_without_a_default_the_built_in_one_speaks(truth: Truth, tmp_path: Path) -> None:
    personalities = Personalities(truth, lambda: 100.0, tmp_path)
    await personalities.ensure()
    for broken in (None, b"identity: [", b"\xff\xfe", b"communication: {}"):
        if broken is not None:
            (tmp_path / "default.yaml").write_bytes(broken)
        voice = await personalities.voice(ADA)
        assert (voice.prompt, voice.fell_back) == (prompt_of(BUILT_IN), True)


async def test_a_changed_preset_file_speaks_at_once(truth: Truth, tmp_path: Path) -> None:
    preset = tmp_path / "default.yaml"
    preset.write_text(TEXT, encoding="utf-8")
    personalities = Personalities(truth, lambda: 100.0, tmp_path)
    await personalities.ensure()
    assert (await personalities.voice(ADA)).assistant == "Ada"
    preset.write_text(HEBREW, encoding="utf-8")
    os.utime(preset, (1, 1))
    assert (await personalities.voice(ADA)).assistant == "עדה"


async def test_the_voice_speaks_without_a_truth(personalities: Personalities, monkeypatch: pytest.MonkeyPatch) -> None:
    async def unreachable(*_: object) -> None:
        raise ConnectionError

    monkeypatch.setattr(personalities, "active", unreachable)
    voice = await personalities.voice(ADA)
    assert (voice.assistant, voice.fell_back) == ("Palimpsest", True)


async def test_saving_the_same_name_at_once_leaves_one(personalities: Personalities) -> None:
    await asyncio.gather(*(personalities.save(ADA, "Ada", TEXT) for _ in range(8)))
    assert (await names(personalities)).count("Ada") == 1
