"""Renders a personality as the first layer of the prompt."""

from __future__ import annotations

from core.personality.schema import Communication, Formatting, MemoryUsage, Personality, ResponseBehavior

USER_IS_ANOTHER = (
    "The user is a different person from you. If they mention their name, their preferences or something they said, "
    "they mean their own, which are in the memory, and never yours."
)
"""Always included, because otherwise a model may use the user's name as its own."""

_TONE = {
    "warm": "Speak warmly.",
    "professional": "Keep a professional tone.",
    "direct": "Be direct and get to the point.",
    "enthusiastic": "Let your enthusiasm for the subject show.",
}
_VERBOSITY = {
    "concise": "Keep answers short.",
    "balanced": "Make answers as long as the question needs.",
    "detailed": "Answer in detail.",
}
_FORMALITY = {
    "casual": "Write casually.",
    "professional": "Write in a businesslike style.",
    "formal": "Write formally.",
}
_CITATIONS = {
    "always_cite": "Cite the source of every claim.",
    "cite_patterns": "Cite the sources of claims, and name the remembered pattern if an answer follows one.",
    "conversational": "Cite sources within the flow of the text.",
}
_CLARIFICATION = {
    "ask_questions": "If a question is unclear, ask the user.",
    "make_assumptions": "If a question is unclear, state your assumption and continue.",
}
_PRIORITIZE = {
    "accuracy": "Accuracy matters more than speed.",
    "speed": "Speed matters more than completeness.",
}
_MEMORY = {
    "when_relevant": "Refer to memories if they are relevant to the question.",
    "always_reference": "Refer to memories in every answer that is related to them.",
}
_TRUST = {
    "balanced": "Treat proven patterns like other evidence.",
    "heavily_favor": "Prefer proven patterns over untried methods.",
}
_HISTORY = {
    "reference_past": "Connect the answer with earlier conversations if that helps.",
    "current_only": "Refer only to the current conversation.",
}
_STRUCTURE = {
    "mixed": "Mix prose, lists and tables to suit the content.",
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
    lines.append("Use analogies." if style.use_analogies else "Do not use analogies.")
    lines.append("Give examples." if style.use_examples else "Give examples only if the user asks for them.")
    lines.append("Light humour is welcome." if style.use_humor else "Do not use humour.")
    return " ".join(lines)


def _behaviour(behaviour: ResponseBehavior) -> str:
    lines = [
        _CITATIONS[behaviour.citation_style],
        _CLARIFICATION[behaviour.clarification],
        _PRIORITIZE[behaviour.prioritize],
    ]
    if behaviour.show_reasoning:
        lines.append("Show your reasoning between <think> and </think> if it helps.")
    if behaviour.step_by_step:
        lines.append("Explain step by step.")
    return " ".join(lines)


def _memory(usage: MemoryUsage) -> str:
    return " ".join([_MEMORY[usage.priority], _TRUST[usage.pattern_trust], _HISTORY[usage.historical_context]])


def _formatting(formatting: Formatting) -> str:
    return " ".join(
        [_STRUCTURE[formatting.structure], "Put code into separate code blocks.", _EMPHASIS[formatting.emphasis]]
    )
