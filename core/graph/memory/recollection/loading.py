"""Loads what was said in a user's earlier conversations, and what the memory bank holds about the user."""

from __future__ import annotations

from collections.abc import Sequence

from core.graph.memory.evidence import plain
from core.graph.memory.forgetting import ForgottenFacts
from core.graph.memory.recollection.records import Exchange, Utterance, exchanges_of
from core.graph.memory.recollection.wording import speaks_of_talk
from core.memory.bank.bank import MemoryBank
from core.memory.items.records import VersionRecord
from core.runs.conversations import Conversations
from core.runs.ledger import RunLedger
from core.store.items import MemoryItem

MOST_MESSAGES = 1_000
MOST_FACTS = 200
MOST_VERSIONS = 20
"""Maximum number of facts whose earlier texts are read."""


async def load_exchanges(
    conversations: Conversations, ledger: RunLedger, user_id: str, without_run: str, forgotten: ForgottenFacts
) -> list[Exchange]:
    """Returns the newest exchanges of all conversations, in the order of time, except those that only asked about
    earlier ones and the run ``without_run``, and without what states a forgotten fact. Of a question that found
    nothing, the answer is left out."""
    messages = await conversations.said(user_id, MOST_MESSAGES)
    runs = list(dict.fromkeys(each.run_id for _, each in messages if each.run_id and each.run_id != without_run))
    answers = await ledger.answers(user_id, runs)
    unanswered = {run_id for run_id, each in answers.items() if each.kind == "nothing_found"}
    # What was ordered to be remembered is a fact of the memory bank, which may have changed since.
    recalled = {run_id for run_id, each in answers.items() if each.kind == "remembered" or each.action == "memory"}
    asking = {
        each.run_id
        for _, each in messages
        if each.role == "user" and (each.run_id in unanswered or "?" in each.text) and speaks_of_talk(each.text)
    }
    # Fixed replies ("Hello. Ask me …") say nothing on any subject; replies to what is forgotten may repeat it.
    empty = {run_id for run_id, each in answers.items() if each.kind == "told"} | {
        each.run_id for _, each in messages if each.role == "user" and forgotten.are_in(each.text, each.created_at)
    }
    texts = {run_id: plain(each.text) for run_id, each in answers.items() if run_id not in unanswered | empty}
    said = []
    for conversation, each in messages:
        if each.run_id in recalled or each.run_id in asking or each.run_id == without_run or each.run_id is None:
            continue
        text = each.text if each.role == "user" else texts.get(each.run_id, "")
        if left := forgotten.without(text.strip(), each.created_at):
            title = forgotten.without(conversation.title, conversation.created_at)
            said.append(Utterance(each.id, conversation.id, title, each.run_id, each.role, left, each.created_at))
    return exchanges_of(said)


async def load_facts(bank: MemoryBank, user_id: str) -> list[Exchange]:
    """Returns the facts of the memory bank with their earlier texts, the newest fact first."""
    facts = await bank.list(user_id, limit=MOST_FACTS)
    changed = [each for each in facts if each.versioning.current_version > 1][:MOST_VERSIONS]
    versions = {each.id: await bank.versions(user_id, each.id) for each in changed}
    return [exchange for each in facts for exchange in _with_versions(each, versions.get(each.id, []))]


def _with_versions(fact: MemoryItem, versions: Sequence[VersionRecord]) -> list[Exchange]:
    """Returns a fact and the texts that newer statements replaced, each with the time from which it was known. A text
    that the user edited was wrong and counts no more."""
    replaced = sorted(
        (each for each in versions if each.memory_id == fact.id and each.reason == "updated"),
        key=lambda each: each.archived_at,
    )
    since, found = fact.timestamps.created_at, []
    for each in replaced:
        found.append(_fact(fact, each.id, each.archived_text, since, each.archived_at))
        since = each.archived_at
    return [_fact(fact, fact.id, fact.text, since, None), *reversed(found)]


def _fact(item: MemoryItem, id: str, text: str, at: float, until: float | None) -> Exchange:
    conversation_id = item.source.conversation_id or ""
    said = Utterance(id, conversation_id, "", item.id, "user", text, at)
    return Exchange(item.id, conversation_id, "", at, (said,), "memory", until)
