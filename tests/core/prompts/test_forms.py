"""Checks that a prompt mentions all that the form of its answer demands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from langchain_core.messages import BaseMessage
from pydantic import BaseModel

from core.events import Passage, Source
from core.graph.profile_extraction import extract_profile
from core.graph.records import IntentRequest
from core.graph.understanding.documents.records import Reference, VisibleDocument
from core.graph.understanding.documents.resolver import DocumentResolver
from core.graph.understanding.intent.classifier import IntentClassifier
from core.models.answer_forms import form_of
from core.models.structured import Written
from core.prompts.templates import Prompts
from core.review.actions.follow_up_questions import followups
from core.review.support import SupportCheck

PROMPTS = Prompts()
PASSAGE = Passage(item_id="m1", text="Work on the roof was completed.")
SOURCE = Source(number=1, document_id="d", title="Note", filename="note.md", score=1, passages=[PASSAGE])
LEASE = VisibleDocument("lease", "Mill lease", "lease.md")


@dataclass
class Forming:
    """A model that records the forms that it is asked for, and its prompts."""

    forms: list[type[BaseModel]] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)

    def in_form(self, schema: type[BaseModel]) -> Forming:
        self.forms.append(schema)
        return self

    async def write(self, messages: Sequence[BaseMessage]) -> Written:
        self.prompts.append("\n".join(each.text for each in messages))
        return Written("nothing")


async def intent(model: Forming, manifold: bool) -> None:
    asked = IntentRequest(text="Tell of the mill", manifold=manifold)
    await IntentClassifier(PROMPTS, lambda: 0, model).classify(asked)


async def documents(model: Forming, reformulate: bool) -> None:
    asked = Reference("And how long is it?", "inquire", (LEASE,), registry={"Mill lease": "lease"})
    await DocumentResolver(PROMPTS, model).resolve(Reference(**{**asked.__dict__, "reformulate": reformulate}))


async def suggestions(model: Forming, _: bool) -> None:
    await followups(PROMPTS, model, ["Why?"], "Because [1].", [SOURCE], "en")


async def profile(model: Forming, _: bool) -> None:
    await extract_profile(PROMPTS, model, "My name is Ada and I work in procurement.", "en")


async def support(model: Forming, _: bool) -> None:
    await SupportCheck(PROMPTS, model).check("The roof is new and red [1].", [SOURCE])


@pytest.mark.parametrize("more", [False, True])
@pytest.mark.parametrize("ask", [intent, documents, suggestions, profile, support])
async def test_a_prompt_mentions_the_fields_of_its_form(ask, more: bool) -> None:  # type: ignore[no-untyped-def]
    model = Forming()
    await ask(model, more)
    form = form_of(model.forms[0])
    assert form is not None
    assert [name for name in form.schema["properties"] if f'"{name}"' not in model.prompts[0]] == []  # type: ignore[union-attr]
    assert "description" not in form.schema
