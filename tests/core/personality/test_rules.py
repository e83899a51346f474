"""Tests which parts of a personality apply without a model."""

from __future__ import annotations

from core.personality.parsing import parse
from core.personality.rules import Rules, rules_of

TEXT = """
identity:
  name: Ada
communication:
  verbosity: concise
response_behavior:
  citation_style: conversational
  clarification: make_assumptions
memory_usage:
  historical_context: current_only
formatting:
  structure: bullets
"""


def test_rules_follow_the_fields() -> None:
    personality = parse(TEXT).personality
    assert personality is not None
    assert rules_of(personality) == Rules(
        length="concise", structure="bullets", citations="conversational", assumes=True, current_only=True
    )


def test_what_is_not_given_has_its_usual_value() -> None:
    personality = parse("identity:\n  name: Ada\ncommunication: {}\n").personality
    assert personality is not None
    assert rules_of(personality) == Rules()
