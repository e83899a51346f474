"""Tests a personality's effects without a model: which sentences are quoted, how, and which defaults replace
clarifications."""

from __future__ import annotations

import pytest

from core.events import Interrupted
from tests.service.house import Answer, House
from tests.service.test_actions import TRAVEL_2024, TRAVEL_2025, said

ASKED = "What is the limit for a hotel night in Israel?"


@pytest.fixture
async def policies(house: House) -> House:
    await house.read("travel-2024.md", TRAVEL_2024)
    await house.read("travel-2025.md", TRAVEL_2025)
    return house


async def speaks(house: House, **sections: dict[str, str]) -> None:
    lines = ["identity:", "  name: Ada"]
    for name, fields in {"communication": {}, **sections}.items():
        lines += [f"{name}:", *(f"  {key}: {value}" for key, value in {"x": "y", **fields}.items())]
    template = (await house.workbench.personalities.save("ada", "Own", "\n".join(lines))).template
    await house.workbench.personalities.activate("ada", template.slug)


def asked_back(answer: Answer) -> bool:
    return any(isinstance(entry.event, Interrupted) for entry in answer.entries)


async def test_who_makes_assumptions_takes_the_newest_and_says_so(policies: House) -> None:
    await speaks(policies, response_behavior={"clarification": "make_assumptions"})
    answer = await policies.ask(ASKED)
    assert not asked_back(answer)
    assert "560" in said(answer).text
    assert "480" not in said(answer).text
    assert (
        "Assumed “Travel policy 2025”, the newest of 2 matching documents. To use another document, type @."
        in answer.notices
    )


async def test_who_makes_assumptions_takes_the_first_of_several_actions(policies: House) -> None:
    await speaks(policies, response_behavior={"clarification": "make_assumptions"})
    answer = await policies.ask("Summarize and compare the travel policies of 2024 and 2025.")
    assert not asked_back(answer)
    assert said(answer).action == "summarize"
    assert "I understood your request as: Summarize." in answer.notices
    assert answer.view.suggested is not None
    assert answer.view.suggested.actions == ["compare"]


async def test_a_name_that_stands_for_nothing_is_not_asked_about(policies: House) -> None:
    await speaks(policies, response_behavior={"clarification": "make_assumptions"})
    answer = await policies.ask('What does @"Unheard of" say about a hotel night in 2025?')
    assert not asked_back(answer)
    assert "I found no document called “Unheard of”" in answer.notices


async def test_what_cannot_be_assumed_is_still_asked(policies: House) -> None:
    await speaks(policies, response_behavior={"clarification": "make_assumptions"})
    answer = await policies.ask("Compare", action="compare")
    assert answer.pending.kind == "text_input"


async def test_by_default_it_is_asked(policies: House) -> None:
    assert (await policies.ask(ASKED)).pending.kind == "doc_choice"


async def test_length_structure_and_names_shape_the_quotations(policies: House) -> None:
    cities = ("Haifa", "Eilat", "Safed", "Jaffa", "Acre")
    lines = "\n\n".join(
        f"A hotel night in {city} is reimbursed up to {500 + n} shekels." for n, city in enumerate(cities)
    )
    await policies.read("hotels.md", f"# Hotel annex\n\n{lines}\n")
    question = "Up to how much is a hotel night reimbursed, in the hotel annex?"
    full = said(await policies.ask(question))
    await speaks(
        policies,
        communication={"verbosity": "concise"},
        response_behavior={"citation_style": "conversational"},
        formatting={"structure": "bullets"},
    )
    short = said(await policies.ask(question))
    assert len(short.quotes) < len(full.quotes)
    assert (short.manner.structure, short.manner.names_first) == ("bullets", True)
    assert "- Hotel annex: A hotel night in " in short.text
    assert "> A hotel night in " in full.text


async def test_a_summary_is_as_long_as_is_wished_for(policies: House) -> None:
    lengths = []
    for verbosity in ("concise", "balanced", "detailed"):
        await speaks(policies, communication={"verbosity": verbosity})
        lengths.append(len(said(await policies.ask('Summarize @"Travel policy 2025"')).text))
    assert lengths == sorted(lengths)
    assert lengths[0] < lengths[2]
