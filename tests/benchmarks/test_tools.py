"""Tests benchmark B4, which measures tool use: it notices known mistakes, and its checks can reject an answer."""

from __future__ import annotations

import random

from benchmarks.tool_calls.asked import Utterance, chosen, means, ours
from benchmarks.tool_calls.deformed import Deformed, deformed, right_arguments
from benchmarks.tools import repaired
from core.tools.definition_files import our_definitions


def test_the_same_seed_makes_the_same_mistakes_and_each_is_told() -> None:
    definition = our_definitions()["tavily_search"]
    made = [deformed(definition, right_arguments(definition, dice), dice, 2) for dice in map(random.Random, range(50))]
    again = [deformed(definition, right_arguments(definition, dice), dice, 2) for dice in map(random.Random, range(50))]
    assert made == again
    assert all(each.how and (each.sent != each.expected) for each in made)
    assert len({how for each in made for how in each.how}) >= 8


def test_what_is_not_what_was_meant_is_not_repaired() -> None:
    definition = our_definitions()["datagov_search"]
    assert repaired(definition, Deformed({"query": "x", "limit": 5}, {"q": "x"}))
    assert not repaired(definition, Deformed({"query": "x", "limit": 6}, {"q": "x"}))
    assert not repaired(definition, Deformed({"query": "x", "limit": 5}, {"q": "x"}, aside=["lost"]))
    assert not repaired(definition, Deformed({"query": "x"}, {"limit": 5}))


def test_a_wrong_tool_is_wrong() -> None:
    utterance = Utterance(text="Search the web for rates", lang="en", tool="search", half="seen")
    assert means(utterance, chosen(ours(), utterance.text))
    assert not means(utterance, "fetch")
    assert chosen(ours(), "Who signed the lease?") == "none"
