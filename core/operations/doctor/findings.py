"""Builds findings; their texts are in the message catalogue, under ``doctor``."""

from __future__ import annotations

from core.errors import explain, problem_of
from core.messages import message
from core.operations.records import Finding
from core.resilience.health import HealthState
from core.words import Words

WARNINGS: dict[str, HealthState] = {
    "folder_not_writable": "red",
    "folder_open_to_others": "amber",
    "disk_low": "amber",
    "disk_full": "red",
    "format_later": "red",
    "truth_unreadable": "red",
    "truth_emptied": "red",
    "truth_set_aside": "amber",
    "port_taken": "red",
    "settings_unknown": "amber",
    "settings_unused": "amber",
    "data_elsewhere": "amber",
    "data_moved": "amber",
    "read_only": "amber",
    "index_away": "amber",
    "index_differs": "amber",
    "reindex_unfinished": "amber",
    "meaning_switched_off": "amber",
    "mongodb_away": "red",
    "mongodb_old": "amber",
    "mongodb_single": "amber",
    "qdrant_away": "amber",
    "qdrant_old": "amber",
    "redis_away": "amber",
    "redis_policy": "amber",
    "endpoint_away": "amber",
    "meaning_off": "amber",
    "vectors_missing": "amber",
    "model_absent": "amber",
    "model_away": "amber",
    "ocr_absent": "amber",
    "tool_server_away": "amber",
    "jobs_stuck": "amber",
    "jobs_without_worker": "amber",
    "documents_unread": "amber",
    "clock_behind": "amber",
    "errors_recent": "amber",
    "feature_switched_off": "amber",
    "answers_failing": "amber",
    "tools_failing": "amber",
    "answers_slow": "amber",
    "slower_than_usual": "amber",
    "falling_back": "amber",
    "tools_looping": "amber",
    "out_of_memory": "amber",
    "storage_growing": "amber",
    "backup_missing": "amber",
    "backup_overdue": "amber",
    "start_failed": "red",
    "check_failed": "amber",
}
"""All warnings with their lowest severity; each is a heading in docs/troubleshooting.md."""


def fine(check: str, /, seen: str = "", **values: object) -> Finding:
    """A finding that reports no problem; ``seen`` names what was found, for checks with several good results."""
    return Finding(check=check, name=_name(check), what=message(f"doctor.fine.{seen or check}", **values))


def wrong(check: str, warning: str, /, **values: object) -> Finding:
    """A finding that reports a warning, with a remedy."""
    told = problem_of("unknown", f"doctor.warnings.{warning}", **values)
    return Finding(
        check=check,
        name=_name(check),
        warning=warning,
        state=WARNINGS[warning],
        what=told.what,
        why=told.why,
        remedy=told.remedy,
    )


def reason_of(error: BaseException) -> Words:
    """The error's text: what failed and why, as consecutive sentences."""
    problem = explain(error)
    return Words.joined([problem.what, problem.why])


def _name(check: str) -> Words:
    return message(f"doctor.checks.{check}")
