from __future__ import annotations

from pathlib import Path

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, HumanMessage

from core.errors import PalimpsestError
from core.language.tokens import count_tokens
from core.models.chat import ChatModels, StreamedPiece
from core.models.prices import cost, price_table
from core.models.stream import _contents, stream_answer
from core.resilience.dependencies import Deadline
from core.settings import Settings

KEY = "sk-very-secret"


def models(**given: object) -> ChatModels:
    return ChatModels(Settings(_env_file=None, **given))  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "MISTRAL_API_KEY", "COHERE_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def test_without_settings_there_is_no_model() -> None:
    none = models()
    assert not none.configured
    assert none.available() == []
    with pytest.raises(PalimpsestError) as caught:
        none.resolve(None)
    assert "Settings" in caught.value.problem.remedy.en


def test_the_default_comes_first_and_nothing_twice() -> None:
    chosen = models(model="openai:gpt-4.1", models=["anthropic:claude-sonnet-4-5", "openai:gpt-4.1"])
    assert [(choice.id, choice.label) for choice in chosen.available()] == [
        ("openai:gpt-4.1", "gpt-4.1 (OpenAI)"),
        ("anthropic:claude-sonnet-4-5", "claude-sonnet-4-5 (Anthropic)"),
    ]
    assert chosen.resolve(None) == "openai:gpt-4.1"


def test_a_purpose_may_have_a_model_of_its_own() -> None:
    chosen = models(
        model="openai:gpt-4.1",
        models=["openai:gpt-5"],
        model_small="openai:gpt-4.1-mini",
        models_by_purpose={"titles": "mistral:mistral-small-latest"},
    )
    served = {purpose: chosen.of("openai:gpt-5", purpose) for purpose in ("inquire", "audit", "intent", "titles")}
    assert served == {
        "inquire": "openai:gpt-5",
        "audit": "openai:gpt-5",
        "intent": "openai:gpt-4.1-mini",
        "titles": "mistralai:mistral-small-latest",
    }
    assert [choice.id for choice in chosen.available()] == ["openai:gpt-4.1", "openai:gpt-5"]


def test_a_purpose_that_there_is_not_is_refused_with_those_there_are() -> None:
    with pytest.raises(ValueError, match=r"names verse; the purposes are intent, resolution"):
        models(model="openai:gpt-4.1", models_by_purpose={"verse": "openai:gpt-4.1-mini"})


@pytest.mark.parametrize(
    ("written", "full"),
    [
        ("gpt-4.1", "openai:gpt-4.1"),
        ("qwen3:8b", "openai:qwen3:8b"),
        ("openai:qwen3:8b", "openai:qwen3:8b"),
        ("mistral:mistral-small-latest", "mistralai:mistral-small-latest"),
        ("cohere:command-a-03-2025", "cohere:command-a-03-2025"),
    ],
)
def test_names_are_read_with_and_without_provider(written: str, full: str) -> None:
    assert models(model=written).resolve(None) == full
    assert models(model=full).resolve(written) == full


def test_a_model_that_is_not_allowed_is_refused_with_those_that_are() -> None:
    with pytest.raises(PalimpsestError) as caught:
        models(model="openai:gpt-4.1", models=["cohere:command-a"]).get("openai:gpt-5", "inquire")
    for language in ("en", "he"):
        what, why, _ = caught.value.problem.to(language)  # type: ignore[arg-type]
        assert "gpt-5" in what
        assert "openai:gpt-4.1, cohere:command-a" in why


@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai:gpt-4.1", "OPENAI_API_KEY"),
        ("anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("mistralai:mistral-large-latest", "MISTRAL_API_KEY"),
        ("cohere:command-a-03-2025", "COHERE_API_KEY"),
    ],
)
def test_a_missing_key_names_its_variable(model: str, variable: str) -> None:
    with pytest.raises(PalimpsestError) as caught:
        models(model=model).get(None, "inquire")
    assert caught.value.problem.category == "auth"
    assert variable in caught.value.problem.remedy.en


