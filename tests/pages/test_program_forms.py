"""Tests the form in which a program shows a plan to the user, and the reply that it sends."""

from __future__ import annotations

from mcp_types import ElicitResult

from core.records.interrupts import RUN, PlanStep
from pages.answer_given import AnswerGiven, AskedBack, Offered
from pages.mcp.questions import form_of, reply_to

STEPS = [PlanStep(id="1", text="The rent of 2023"), PlanStep(id="2", text="The rent of 2024")]
PLAN = AskedBack(
    interrupt_id="ask_1", kind="plan", question="Start?", steps=STEPS, choices=[Offered(id=RUN, label="Run")]
)


def test_the_steps_of_a_plan_are_chosen_in_a_form() -> None:
    schema = form_of(PLAN, "en").requested_schema
    assert schema["properties"]["steps"]["default"] == ["1", "2"]
    assert [each["title"] for each in schema["properties"]["steps"]["items"]["anyOf"]] == [step.text for step in STEPS]
    reply = reply_to("run_1 ask_1", ElicitResult(action="accept", content={"steps": ["2"]}))
    assert reply == {"run_id": "run_1", "interrupt_id": "ask_1", "steps": [{"id": "2"}]}


def test_a_program_without_forms_is_told_the_steps_and_how_to_run_them() -> None:
    answer = AnswerGiven(conversation_id="conv_1", run_id="run_1", message_id="msg_1", interrupt=PLAN)
    assert "2. The rent of 2024\n- Run: run" in answer.told()
