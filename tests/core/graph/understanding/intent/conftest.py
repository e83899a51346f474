from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from core.graph.records import Intent, IntentRequest, Message
from core.graph.understanding.intent.classifier import IntentClassifier
from core.parsed_yaml import parse_yaml
from core.prompts.templates import Prompts

TABLE = Path(__file__).parents[2] / "data" / "utterances.yaml"


def in_2026() -> float:
    return datetime(2026, 6, 1, tzinfo=UTC).timestamp()


class Utterance:
    """One row of the intent test table; a missing expected value gets its default."""

    def __init__(self, row: dict[str, object]) -> None:
        self.row = row
        self.text = str(row["text"])
        past = row.get("past", [])
        assert isinstance(past, list)
        self.asked = IntentRequest.model_validate(
            {"text": self.text, "tagged": row.get("tagged"), "past": [Message(role="user", text=t) for t in past]}
        )

    def action_is_right(self, intent: Intent) -> bool:
        if "ask" in self.row:
            return intent.asks and set(intent.alternatives) == set(self.row["ask"])
        command = intent.command.kind if intent.command else None
        return (
            not intent.asks
            and intent.action == self.row.get("action", "inquire")
            and command == self.row.get("command")
            and (len(intent.parts) or 1) == self.row.get("parts", 1)
        )

    def web_is_right(self, intent: Intent) -> bool:
        return intent.wants_web == self.row.get("web", False)

    def format_is_right(self, intent: Intent) -> bool:
        if "ask" in self.row or self.row.get("action", "inquire") != "inquire":
            return True
        return intent.format == self.row.get("format", "generalist")


@pytest.fixture(scope="session")
def utterances() -> list[Utterance]:
    rows: Any = parse_yaml(TABLE.read_text(encoding="utf-8"))
    return [Utterance(row) for row in rows]


@pytest.fixture
def rules() -> IntentClassifier:
    return IntentClassifier(Prompts(), in_2026)
