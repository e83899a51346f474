"""Decides for a tool and a user whether a call is allowed, needs the user's consent, or is refused.

The built-in tools read without asking. Their writing calls need consent, because the calling model may follow
instructions in a document that it has read; with the user's consent they also run in production. For an external
server, reading needs consent once, and again when its tool descriptions have changed. A call that may write, delete or
spend needs consent each time, unless the user has decided for the conversation or permanently. An effect that a tool's
description does not rule out is assumed.
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
    """A user's decisions so far that apply to calls in one conversation."""

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
"""No decisions; used for calls of built-in tools that only read."""


def may_need_consent(entry: RegisteredTool) -> bool:
    """Whether calls of this tool may depend on a user's decisions."""
    return not entry.own or not entry.definition.effects.reads_only


class ConsentStore:
    """Stores users' decisions in the record store."""

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
        """Whether tools are allowed to change data at all."""
        return self._settings.profile != "production"

    async def of(self, caller: Caller) -> Consents:
        """The caller's decisions."""
        agreements = await self.all(caller.user_id)
        return Consents(agreements, caller.conversation_id or "", self.acting)

    async def all(self, user_id: str) -> list[Agreement]:
        """A user's decisions, the latest last."""
        rows = await self._of(user_id).find(sort=[("decided_at", 1)])
        return [Agreement.model_validate({**row, "id": row["_id"]}) for row in rows]

    async def decide(self, caller: Caller, wanted: WantedConsent, decision: Decision) -> None:
        """Store a decision. *once* is not stored. A later decision on the same tool replaces an earlier one."""
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
        """Delete a decision, so that the user is asked again. Does nothing if this user has no such decision."""
        await self._of(user_id).delete({"_id": agreement_id})

    async def forget_conversation(self, user_id: str, conversation_id: str) -> None:
        """Delete the decisions made in a conversation."""
        await self._of(user_id).delete({"conversation_id": conversation_id})

    def _of(self, user_id: str) -> Collection:
        return ScopedTruth(self._truth, user_id).collection(COLLECTION)