def test_a_model_is_made_once_with_temperature_zero_and_shows_no_key() -> None:
    pytest.importorskip("langchain_openai")
    chosen = models(model="openai:gpt-4.1", openai_api_key=KEY)
    made = chosen.get(None, "inquire")
    assert made is chosen.get("gpt-4.1", "titles")
    assert made.temperature == 0  # type: ignore[attr-defined]
    assert made.max_retries == 0  # type: ignore[attr-defined]
    assert KEY not in f"{made!r} {made} {chosen!r} {vars(chosen)}"


def test_an_endpoint_of_ones_own_needs_no_key_and_has_no_price() -> None:
    pytest.importorskip("langchain_openai")
    chosen = models(model="openai:gpt-4.1", model_base_url="http://127.0.0.1:1/v1")
    assert chosen.available()[0].label == "gpt-4.1"
    assert chosen.get(None, "inquire") is not None
    assert chosen.cost("openai:gpt-4.1", 1_000_000, 0) is None


async def test_a_share_of_the_window_follows_the_models_window() -> None:
    assert await models().share_of_window(8_000, None) == 8_000
    chosen = models(model="openai:m", openai_api_key=KEY, model_window=131_072)
    assert await chosen.share_of_window(8_000, None) == 32_000


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("openai:gpt-4.1", 2.0 + 0.8),
        ("openai:gpt-4.1-2025-04-14", 2.0 + 0.8),
        ("openai:gpt-4.1-mini", 0.4 + 0.16),
        ("anthropic:claude-sonnet-4-5-20250929", 3.0 + 1.5),
        ("mistralai:mistral-large-latest", 2.0 + 0.6),
        ("cohere:command-a-03-2025", 2.5 + 1.0),
        ("openai:gpt-4.1-colossal", None),
        ("openai:unheard-of", None),
    ],
)
def test_cost_is_known_or_none(model: str, expected: float | None) -> None:
    assert cost(model, 1_000_000, 100_000) == (None if expected is None else pytest.approx(expected))


def test_the_price_table_says_when_it_was_read() -> None:
    assert price_table().as_of
    assert all(0 < price.input <= price.output for price in price_table().prices.values())


async def collect(model: GenericFakeChatModel) -> list[StreamedPiece]:
    return [piece async for piece in stream_answer(model, [HumanMessage("שאלה")], Deadline(5))]


async def test_tokens_are_counted_when_the_provider_tells_none() -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("<think>hm</think>the answer")]))
    *said, usage = await collect(model)
    assert "".join(piece.text for piece in said if piece.kind == "text") == "the answer"
    assert "".join(piece.text for piece in said if piece.kind == "reasoning") == "hm"
    expected = (count_tokens("שאלה"), count_tokens("hmthe answer"))
    assert (usage.tokens_in, usage.tokens_out, usage.counted) == (*expected, True)


def test_reasoning_blocks_of_a_provider_are_reasoning() -> None:
    chunk = AIMessageChunk([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "so"}])
    chunk.response_metadata["model_provider"] = "anthropic"
    assert list(_contents(chunk)) == [("reasoning", "hm"), ("text", "so")]


async def test_an_answer_that_never_ends_is_cut_at_its_limit_and_said_to_be() -> None:
    endless = GenericFakeChatModel(messages=iter([AIMessage("word " * 1_000_000)]))
    pieces = [piece async for piece in stream_answer(endless, [HumanMessage("Q")], Deadline(60), most_tokens=100)]
    assert sum(len(piece.text) for piece in pieces) == 800
    assert pieces[-1].kind == "usage"
    assert pieces[-1].cut_off


async def test_half_a_character_of_a_model_is_no_lost_answer() -> None:
    broken = GenericFakeChatModel(messages=iter([AIMessage("so \ud83d it is")]))
    pieces = [piece async for piece in stream_answer(broken, [HumanMessage("Q")], Deadline(5))]
    assert "".join(piece.text for piece in pieces) == "so \ufffd it is"
