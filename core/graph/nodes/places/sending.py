"""Decides where the answer to a message comes from, when rules alone do not (docs/specification.md, "Routes")."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from core.events import Action
from core.graph.memory.recollection.wording import asks_of_library, is_personal, speaks_of_talk
from core.graph.records import Command, CommandKind, Intent
from core.graph.services import Services
from core.graph.state import State
from core.graph.tools.one_text import tools_of_others
from core.graph.understanding.destinations.circumstances import Circumstances
from core.graph.understanding.destinations.decision import OF_DOCUMENTS, destination_by_kinds
from core.graph.understanding.destinations.examples import Kind
from core.graph.understanding.destinations.fitting_tools import described, fitting_tool
from core.graph.understanding.destinations.holdings import Holdings, holdings_of
from core.graph.understanding.destinations.outlook import Outlook
from core.graph.understanding.destinations.weights import shipped
from core.graph.understanding.documents.query_rewriting import in_question_form
from core.graph.understanding.intent.probabilities import spoken_text
from core.graph.understanding.intent.router import command_in
from core.graph.understanding.intent.rules import clauses, read_clause
from core.graph.understanding.wording import names_document
from core.language.normalisation import fold
from core.language.terms import content_terms
from core.language.vocabulary import phrase_of
from core.question.destination import Destination, Place, Wish
from core.question.filenames import is_written_out, without_filenames

_COMMANDS: dict[Place, CommandKind] = {"remember": "remember", "correct": "remember", "forget": "forget"}
_ACTIONS: dict[Place, Action] = {
    "documents": "inquire",
    "data": "inquire",
    "series": "inquire",
    "summarize": "summarize",
    "compare": "compare",
    "audit": "audit",
}


_FURTHER: tuple[Place, ...] = (
    *("memory", "remember", "forget", "correct", "web", "tool", "open_data"),
    *("summarize", "compare", "audit"),
)
"""Places of a second wish."""
_OUTSIDE: tuple[Place, ...] = ("not_here", "web")
_DEEDS: tuple[Action, ...] = ("summarize", "compare", "audit")
_JOINED_TO = re.compile(phrase_of("graph/understanding.rules.joined_to"))
_QUOTED = re.compile(r"[\"“„«][^\"”»]*[\"”»]")
MOST_CLAUSES = 5
SETTLED = 0.45
"""Probability from which an action on documents runs without asking the user to choose one."""


@dataclass(frozen=True)
class Sent:
    """A destination with the action that it needs; ``action`` is ``None`` if the user must choose. ``command`` is the
    order to the memory, if it is one."""

    destination: Destination
    action: Action | None
    command: Command | None = None


async def sent(services: Services, state: State, intent: Intent, settled: Action | None, ruled: Destination) -> Sent:
    """Returns where a message goes. ``ruled`` is the destination by rules: a command, a tag, a tool or a web search
    that the message names, or an order on whole documents stays as it is."""
    reading = _Reading(services, state, intent, ruled.place, settled)
    main = _for_tools(
        services, intent, await _to_documents(services, state, intent, await _main(reading, settled, ruled))
    )
    if intent.explicit or state["asked"].ask.follows:
        return main
    more = await reading.further(main.destination)
    known = {each.place for each in more}
    kept = [each for each in main.destination.more if each.place not in known]
    return replace(main, destination=main.destination.model_copy(update={"more": (*kept, *more)}))


async def circumstances(
    services: Services, state: State, intent: Intent, settled: Action | None, ruled: Destination
) -> Circumstances:
    """Returns what is seen of a message besides its text."""
    return await _Reading(services, state, intent, ruled.place, settled).seen()


async def _main(reading: _Reading, settled: Action | None, ruled: Destination) -> Sent:
    intent, state, services = reading.intent, reading.state, reading.services
    action = settled or (None if intent.asks else intent.action)
    if ruled.place == "web" and intent.web == "asked" and not services.tools.searches_web:
        # A message that also names a document is searched for there.
        nowhere = ruled.wish.model_copy(update={"place": "not_here"})
        return Sent(ruled.model_copy(update={"wish": nowhere, "sure": not names_document(fold(intent.text))}), action)
    if action is None and intent.several:
        action = await reading.only_deed()
    if _is_open(state, intent, action) and (found := await reading.whole()):
        return await _without_library(services, state, _by_weights(intent, found, action, ruled))
    is_open = intent.command is None and not intent.explicit and not state["asked"].ask.follows
    if not is_open or (action != "inquire" and action is not None) or ruled.place not in _ACTIONS:
        named = ruled if action is None or ruled.sure else Destination(wish=_wish_of(action), more=ruled.more)
        return await _without_library(services, state, Sent(named, action, intent.command))
    found = await reading.whole()
    if intent.place not in (None, "documents") and not (found and found[0].sure) and not intent.several:
        found = Destination(wish=Wish(place=_reachable(intent.place, services))), 1.0
    if found is None or (intent.several and action is None):
        return Sent(ruled, action)
    return _by_weights(intent, found, action, ruled)


def _is_open(state: State, intent: Intent, action: Action | None) -> bool:
    """Returns whether the weights decide: no tag, order in a fixed form or model has, and no two orders on whole
    documents were given."""
    is_fixed = intent.command is not None and intent.how != "examples"
    deeds = [each for each in intent.alternatives if each in _DEEDS]
    is_manifold = intent.several and action is None and len(deeds) > 1
    return not (intent.explicit or intent.how == "model" or is_fixed or is_manifold or state["asked"].ask.follows)


def _by_weights(intent: Intent, found: tuple[Destination, float], action: Action | None, ruled: Destination) -> Sent:
    destination, share = found
    more = tuple(each for each in ruled.more if each.place != destination.place)
    destination = destination.model_copy(update={"more": more})
    if kind := _COMMANDS.get(destination.place):
        given = intent.command if intent.command and intent.command.kind == kind else None
        return Sent(destination, "memory", given or Command(kind=kind, text=intent.text))
    if destination.place not in _ACTIONS:
        return Sent(destination, "inquire")
    if intent.how == "model":
        return _about_documents(destination, share, action)
    asks = action is None and share < SETTLED
    return Sent(destination, None if asks else _ACTIONS[destination.place])


async def _to_documents(services: Services, state: State, intent: Intent, main: Sent) -> Sent:
    """Sends a question to the documents that is about the library, names a file of it, or speaks neither of talking nor
    of the user. If they have no answer, the conversations are searched."""
    place, text = main.destination.place, intent.text
    if place not in ("memory", "not_here") or intent.web == "asked" or speaks_of_talk(text):
        return main
    listed = await services.turn.listed(state)
    is_named = any(is_written_out(text, each.filename) for each in listed)
    is_of_documents = place == "memory" and (asks_of_library(text) or (bool(listed) and not is_personal(text)))
    if not (is_named or is_of_documents):
        return main
    return Sent(main.destination.model_copy(update={"wish": Wish(place="documents"), "sure": False}), "inquire")


def _for_tools(services: Services, intent: Intent, main: Sent) -> Sent:
    """Lets a model with tools of others answer what would be refused."""
    is_refused = main.destination.place == "not_here" and intent.web != "asked"
    if (
        not is_refused
        or not services.models.configured
        or all(each.own for each in services.tools.registry.available())
    ):
        return main
    return replace(main, destination=main.destination.model_copy(update={"sure": False}))


def _reachable(place: Place, services: Services) -> Place:
    return "not_here" if place == "web" and not services.tools.searches_web else place


def _wish_of(action: Action) -> Wish:
    return Wish(place=next((place for place, its in _ACTIONS.items() if its == action), "documents"))


def _about_documents(found: Destination, share: float, action: Action | None) -> Sent:
    """Rules that found a question overrule an action on whole documents; they settle nothing else."""
    wanted = _ACTIONS[found.place]
    if action is None:
        return Sent(found, wanted if share >= SETTLED else None)
    if wanted == action:
        return Sent(found, action)
    return Sent(Destination(more=found.more, sure=False), action)


async def _without_library(services: Services, state: State, ruled: Sent) -> Sent:
    """Sends an action on whole documents nowhere if there are none."""
    if ruled.destination.place not in OF_DOCUMENTS or ruled.action == "audit" or state["asked"].ask.document_ids:
        return ruled
    if await services.turn.listed(state):
        return ruled
    nowhere = ruled.destination.wish.model_copy(update={"place": "not_here"})
    return Sent(ruled.destination.model_copy(update={"wish": nowhere}), ruled.action)


class _Reading:
    """Reads a message and its clauses with the shipped weights."""

    def __init__(
        self,
        services: Services,
        state: State,
        intent: Intent,
        ruled: Place = "documents",
        settled: Action | None = None,
    ) -> None:
        self.services, self.state, self.intent = services, state, intent
        self.ruled, self.settled = ruled, settled
        parts = clauses(_QUOTED.sub(" ", intent.text), lambda text: command_in(_JOINED_TO.sub("", text)) is not None)
        self._clauses = [each.strip() for each in parts if content_terms(each)]

    async def whole(self) -> tuple[Destination, float] | None:
        """Returns the destination of the message, and its probability; ``None`` without embeddings."""
        kinds = await self._kinds(self.intent.text)
        if kinds is None:
            return None
        seen = await self.seen()
        found = destination_by_kinds(kinds, seen.held, seen.outlook, seen)
        return found if found[0].sure else await self._of_another_subject() or found

    async def seen(self) -> Circumstances:
        """Returns the circumstances of the message."""
        return Circumstances(
            *await self._reach(self.intent.text),
            self.intent,
            self.ruled,
            self.settled == "inquire",
            len(self._clauses),
            bool(await self.services.past_turns(self.state)),
            speaks_of_talk(self.intent.text),
            asks_of_library(self.intent.text),
        )

    async def _of_another_subject(self) -> tuple[Destination, float] | None:
        """Returns the destination, never sure, of a message that goes on in form only: "and the capital of Peru?" is
        read as "what is the capital of Peru?"."""
        question = in_question_form(self.intent.text)
        kinds = await self._kinds(question) if len(content_terms(question)) > 1 else None
        if not kinds:
            return None
        destination, share = await self._destination(question, kinds)
        return (destination.model_copy(update={"sure": False}), share) if destination.place in _OUTSIDE else None

    async def further(self, main: Destination) -> list[Wish]:
        """Returns the wishes of clauses that surely go to another place than the message."""
        if not 1 < len(self._clauses) <= MOST_CLAUSES or main.place == "audit":
            return []
        found: dict[Place, Wish] = {}
        for clause in self._clauses:
            place = await self._sure(clause)
            if place and place.place in _FURTHER and place.place != main.place:
                found.setdefault(place.place, place.wish.model_copy(update={"text": clause}))
        return list(found.values())

    async def only_deed(self) -> Action | None:
        """Returns the message's only action on whole documents, if all else in it goes to other places."""
        deeds = [each for each in self.intent.alternatives if each != "inquire"]
        questions = [each for each in self._clauses if read_clause(each).action == "inquire"]
        if len(deeds) != 1 or not questions or len(self._clauses) > MOST_CLAUSES:
            return None
        elsewhere = [await self._sure(each) for each in questions]
        return deeds[0] if all(each and each.place not in _ACTIONS for each in elsewhere) else None

    async def _sure(self, clause: str) -> Destination | None:
        kinds = await self._kinds(clause)
        if kinds is None:
            return None
        found, _ = await self._destination(clause, kinds)
        return found if found.sure else None

    async def _kinds(self, text: str) -> dict[Kind, float] | None:
        known, spoken = shipped(), spoken_text(without_filenames(text))
        vector = await self.services.estimator.vector_for(known.weights, spoken) if known else None
        return known.kinds(spoken, vector) if known and vector is not None else None

    async def _destination(self, text: str, kinds: dict[Kind, float]) -> tuple[Destination, float]:
        return destination_by_kinds(kinds, *await self._reach(text))

    async def _reach(self, text: str) -> tuple[Holdings, Outlook]:
        """Returns what the text touches of what the person has, and what can be reached."""
        state, services = self.state, self.services
        held = holdings_of(text, await services.turn.listed(state), state.get("recent_docs", []))
        name, fit = await self._tool(text)
        now = self.intent.web in ("facts", "temporal")
        return held, Outlook(web=services.tools.searches_web, tool=name, fit=fit, now=now)

    async def _tool(self, text: str) -> tuple[str, float]:
        known, estimator = shipped(), self.services.estimator
        tools = tools_of_others(self.services, text)
        if known is None or not tools:
            return "", 0.0
        spoken = spoken_text(without_filenames(text))
        texts = [spoken, *map(described, tools)]
        vectors = [await estimator.vector_for(known.weights, each) for each in texts]
        bare = [known.without_common(each) for each in vectors if each is not None]
        return fitting_tool(tools, bare[0], bare[1:], known.tools) if len(bare) == len(texts) else ("", 0.0)
