"""Tests that every schema field has its sentence, and that the user is never confused with the assistant."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from core.personality.parsing import parse
from core.personality.personalities import BUILT_IN, PRESETS
from core.personality.prompt import USER_IS_ANOTHER, prompt_of
from core.personality.schema import Communication, Formatting, Identity, Personality

ADA = Personality(identity=Identity(name="Ada"), communication=Communication())


def other_values(model: type[BaseModel], field: str) -> list[object]:
    annotation = model.model_fields[field].annotation
    usual = model.model_fields[field].default
    if annotation is bool:
        return [not usual]
    if choices := get_args(annotation):
        return [choice for choice in choices if choice != usual] if isinstance(usual, str) else [["one", "two"]]
    return ["something else"]


def every_change() -> Iterator[tuple[str, object, Personality]]:
    for section, info in Personality.model_fields.items():
        part = getattr(ADA, section)
        if not isinstance(part, BaseModel):
            for value in other_values(Personality, section):
                yield section, value, ADA.model_copy(update={section: value})
            continue
        model = info.annotation
        assert model is not None
        for field in model.model_fields:
            for value in other_values(model, field):
                changed = part.model_copy(update={field: value})
                yield f"{section}.{field}", value, ADA.model_copy(update={section: changed})


CHANGES = list(every_change())


@pytest.mark.parametrize(("field", "value", "personality"), CHANGES, ids=[f"{each[0]}={each[1]}" for each in CHANGES])
def test_a_changed_field_changes_the_prompt(field: str, value: object, personality: Personality) -> None:
    assert prompt_of(personality) != prompt_of(ADA)


def test_different_personalities_never_share_a_prompt() -> None:
    assert len({prompt_of(personality) for _, _, personality in CHANGES}) == len(CHANGES)


def test_the_only_way_to_write_code_has_its_sentence() -> None:
    assert get_args(Formatting.model_fields["code_blocks"].annotation) == ("separate",)
    assert "Put code into separate code blocks." in prompt_of(ADA)


@given(st.text(max_size=100), st.text(max_size=20))
def test_the_user_is_always_another_person(instructions: str, name: str) -> None:
    identity = Identity.model_construct(name=name)
    said = prompt_of(ADA.model_copy(update={"identity": identity, "custom_instructions": instructions}))
    assert USER_IS_ANOTHER in said.split("\n\n")


@pytest.mark.parametrize("preset", sorted(path.stem for path in PRESETS.glob("*.yaml")))
def test_presets_speak_as_they_say(preset: str) -> None:
    personality = parse((PRESETS / f"{preset}.yaml").read_text(encoding="utf-8")).personality
    assert personality is not None
    said = prompt_of(personality)
    assert said.startswith("You are Palimpsest, ")
    assert USER_IS_ANOTHER in said
    assert personality.custom_instructions.strip() in said
    assert prompt_of(BUILT_IN) != said


def test_own_instructions_stand_before_the_style() -> None:
    said = prompt_of(ADA.model_copy(update={"custom_instructions": "ענה תמיד בעברית.\n"}))
    assert said.index("ענה תמיד בעברית.") < said.index("Keep a professional tone.")
