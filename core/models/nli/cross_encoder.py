"""Runs an ONNX cross-encoder that was trained for inference: pairs of texts → probabilities.

The model's folder has the layout of Hugging Face: ``model.onnx`` (or ``onnx/model.onnx``), ``tokenizer.json`` and
``config.json``, whose ``id2label`` gives each output column's meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.batches import batches
from core.models.e5.engine import session
from core.models.nli.inference import Inference, Pair

WEIGHTS = ("model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx")
FILES = (*WEIGHTS, "*.onnx_data", "onnx/*.onnx_data", "tokenizer.json", "config.json")
"""Files that are downloaded for a model given by name."""
BATCH = 16
LONGEST = 512
"""Maximum number of tokens in a pair of texts; the longer text of the two is cut."""


class CrossEncoder:
    """The cross-encoder; thread-safe, without a time limit.

    Raises:
        ImportError: onnxruntime or tokenizers is not installed.
        OSError, ValueError, KeyError: the folder holds no such model.
    """

    def __init__(self, folder: Path) -> None:
        from tokenizers import Tokenizer

        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self._columns = _columns(config["id2label"])
        weights = next((folder / name for name in WEIGHTS if (folder / name).exists()), folder / WEIGHTS[0])
        self._session = session(str(weights))
        self._inputs = [each.name for each in self._session.get_inputs()]
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.enable_truncation(min(LONGEST, config.get("max_position_embeddings", LONGEST)))
        padding = config.get("pad_token_id") or 0
        self._tokenizer.enable_padding(pad_id=padding, pad_token=self._tokenizer.id_to_token(padding) or "[PAD]")

    def infer(self, pairs: Sequence[Pair]) -> list[Inference]:
        """Raises ``ValueError`` when the model returns no numbers, or fewer than its labels."""
        found: list[Inference] = []
        for batch in batches(pairs, BATCH):
            found += self._batch(batch)
        return found

    def _batch(self, pairs: Sequence[Pair]) -> list[Inference]:
        encoded = self._tokenizer.encode_batch(list(pairs))
        given = {
            "input_ids": [each.ids for each in encoded],
            "attention_mask": [each.attention_mask for each in encoded],
            "token_type_ids": [each.type_ids for each in encoded],
        }
        fed = {name: np.array(given[name], dtype=np.int64) for name in self._inputs}
        logits: NDArray[np.floating[Any]] = self._session.run(None, fed)[0]
        if logits.shape != (len(pairs), len(self._columns)) or not np.isfinite(logits).all():
            raise ValueError(f"logits of shape {logits.shape} for {len(pairs)} pairs")
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return [self._named(row) for row in powers / powers.sum(axis=1, keepdims=True)]

    def _named(self, row: NDArray[np.floating[Any]]) -> Inference:
        by_label = dict.fromkeys(("entailment", "neutral", "contradiction"), 0.0)
        for label, probability in zip(self._columns, row, strict=True):
            by_label[label] += float(probability)
        return Inference(**by_label)


def _columns(labels: Mapping[str, str]) -> list[str]:
    """Each column's meaning; a model with two labels has one "not entailed" for both neutral and contradicted."""
    columns = [_label(labels[key]) for key in sorted(labels, key=int)]
    if "entailment" not in columns or len(set(columns)) != len(columns):
        raise ValueError(f"labels {list(labels.values())}")
    return columns


def _label(name: str) -> str:
    folded = name.lower()
    if "not" in folded or "neutral" in folded:
        return "neutral"
    if "entail" in folded:
        return "entailment"
    if "contradict" in folded:
        return "contradiction"
    raise ValueError(f"label {name}")
