"""Tests settings that only an earlier version had: each is replaced by a default, with a notice."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from core.setting_groups import RETIRED_PROFILES, Memory
from core.settings import Settings


@pytest.mark.parametrize("name", RETIRED_PROFILES)
def test_a_retired_ranking_profile_becomes_the_default_and_says_so(
    name: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("PALIMPSEST_MEMORY__PROFILE", name)
    settings = Settings(_env_file=None)
    assert settings.memory == Memory()
    [notice] = caplog.messages
    assert f"“{name}” no longer exists; “{settings.memory.profile}” is used instead" in notice
    assert f"„{name}” אינו קיים עוד" in notice


@pytest.mark.parametrize("name", ["seed", "conditional"])
def test_a_profile_of_today_stays_and_nothing_is_said(name: str, caplog: pytest.LogCaptureFixture) -> None:
    assert Memory.model_validate({"profile": name}).profile == name
    assert caplog.messages == []


def test_a_profile_that_never_was_is_refused() -> None:
    with pytest.raises(ValidationError):
        Memory.model_validate({"profile": "likeness"})
