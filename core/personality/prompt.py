"""Renders a personality as the first layer of the prompt."""

from __future__ import annotations

from core.personality.schema import Communication, Formatting, MemoryUsage, Personality, ResponseBehavior

USER_IS_ANOTHER = (
    "The user is a different person from you. When they speak of their name, their preferences or what they said, "
    "they mean their own, which is in the memory, and never yours."
)
"""Always included: without it a model takes the user's name for its own."""

_TONE = {
    "warm": "Speak warmly.",
    "professional": "Keep a professional tone.",
    "direct": "Be direct and come to the point.",
    "enthusiastic": "Let your enthusiasm for the subject show.",
}
_VERBOSITY = {
    "concise": "Keep answers short.",
    "balanced": "Make answers as long as the question needs.",
    "detailed": "Answer in detail.",
}
_FORMALITY = {
    "casual": "Write casually.",
    "professional": "Write as one does at work.",
    "formal": "Write formally.",
}
_CITATIONS = {
    "always_cite": "Cite the source of every claim.",
    "cite_patterns": "Cite the sources of claims, and name the remembered pattern where an answer follows one.",
    "conversational": "Cite sources within the flow of the text.",
}
_CLARIFICATION = {
    "ask_questions": "Ask back when a question is unclear.",
    "make_assumptions": "When a question is unclear, state the assumption you make and go on.",
}
_PRIORITIZE = {
    "accuracy": "Rather be right than quick.",
    "speed": "Rather be quick than exhaustive.",
}
_MEMORY = {
    "when_relevant": "Refer to what is remembered where it bears on the question.",
    "always_reference": "Refer to what is remembered in every answer that it touches.",
}
_TRUST = {
    "balanced": "Weigh proven patterns with the other evidence.",
    "heavily_favor": "Prefer proven patterns over untried ways.",
}
_HISTORY = {
    "reference_past": "Connect the answer with earlier conversations where that helps.",
    "current_only": "Speak of the present conversation alone.",
}
_STRUCTURE = {
    "mixed": "Mix prose, lists and tables as the content asks.",
    "bullets": "Prefer bullet points.",
}
_EMPHASIS = {
    "markdown": "Use Markdown for emphasis.",
    "plain": "Use plain text without Markdown emphasis.",
}


def prompt_of(personality: Personality) -> str:
    """The personality as sentences, one per field, with the user's own instructions among the first."""
    parts = [
        _identity(personality),
        USER_IS_ANOTHER,
        personality.custom_instructions.strip(),
        _style(personality.communication),
        _behaviour(personality.response_behavior),
        _memory(personality.memory_usage),
        _formatting(personality.formatting),
        f"Traits: {', '.join(personality.personality_traits)}." if personality.personality_traits else "",
    ]
    return "\n\n".join(part for part in parts if part)


def _identity(personality: Personality) -> str:
    identity = personality.identity
    lines = [f"You are {identity.name}, {identity.role}." if identity.role else f"You are {identity.name}."]
    if identity.expertise:
        lines.append(f"Expertise: {', '.join(identity.expertise)}.")
    if identity.background.strip():
        lines.append(identity.background.strip())
    return "\n".join(lines)


def _style(style: Communication) -> str:
    lines = [_TONE[style.tone], _VERBOSITY[style.verbosity], _FORMALITY[style.formality]]
    lines.append("Use analogies." if style.use_analogies else "Do without analogies.")
    lines.append("Give examples." if style.use_examples else "Give examples only when asked for.")
    lines.append("Light humour is welcome." if style.use_humor else "Keep humour out of it.")
    return " ".join(lines)


def _behaviour(behaviour: ResponseBehavior) -> str:
    lines = [
        _CITATIONS[behaviour.citation_style],
        _CLARIFICATION[behaviour.clarification],
        _PRIORITIZE[behaviour.prioritize],
    ]
    if behaviour.show_reasoning:
        lines.append("Show your reasoning between <think> and </think> where it helps.")
    if behaviour.step_by_step:
        lines.append("Explain step by step.")
    return " ".join(lines)


def _memory(usage: MemoryUsage) -> str:
    return " ".join([_MEMORY[usage.priority], _TRUST[usage.pattern_trust], _HISTORY[usage.historical_context]])


def _formatting(formatting: Formatting) -> str:
    return " ".join(
        [_STRUCTURE[formatting.structure], "Put code into blocks of its own.", _EMPHASIS[formatting.emphasis]]
    )
