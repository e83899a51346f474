"""Tests the inference model loaded from a folder: its labels, its failures, and which results are trusted."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from core.errors import PalimpsestError
from core.models.nli import build
from core.models.nli.build import OnnxInference, build_nli
from core.models.nli.cross_encoder import BATCH, CrossEncoder
from core.models.nli.inference import Inference, InferenceJudge, Pair
from core.resilience.dependencies import CircuitBreaker
from core.setting_groups import Deadlines
from core.settings import Settings
from tests.core.models.nli.tiny import LABELS, tiny_nli


def leading(each: Inference) -> str:
    return max(each._asdict(), key=lambda name: each._asdict()[name])


@pytest.mark.parametrize("labels", [LABELS, LABELS[::-1], ("NEUTRAL", "ENTAILMENT", "CONTRADICTION")])
def test_columns_mean_what_the_model_says_of_them(tmp_path: Path, labels: Sequence[str]) -> None:
    found = CrossEncoder(tiny_nli(tmp_path, labels)).infer([("a yes", "b"), ("a", "b no"), ("yes", "no"), ("a", "b")])
    assert [leading(each) for each in found[:2]] == ["entailment", "contradiction"]
    assert found[2].entailment == pytest.approx(found[2].contradiction)
    assert all(sum(each) == pytest.approx(1) for each in found)


def test_a_model_of_two_labels_contradicts_nothing(tmp_path: Path) -> None:
    found = CrossEncoder(tiny_nli(tmp_path, ("ENTAILMENT", "NOT_ENTAILMENT"))).infer([("yes", "a"), ("no", "a")])
    assert [leading(each) for each in found] == ["entailment", "neutral"]
    assert found[1].contradiction == 0


def test_pairs_of_any_number_and_length_keep_their_order(tmp_path: Path) -> None:
    pairs: list[Pair] = [("word " * (40 * place), "yes" if place % 3 else "no") for place in range(2 * BATCH + 3)]
    found = CrossEncoder(tiny_nli(tmp_path)).infer(pairs)
    assert [leading(each) for each in found] == [
        "entailment" if place % 3 else "contradiction" for place in range(len(pairs))
    ]
    assert CrossEncoder(tmp_path).infer([]) == []


class Model:
    def __init__(self, *found: tuple[float, float]) -> None:
        self._found = found

    async def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        return [Inference(says, 1 - says - denies, denies) for says, denies in self._found[: len(pairs)]]


@pytest.mark.parametrize(
    ("found", "decided"),
    [
        ([(0.95, 0.0), (0.1, 0.1)], 1),
        ([(0.91, 0.0), (0.97, 0.0)], 2),
        ([(0.1, 0.1), (0.0, 0.93)], -2),
        ([(0.89, 0.0), (0.0, 0.89)], 0),
        ([(0.95, 0.0), (0.0, 0.95)], 0),
    ],
)
async def test_only_what_is_sure_and_undisputed_is_believed(found: list[tuple[float, float]], decided: int) -> None:
    assert await InferenceJudge(Model(*found), 0.9).judge([["a", "b"]], ["h"]) == [decided]


async def test_nothing_is_asked_of_nothing() -> None:
    assert await InferenceJudge(Model(), 0.9).judge([], []) == []
    assert await InferenceJudge(Model((0.95, 0.0)), 0.9).judge([[], ["a"]], ["h", "i"]) == [0, 1]


def test_without_a_model_there_is_none() -> None:
    assert build_nli(Settings(_env_file=None)) is None  # type: ignore[call-arg]


async def test_the_settings_model_is_loaded_when_it_is_asked(tmp_path: Path) -> None:
    settings = Settings(_env_file=None, nli_model=str(tiny_nli(tmp_path)), nli_threshold=0.8)  # type: ignore[call-arg]
    judge = build_nli(settings)
    assert judge is not None
    assert await judge.judge([["a"], ["no"], ["a"]], ["yes", "b", "c"]) == [1, -1, 0]


def _without(folder: Path, name: str) -> None:
    (folder / name).unlink()


def _relabelled(folder: Path, _: str) -> None:
    (folder / "config.json").write_text(json.dumps({"id2label": {"0": "good", "1": "bad"}}), encoding="utf-8")


def _garbled(folder: Path, _: str) -> None:
    (folder / "model.onnx").write_bytes(b"no model")


@pytest.mark.parametrize(
    ("broken", "name"),
    [
        (_without, "model.onnx"),
        (_without, "config.json"),
        (_without, "tokenizer.json"),
        (_relabelled, ""),
        (_garbled, ""),
    ],
)
async def test_what_is_no_such_model_is_said_and_mended_without_a_restart(tmp_path: Path, broken, name: str) -> None:  # type: ignore[no-untyped-def]
    broken(tiny_nli(tmp_path), name)
    inference = OnnxInference(str(tmp_path), 20, CircuitBreaker())
    with pytest.raises(PalimpsestError) as caught:
        await inference.infer([("yes", "a")])
    assert str(tmp_path) in caught.value.problem.what.en
    tiny_nli(tmp_path)
    assert leading((await inference.infer([("yes", "a")]))[0]) == "entailment"


async def test_one_that_is_slow_is_given_up_then_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tiny_nli(tmp_path)
    settings = Settings(_env_file=None, nli_model=str(folder), deadlines=Deadlines(nli=0.05))  # type: ignore[call-arg]
    judge = build_nli(settings)
    assert judge is not None

    class Slow(CrossEncoder):
        def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
            time.sleep(0.2)
            return super().infer(pairs)

    monkeypatch.setattr(build, "CrossEncoder", Slow)
    for _ in range(3):
        with pytest.raises(PalimpsestError) as caught:
            await judge.judge([["yes"]], ["a"])
        assert caught.value.problem.category == "timeout"
    began = asyncio.get_running_loop().time()
    with pytest.raises(PalimpsestError):
        await judge.judge([["yes"]], ["a"])
    assert asyncio.get_running_loop().time() - began < 0.04
