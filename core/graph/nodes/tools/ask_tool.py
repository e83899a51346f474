"""Asks before a tool is used that may change something, or that reads with a server of others for the first time."""

from __future__ import annotations

from core.graph.interrupts import ask
from core.graph.services import Services
from core.graph.state import State
from core.graph.tools.calling import caller_of
from core.graph.tools.consent_question import decision_of, question_of
from core.tools.records import WantedConsent


async def ask_tool(services: Services, state: State) -> State:
    """About the first call that waits; the others wait for their turn. No personality takes this for granted."""
    consultation = state["consultation"]
    assert consultation is not None
    wanted, *others = consultation.wants
    reply = ask(question_of(wanted, state["language"]))
    if reply is None:
        return {"cancelled": True}
    decision = decision_of(reply)
    await services.tools.decide(caller_of(state), wanted, decision)
    about = [wanted, *(each for each in others if _is_settled_too(wanted, each))]
    ids = tuple(each.call_id for each in about)
    agreed = decision != "never"
    update = {
        "agreed": (*consultation.agreed, *(ids if agreed else ())),
        "declined": (*consultation.declined, *(() if agreed else ids)),
        "wants": tuple(each for each in others if each not in about),
    }
    return {"consultation": consultation.model_copy(update=update)}


def _is_settled_too(wanted: WantedConsent, other: WantedConsent) -> bool:
    """Reading with a server is asked about once, however many calls wait for it."""
    return wanted.scope == other.scope == "server" and wanted.server == other.server
