"""What a key must be allowed to do for an action: *its endpoint, or its tool* → a scope.

What is in neither list changes what is its owner's, so that an action that is added and forgotten here takes more and
not less. A key that may do nothing but look can be given to a program that nobody trusts much.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.accounts.records import KeyScope

if TYPE_CHECKING:
    from pages.actions import Action

READ = frozenset(
    [
        "answer_concepts",
        "answer_outcomes",
        "bank_stats",
        "bank_versions",
        "book_counts",
        "book_findings",
        "concept",
        "concept_neighbours",
        "concept_path",
        "conversation_memory",
        "explore_concept",
        "export_conversation",
        "export_graph",
        "find_path",
        "get_action_effectiveness",
        "get_cold_start_context",
        "get_context_insights",
        "get_document",
        "get_facts_for_entities",
        "get_figures",
        "get_memory_meta",
        "get_personality",
        "get_preferences",
        "get_settings",
        "get_system",
        "get_tier_recommendations",
        "get_user_context",
        "knowledge_graph",
        "knowledge_history",
        "list_attachments",
        "list_audit",
        "open_data",
        "search_open_data",
        "list_bank",
        "list_books",
        "list_conversations",
        "list_documents",
        "list_errors",
        "list_goals",
        "list_limits",
        "list_offers",
        "list_personalities",
        "list_sets",
        "list_tables",
        "list_tier",
        "list_tools",
        "list_unseen_failures",
        "list_values",
        "memory_history",
        "memory_stats",
        "preview_personality",
        "read_passage",
        "read_table",
        "retrieve_data",
        "retrieve_from_books",
        "search",
        "search_document",
        "search_memory",
        "health",
        "assistant",
        "attachments",
        "mentionable",
        "evidence",
        "preview",
        "starters",
        "known",
        "open_conversation",
        "document_detail",
        "find_text",
        "find_concept",
        "find_names",
        "neighbours",
        "path",
        "charts",
        "answer_graph",
        "memory_state",
        "list_aims",
    ]
)
ASK = frozenset(["answer_now", "ask", "audit", "cancel_run", "compare", "resume_run", "resume", "stop", "summarize"])


def needed_scope(action: Action) -> KeyScope:
    """By the name under which clients know it, else by its own."""
    if action.doors.who.startswith("administrator"):
        return "administer"
    if action.doors.tool and action.doors.tool.reads:
        return "read"
    if action.called in READ:
        return "read"
    return "ask" if action.called in ASK else "write"
