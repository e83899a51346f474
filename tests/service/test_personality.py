"""Tests personalities in the whole workbench."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.service.conftest import Open
from tests.service.house import House

CAPTAIN = "identity:\n  name: Captain\n  role: navigator\ncommunication:\n  tone: warm\n"


@pytest.mark.parametrize("reader", ["ada", "bob"])
async def test_a_backup_brings_personalities_back_as_ones_own(house: House, tmp_path: Path, reader: str) -> None:
    personalities, memory = house.workbench.personalities, house.workbench.memory
    template = (await personalities.save("ada", "Captain", CAPTAIN)).template
    await personalities.activate("ada", template.slug)
    await memory.export_backup("ada", tmp_path / "ada.zip")
    await personalities.activate("ada", "default")
    if reader == "ada":
        await personalities.delete("ada", template.slug)

    summary = await memory.import_backup(reader, tmp_path / "ada.zip")

    assert summary.kinds["personalities"].added == 1
    assert await personalities.get(reader, template.slug) == template
    found = await personalities.voice(reader)
    assert found.assistant == ("Palimpsest" if reader == "ada" else "Captain"), "what was chosen later stays chosen"


async def test_a_backup_in_an_empty_home_speaks_as_before(open_house: Open, house: House, tmp_path: Path) -> None:
    personalities = house.workbench.personalities
    template = (await personalities.save("ada", "Captain", CAPTAIN)).template
    await personalities.activate("ada", template.slug)
    await house.workbench.memory.export_backup("ada", tmp_path / "ada.zip")
    other = await open_house(home=tmp_path / "other")
    await other.workbench.memory.import_backup("ada", tmp_path / "ada.zip")
    assert (await other.workbench.personalities.voice("ada")).assistant == "Captain"
