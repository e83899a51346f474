"""Tests that quick settings and YAML edit the same text, and that the user's other text is kept."""

from __future__ import annotations

import re
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from core.personality.parsing import parse
from core.personality.personalities import PRESETS
from core.personality.quick import FIELDS, NEED_A_MODEL, QuickSettings, quick_settings, with_quick_settings
from core.personality.rules import rules_of

WRITTEN = """\
# about my assistant
identity:   # who it is
    name: 'Ada'     # after the countess
    # she would like this
    expertise:
    - "law"   # since 2020
    - "ספרות"
# how it speaks
communication: {tone: warm, use_humor: no}  # all in one line
custom_instructions: |  # what I ask for
    Say what is missing.

    Then what to do.
# the end
"""

LAYOUTS = {
    "preset": (PRESETS / "default.yaml").read_text(encoding="utf-8"),
    "by hand": WRITTEN,
    "in braces": '{identity: {name: "Ada"}, communication: {}}',
    "sparse": "communication:\n  tone: warm\nidentity:\n  name: Ada\nmemory_usage:\n  # later\ncustom_instructions:",
    "folded": "identity:\n  name: A\n  background: >-\n    one\n    two\n  # after\ncommunication:\n  tone: warm\n...",
    "quoted lines": 'identity:\n  name: "Ada\n    L"\ncommunication:\n  tone: warm\ncustom_instructions: "a\\n b"',
    "null": "identity:\n  name: Ada\n  role: ~\ncommunication:\n  tone: warm\nmemory_usage: ~\n",
}


def settings_of(text: str) -> QuickSettings:
    draft = parse(text).draft
    assert draft is not None, parse(text).errors
    return quick_settings(draft)


def comments(text: str) -> list[str]:
    return re.findall(r"(?:^|\s)(# [^\n]*)", text)


def values_of(name: str) -> st.SearchStrategy[str | bool]:
    annotation = QuickSettings.model_fields[name].annotation
    if annotation is bool:
        return st.booleans()
    if choices := get_args(annotation):
        return st.sampled_from(choices)
    lines = st.text(st.characters(exclude_characters="#"), max_size=30)
    letters = st.text(st.sampled_from("אב a:-'\"[]{},&*!|>%@`\n\t\r0\\~"), max_size=12)
    spoken = st.one_of(lines, letters, st.sampled_from(["true", "null", "- a", "a: b", "12", "|", "...", "---"]))
    return spoken.map(lambda text: f"x{text}") if name == "name" else spoken


changes = st.sampled_from(sorted(FIELDS)).flatmap(lambda name: st.tuples(st.just(name), values_of(name)))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("value", [":0", "?a", "0?", ": a", ":", "a?b, c"])
def test_a_value_with_signs_of_yaml_reads_back(layout: str, value: str) -> None:
    assert settings_of(with_quick_settings(LAYOUTS[layout], {"background": value})).background == value


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_any_sequence_of_changes_reads_back_and_keeps_comments(layout: str, data: st.DataObject) -> None:
    text = LAYOUTS[layout]
    for name, value in data.draw(st.lists(changes, max_size=8)):
        before = settings_of(text)
        wanted = QuickSettings.model_validate({**before.model_dump(), name: value})
        text = with_quick_settings(text, {name: value})
        assert parse(text).personality is not None, (name, value, text)
        assert settings_of(text) == wanted, text
    assert comments(text) == comments(LAYOUTS[layout])


@settings(deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(set(FIELDS) - {"name"})), st.none()), st.data())
def test_many_changes_at_once_are_the_same_as_one_by_one(names: dict[str, None], data: st.DataObject) -> None:
    wanted = {name: data.draw(values_of(name)) for name in names}
    one_by_one = WRITTEN
    for name in FIELDS:
        if name in wanted:
            one_by_one = with_quick_settings(one_by_one, {name: wanted[name]})
    assert with_quick_settings(WRITTEN, wanted) == one_by_one


def test_only_the_value_itself_changes() -> None:
    assert with_quick_settings(WRITTEN, {"name": "Grace", "tone": "direct"}) == WRITTEN.replace(
        "'Ada'  ", "'Grace'"
    ).replace("{tone: warm, use_humor: no}  #", "{tone: direct, use_humor: no} #")


def test_instructions_become_several_lines_and_one_again() -> None:
    several = with_quick_settings(WRITTEN, {"custom_instructions": "Be brief.\n\nCite: always."})
    assert "custom_instructions: |-  # what I ask for\n    Be brief.\n\n    Cite: always.\n# the end\n" in several
    one = with_quick_settings(several, {"custom_instructions": "Be brief."})
    assert "custom_instructions: |-  # what I ask for\n    Be brief.\n# the end\n" in one


def test_a_setting_that_is_not_there_yet_gets_its_place() -> None:
    text = with_quick_settings(WRITTEN, {"role": "poet", "memory_references": "frequently"})
    assert "identity:   # who it is\n    role: poet\n    name: 'Ada'" in text
    assert '    - "ספרות"\n# how it speaks\n' in text
    assert text.endswith("# the end\nmemory_usage:\n    priority: always_reference\n")


def test_the_same_value_leaves_the_text_alone() -> None:
    for text in LAYOUTS.values():
        assert with_quick_settings(text, settings_of(text).model_dump()) == text


def test_a_name_can_be_emptied_and_typed_anew() -> None:
    emptied = with_quick_settings(WRITTEN, {"name": ""})
    assert [flaw.line for flaw in parse(emptied).errors] == [3]
    assert (
        with_quick_settings(emptied, {"name": "עדה", "tone": "direct"}).splitlines()[2].startswith("    name: 'עדה' ")
    )


@pytest.mark.parametrize("value", ["a # b", "# a", "# a\n#b\n  # c", "a\n# the end"])
def test_a_hash_in_a_value_is_no_comment(value: str) -> None:
    for name in ("background", "custom_instructions", "role"):
        for text in LAYOUTS.values():
            wanted = QuickSettings.model_validate({**settings_of(text).model_dump(), name: value})
            assert settings_of(with_quick_settings(text, {name: value})) == wanted


def test_what_cannot_be_read_is_left_alone() -> None:
    assert with_quick_settings("identity: [", {"name": "Ada"}) == "identity: ["


@pytest.mark.parametrize("change", [{"tone": "cold"}, {"colour": "blue"}, {"humour": "maybe"}, {"role": True}])
def test_other_values_are_refused(change: dict[str, str | bool]) -> None:
    with pytest.raises(ValidationError):
        with_quick_settings(WRITTEN, change)


@pytest.mark.parametrize("name", sorted(set(FIELDS) - {"name"}))
def test_a_setting_binds_the_rules_or_is_said_to_need_a_model(name: str) -> None:
    """If a setting has no effect without a model, the user sees a note next to it."""
    annotation = QuickSettings.model_fields[name].annotation
    values = (True, False) if annotation is bool else get_args(annotation) or ("one", "another")
    changed = [parse(with_quick_settings(WRITTEN, {name: value})).personality for value in values]
    rules = {rules_of(each) for each in changed if each is not None}
    assert (len(rules) > 1) == (name not in NEED_A_MODEL)
