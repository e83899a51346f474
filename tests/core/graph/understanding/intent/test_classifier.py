from __future__ import annotations

from collections.abc import Sequence

import pytest
from langchain_core.messages import BaseMessage

from core.errors import fail
from core.graph.records import IntentRequest, Message
from core.graph.understanding.intent.classifier import IntentClassifier
from core.models.meter import Usage
from core.models.structured import Written
from core.prompts.templates import Prompts

PAST = tuple(Message(role="user", text=f"question {number}") for number in range(8))


class Scripted:
    """Returns the given answer and records the prompts."""

    def __init__(self, *answers: str | Exception) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.asked.append("\n".join(str(each.content) for each in messages))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return Written(answer, Usage(10, 5))


def classifier(*answers: str | Exception) -> tuple[IntentClassifier, Scripted]:
    model = Scripted(*answers)
    return IntentClassifier(Prompts(), lambda: 0.0, model), model


def said(actions: str, confidence: str = "high", several: str = "false", web: str = "false") -> str:
    return f'{{"actions": [{actions}], "confidence": "{confidence}", "several": {several}, "web": {web}}}'


async def test_a_sure_model_is_asked_once_about_the_last_message() -> None:
    agent, model = classifier(said('"compare"'))
    found = await agent.classify(IntentRequest(text="the two leases, next to each other", past=PAST))
    assert (found.intent.action, found.intent.how, found.intent.confidence) == ("compare", "model", "high")
    assert len(model.asked) == 1
    assert "question 7" not in model.asked[0]


async def test_an_unsure_model_reads_the_last_five_messages() -> None:
    agent, model = classifier(said('"inquire"', "low"), said('"summarize"', "high"))
    found = await agent.classify(IntentRequest(text="and that one", past=PAST))
    assert found.intent.action == "summarize"
    assert not found.intent.asks
    assert "question 3" in model.asked[1]
    assert "question 2" not in model.asked[1]


async def test_still_unsure_offers_the_two_likeliest() -> None:
    agent, _ = classifier(said('"audit", "summarize"', "low"), said('"audit", "summarize"', "low"))
    intent = (await agent.classify(IntentRequest(text="look at this", past=PAST))).intent
    assert intent.alternatives == ("audit", "summarize")
    assert not intent.several


async def test_one_unsure_action_gets_a_second() -> None:
    agent, _ = classifier(said('"compare"', "low"))
    assert len((await agent.classify(IntentRequest(text="the leases please"))).intent.alternatives) == 2


async def test_several_actions_are_all_offered() -> None:
    agent, _ = classifier(said('"summarize", "audit"', several="true"))
    intent = (await agent.classify(IntentRequest(text="do both"))).intent
    assert intent.alternatives == ("summarize", "audit")
    assert intent.several


UNCLEAR = "the lease, in plain words"


@pytest.mark.parametrize("text", ["Summarize the lease", "What was revenue in 2023?", "סכם את החוזה"])
async def test_what_rules_are_sure_of_costs_nothing(text: str) -> None:
    agent, model = classifier()
    assert (await agent.classify(IntentRequest(text=text))).intent.how == "rule"
    assert model.asked == []


async def test_malformed_twice_falls_back_to_rules() -> None:
    agent, model = classifier("no", "neither")
    intent = (await agent.classify(IntentRequest(text=UNCLEAR))).intent
    assert (intent.action, intent.how) == ("inquire", "rule")
    assert len(model.asked) == 2


async def test_a_failing_model_falls_back_to_rules() -> None:
    error = fail("server", "errors.server")
    agent, _ = classifier(error)
    assert (await agent.classify(IntentRequest(text=UNCLEAR))).intent.how == "rule"


async def test_a_model_that_fails_on_the_second_pass_is_believed_the_first_time() -> None:
    error = fail("server", "errors.server")
    agent, _ = classifier(said('"audit"', "medium"), error)
    intent = (await agent.classify(IntentRequest(text="how about it", past=PAST))).intent
    assert (intent.action, intent.how) == ("audit", "model")


async def test_a_summary_about_something_stays_a_question() -> None:
    agent, _ = classifier(said('"summarize"'))
    intent = (await agent.classify(IntentRequest(text="Summarize what the policy says about hotels"))).intent
    assert (intent.action, intent.format) == ("inquire", "summary")


@pytest.mark.parametrize("text", ["/summarize the lease", "add goal: be brief", "@audit this"])
async def test_tags_and_commands_cost_nothing(text: str) -> None:
    agent, model = classifier()
    await agent.classify(IntentRequest(text=text))
    assert model.asked == []


async def test_a_tag_is_explicit_and_two_different_ones_ask() -> None:
    agent, _ = classifier()
    one = (await agent.classify(IntentRequest(text="the lease", tagged="summarize"))).intent
    assert one.explicit
    assert not one.asks
    two = (await agent.classify(IntentRequest(text="@audit the lease", tagged="summarize"))).intent
    assert set(two.alternatives) == {"audit", "summarize"}


async def test_any_of_three_wishes_for_the_web_but_never_about_a_picture() -> None:
    by_model = said('"inquire"', web="true")
    agent, _ = classifier(by_model, by_model, said('"inquire"'), by_model)
    assert (await agent.classify(IntentRequest(text="is it still enforced?"))).intent.web == "model"
    assert (await agent.classify(IntentRequest(text="the latest rules"))).intent.web == "temporal"
    assert (await agent.classify(IntentRequest(text="hotel limit?", web=True))).intent.web == "flag"
    assert (await agent.classify(IntentRequest(text="the latest reading", web=True, image=True))).intent.web is None


async def test_a_book_quote_is_noticed(rules: IntentClassifier) -> None:
    assert (
        await rules.classify(IntentRequest(text="find a quote about trust from the book on negotiation"))
    ).intent.books
    assert (await rules.classify(IntentRequest(text="מצא ציטוט על אמון מהספר"))).intent.books
    assert not (await rules.classify(IntentRequest(text="what does the book say"))).intent.books


@pytest.mark.parametrize("text", ["", "   ", "???", "Quel est le plafond ?", "@", "/", "1.", ";;;", "¤"])
async def test_anything_at_all_is_understood_as_something(text: str, rules: IntentClassifier) -> None:
    assert (await rules.classify(IntentRequest(text=text))).intent.action in ("inquire", "summarize")
