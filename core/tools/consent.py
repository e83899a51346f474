"""Asking before acting: *a tool, who asks* → go, ask the person first, or leave it.

The workbench's own tools read without asking. A call of theirs that writes is asked about, because the model that makes
it may obey a document that it has read; with a person's word it goes on in production too. Of a server of others,
reading is agreed to once, and anew when what it says of its tools has changed; a call that may write, delete or spend
is asked about each time, unless the person has decided for the conversation or for good. What is not known of a tool
counts as done.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from core.clock import Clock
from core.ids import NewId
from core.settings import Settings
from core.store.scope import ScopedTruth
from core.store.truth import Collection, Sorted, Truth
from core.tools.records import Agreement, Decision, Scope, WantedConsent
from core.tools.registry import RegisteredTool, ToolRegistry
from core.tools.tool import Caller

COLLECTION = "tool_agreements"

Verdict = Literal["go", "ask", "never", "no_acting"]


@dataclass(frozen=True)
class Consents:
    """What one person has decided so far, for calls of one conversation."""

    agreements: list[Agreement]
    conversation_id: str
    acting: bool

    def verdict(self, entry: RegisteredTool, digest: str) -> Verdict:
        if entry.own:
            return "go" if entry.definition.effects.reads_only else self._decided("tool", entry, digest)
        if entry.definition.effects.harmless:
            return self._decided("server", entry, digest)
        return self._decided("tool", entry, digest) if self.acting else "no_acting"

    def _decided(self, scope: Scope, entry: RegisteredTool, digest: str) -> Verdict:
        about = [each for each in self.agreements if each.server == entry.server and each.scope == scope]
        if scope == "tool":
            about = [each for each in about if each.tool == entry.definition.name]
        if any(each.decision == "never" for each in about):
            return "never"
        here = [each for each in about if each.digest == digest and self._holds_here(each)]
        return "go" if here else "ask"

    def _holds_here(self, agreement: Agreement) -> bool:
        return agreement.decision == "always" or agreement.conversation_id == self.conversation_id != ""


NOBODY_ASKED = Consents([], "", acting=False)
"""For calls of the workbench's own tools that read."""


def may_need_consent(entry: RegisteredTool) -> bool:
    """Whether what a person has decided matters for calls of this tool."""
    return not entry.own or not entry.definition.effects.reads_only


class ConsentStore:
    """Decisions of people, kept in the truth."""

    def __init__(
        self, truth: Truth, registry: ToolRegistry, settings: Settings, clock: Clock, identifiers: NewId
    ) -> None:
        self._truth = truth
        self._registry = registry
        self._settings = settings
        self._clock = clock
        self._new_id = identifiers

    async def ensure(self) -> None:
        await self._truth.collection(COLLECTION).ensure(sort=[Sorted(("user_id", "server"))])

    @property
    def acting(self) -> bool:
        """Whether tools may change anything at all."""
        return self._settings.profile != "production"

    async def of(self, caller: Caller) -> Consents:
        """What the caller has decided."""
        agreements = await self.all(caller.user_id)
        return Consents(agreements, caller.conversation_id or "", self.acting)

    async def all(self, user_id: str) -> list[Agreement]:
        """The latest last."""
        rows = await self._of(user_id).find(sort=[("decided_at", 1)])
        return [Agreement.model_validate({**row, "id": row["_id"]}) for row in rows]

    async def decide(self, caller: Caller, wanted: WantedConsent, decision: Decision) -> None:
        """Remember a decision; *once* needs no memory. A later one about the same takes the place of the earlier."""
        if decision == "once" or (decision == "conversation" and not caller.conversation_id):
            return
        conversation = caller.conversation_id or "" if decision == "conversation" else ""
        tool = wanted.tool if wanted.scope == "tool" else ""
        collection = self._of(caller.user_id)
        await collection.delete(
            {"scope": wanted.scope, "server": wanted.server, "tool": tool, "conversation_id": conversation}
        )
        agreement = Agreement(
            id=self._new_id("agreed"),
            scope=wanted.scope,
            server=wanted.server,
            tool=tool,
            conversation_id=conversation,
            decision=decision,
            digest=self._registry.digest(wanted.server),
            decided_at=self._clock(),
        )
        row = agreement.model_dump(exclude={"id"})
        await collection.upsert({"_id": agreement.id, **row})

    async def forget(self, user_id: str, agreement_id: str) -> None:
        """The person is asked again. Nothing happens where there is no such decision of theirs."""
        await self._of(user_id).delete({"_id": agreement_id})

    async def forget_conversation(self, user_id: str, conversation_id: str) -> None:
        """What was agreed to in a conversation goes with it."""
        await self._of(user_id).delete({"conversation_id": conversation_id})

    def _of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(COLLECTION)
