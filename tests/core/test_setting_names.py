"""Tests that setting names of other products work, that our own names take precedence with a notice, and that a refused
setting is reported with the reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import ValidationError
from pydantic_settings import EnvSettingsSource

from core.set_outside import what_is_set_outside
from core.setting_names import OTHER_NAMES, OtherName
from core.settings import Settings
from core.words import LANGUAGES

GIVEN = {
    "bool": "false",
    "url": "http://there.test:5005",
    "int": "7",
    "float": "0.125",
    "values": "true",
}


def given_for(other: OtherName) -> str:
    """A value that differs from the default of the setting."""
    before = at(Settings(_env_file=None), other.setting)
    if other.values:
        return GIVEN["values"]
    if isinstance(before, bool | int | float):
        return GIVEN[type(before).__name__]
    return "WARNING" if other.setting == "log_level" else GIVEN["url"]


def at(settings: Settings, path: str) -> object:
    found: object = settings
    for part in path.split("."):
        found = getattr(found, part)
    return found


NOT_READ = {
    "DOCUMENT_RAG_ENABLED", "MEMORY_BM25_ENABLED", "ENABLE_AUTONOMY", "REQUIRE_CONFIRMATION", "MAX_FILE_WRITES",
    "ENABLE_GIT_OPERATIONS", "ENABLE_AUTO_APPLY_SOLUTIONS", "ENABLE_WEBSOCKET_STREAMING", "MEMORY_UI_ENABLED",
    "MEMORY_BOOKS_UI_ENABLED", "MEMORY_INITIAL_SCORE", "MEMORY_SEARCH_MIN_SCORE", "QDRANT_HOST",
}  # fmt: skip


def test_what_is_not_read_is_told_with_a_reason() -> None:
    document = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([A-Z0-9_]+)` \| ([A-Z][^|`]+.*?) \|$", document, re.MULTILINE))
    assert told.keys() >= NOT_READ
    assert NOT_READ.isdisjoint(other.name for other in OTHER_NAMES)


@pytest.mark.parametrize("other", OTHER_NAMES, ids=lambda each: each.name)
def test_another_name_reaches_our_setting(other: OtherName, monkeypatch: pytest.MonkeyPatch) -> None:
    before = at(Settings(_env_file=None), other.setting)
    monkeypatch.setenv(other.name, given_for(other))
    assert at(Settings(_env_file=None), other.setting) != before
    assert what_is_set_outside()(other.setting)


def test_a_penalty_is_taken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MEMORY_NEGATIVE_PENALTY", "0.3")
    assert Settings(_env_file=None).memory.failed == -0.3


def test_an_endpoint_of_tei_speaks_as_tei_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEI_ENDPOINT", "http://tei.test")
    assert Settings(_env_file=None).embedding_shape == "tei"
    monkeypatch.setenv("PALIMPSEST_EMBEDDING_SHAPE", "dicta")
    assert Settings(_env_file=None).embedding_shape == "dicta"


@pytest.mark.parametrize("ours", ["EMBEDDING_URL", "PALIMPSEST_EMBEDDING_URL"])
def test_our_name_wins_and_that_is_said(
    ours: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(ours, "http://ours.test")
    monkeypatch.setenv("TEI_ENDPOINT", "http://theirs.test")
    settings = Settings(_env_file=None)
    assert (settings.embedding_url, settings.embedding_shape) == ("http://ours.test", "openai")
    [notice] = caplog.messages
    assert "TEI_ENDPOINT" in notice
    assert "PALIMPSEST_EMBEDDING_URL" in notice


def test_a_line_of_the_dotenv_file_counts_as_well(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("CONTEXT_TOKEN_BUDGET=4000\n", encoding="utf-8")
    assert Settings(_env_file=tmp_path / ".env").budget.retrieved == 4000


def test_an_empty_name_counts_as_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEI_ENDPOINT", "")
    assert Settings(_env_file=None).embedding_url is None


# -- profiles and conflicting settings -----------------------------------------------------------


def test_production_is_safe_by_itself_and_what_is_set_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALIMPSEST_PROFILE", "production")
    safe = Settings(_env_file=None)
    assert (safe.login, safe.tool_servers, safe.session_hours, safe.backups.every_hours) == ("always", "file", 12, 24)
    assert safe.backups.keep == Settings.model_fields["backups"].default.keep
    monkeypatch.setenv("PALIMPSEST_BACKUPS__EVERY_HOURS", "6")
    monkeypatch.setenv("PALIMPSEST_TOOL_SERVERS", "page")
    chosen = Settings(_env_file=None)
    assert (chosen.tool_servers, chosen.backups.every_hours) == ("page", 6)


FORBIDDEN = {
    "open_to_all": {"HOST": "0.0.0.0"},
    "overlap": {"CHUNKING__OVERLAP_TOKENS": "50", "CHUNKING__MAX_TOKENS": "60"},
    "scoring_without_memory": {"MEMORY__ENFORCE_SCORING": "true", "MEMORY__ENABLED": "false"},
    "production_without_login": {"PROFILE": "production", "LOGIN": "auto"},
    "production_tells_texts": {"PROFILE": "production", "TRACES_CONTENT": "true"},
    "production_langsmith": {"PROFILE": "production", "LANGSMITH": "true"},
    "production_metrics": {"PROFILE": "production", "METRICS_FOR": "anyone"},
    "nobody_works": {"JOBS__WORKERS": "0"},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", FORBIDDEN)
def test_what_cannot_go_together_is_refused_in_words(name: str, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from core.messages.catalogue import texts

    monkeypatch.setenv("LC_ALL", f"{language}_XX.UTF-8")
    for setting, value in FORBIDDEN[name].items():
        monkeypatch.setenv(f"PALIMPSEST_{setting}", value)
    with pytest.raises(ValidationError) as refused:
        Settings(_env_file=None)
    told = str(refused.value)
    for part in ("what", "why", "remedy"):
        assert texts(language)[f"settings.forbidden.{name}.{part}"] in told  # type: ignore[arg-type]


def test_every_refusal_there_is_is_tried() -> None:
    from core.messages.catalogue import texts

    there = {key.split(".")[2] for key in texts("en") if key.startswith("settings.forbidden.")}
    assert there == set(FORBIDDEN)


def test_what_is_set_outside_is_read_again_only_when_it_has_changed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PALIMPSEST_LIMITS__FILE_BYTES", raising=False)
    read: list[object] = []
    every = EnvSettingsSource.__call__
    monkeypatch.setattr(EnvSettingsSource, "__call__", lambda source: (read.append(source), every(source))[1])

    def sets() -> tuple[bool, bool, bool]:
        names = ("limits.file_bytes", "web_enabled", "profile")
        return tuple(map(what_is_set_outside(), names))  # type: ignore[return-value]

    assert sets() == (False, False, False)
    once = len(read)
    assert sets() == (False, False, False)
    assert len(read) == once > 0
    monkeypatch.setenv("PALIMPSEST_LIMITS__FILE_BYTES", "1000")
    assert sets() == (True, False, False)
    Path(".env").write_text("PALIMPSEST_WEB_ENABLED=false\n")
    assert sets() == (True, True, False)
    monkeypatch.delenv("PALIMPSEST_LIMITS__FILE_BYTES")
    assert sets() == (False, True, False)
