"""Asks which of several actions comes first."""

from __future__ import annotations

from core.events import Action, Choice
from core.graph.interrupts import Request, ask
from core.graph.state import Node, State
from core.graph.understanding.assumptions import assumed_action
from core.words import Words

SEVERAL = Words(
    en="I can do one of these at a time. Which comes first?",
    he="אפשר לבצע אחת מהפעולות בכל פעם. מה קודם?",
)
UNSURE = Words(en="I am not sure what you would like. Which is it?", he="לא ברור לי מה תרצו. מה הכוונה?")

ACTIONS: dict[Action, tuple[Words, Words]] = {
    "inquire": (
        Words(en="Answer the question", he="לענות על השאלה"),
        Words(en="from the passages that bear on it", he="מתוך הקטעים שנוגעים בה"),
    ),
    "summarize": (
        Words(en="Summarize", he="לסכם"),
        Words(en="whole documents, part by part", he="מסמכים שלמים, חלק אחר חלק"),
    ),
    "compare": (
        Words(en="Compare", he="להשוות"),
        Words(en="documents beside each other, in a table", he="מסמכים זה מול זה, בטבלה"),
    ),
    "audit": (
        Words(en="Audit", he="לבדוק התאמה"),
        Words(en="your text against documents, clause by clause", he="הטקסט שלכם מול מסמכים, סעיף אחר סעיף"),
    ),
    "memory": (
        Words(en="Use the memory", he="להשתמש בזיכרון"),
        Words(en="goals, values and what to remember", he="מטרות, ערכים ומה לזכור"),
    ),
}


def ask_action() -> Node:
    async def node(state: State) -> State:
        offered, language, intent = state["doubtful"], state["language"], state["intent"]
        several = intent is not None and intent.several
        if state["rules"].assumes:
            likeliest = assumed_action(offered[0], ACTIONS[offered[0]][0])
            return {"action": likeliest, "doubtful": [], "later": list(offered[1:]) if several else []}
        reply = ask(
            Request(
                kind="action_choice",
                question=(SEVERAL if several else UNSURE).to(language),
                choices=[
                    Choice(id=each, label=ACTIONS[each][0].to(language), hint=ACTIONS[each][1].to(language))
                    for each in offered
                ],
            )
        )
        if reply is None:
            return {"cancelled": True}
        chosen = next(each for each in offered if each == reply.choice_ids[0])
        later = [each for each in offered if each != chosen] if several else []
        return {"action": chosen, "doubtful": [], "later": later}

    return node
