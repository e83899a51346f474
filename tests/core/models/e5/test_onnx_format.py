from __future__ import annotations

import numpy as np
import onnxruntime

from core.models.e5.onnx_format import Graph


def run(written: bytes, **inputs: np.ndarray) -> np.ndarray:
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    found: np.ndarray = session.run(None, inputs)[0]
    return found


def test_a_written_graph_computes_what_it_says() -> None:
    graph = Graph()
    weights = np.arange(300 * 2, dtype=np.float32).reshape(300, 2)
    product = graph.node("MatMul", ["x", graph.constant("w", weights)], ["product"])
    scaled = graph.node("LeakyRelu", [product], ["scaled"], alpha=0.5)
    turned = graph.node("Transpose", [scaled], ["turned"], perm=[1, 0])
    graph.node("ReduceSum", [turned, graph.constant("axis", np.array([-1]))], ["y"], keepdims=0)
    written = graph.model({"x": ("rows", 300)}, {"y": (2,)}, {"": 20})
    x = -np.ones((3, 300), dtype=np.float32)
    np.testing.assert_allclose(run(written, x=x), (0.5 * x @ weights).sum(0))


def test_a_negative_number_and_another_domain_are_written_too() -> None:
    graph = Graph()
    graph.node("Softmax", ["x"], ["soft"], axis=-1)
    graph.node("Gelu", ["soft"], ["y"], "com.microsoft")
    written = graph.model({"x": ("rows", 2)}, {"y": ("rows", 2)}, {"": 20, "com.microsoft": 1})
    found = run(written, x=np.zeros((1, 2), dtype=np.float32))
    np.testing.assert_allclose(found, [[0.34573, 0.34573]], atol=1e-4)
