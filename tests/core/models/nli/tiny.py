"""A tiny cross-encoder: the words "yes" and "no" in a pair mean entailment and contradiction, others nothing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from core.models.e5.onnx_format import Graph

VOCABULARY = {"[PAD]": 0, "[UNK]": 1, "yes": 2, "no": 3}
LABELS = ("CONTRADICTION", "NEUTRAL", "ENTAILMENT")
SURE = 9.0


def tiny_nli(folder: Path, labels: Sequence[str] = LABELS, weight: float = SURE) -> Path:
    """Writes the model folder; ``labels`` are the columns in their order."""
    folder.mkdir(parents=True, exist_ok=True)
    means = {2: "entailment", 3: "contradiction"}
    rows = [[weight if means.get(word) == label.lower() else 0.0 for label in labels] for word in range(4)]
    if "NOT_ENTAILMENT" in labels:
        rows[3] = [weight if label == "NOT_ENTAILMENT" else 0.0 for label in labels]
    graph = Graph()
    graph.constant("table", np.array(rows, dtype=np.float32))
    graph.constant("axis", np.array([1], dtype=np.int64))
    graph.node("Gather", ["table", "input_ids"], ["words"], axis=0)
    graph.node("ReduceSum", ["words", "axis"], ["logits"], keepdims=0)
    shapes = {"input_ids": ("batch", "length")}
    model = graph.model(shapes, {"logits": ("batch", len(labels))}, {"": 17}, input_type="int64")
    (folder / "model.onnx").write_bytes(model)
    config = {"id2label": {str(place): label for place, label in enumerate(labels)}, "pad_token_id": 0}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder
