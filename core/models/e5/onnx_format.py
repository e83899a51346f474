"""Writes ONNX models: nodes and tensors -> the bytes of a ``ModelProto``.

The format is protocol buffers with the field numbers of ``onnx.proto3``; a graph of weights and operators needs only
these of its hundred fields. The ``onnx`` package (31 MB) is not needed for this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

IR_VERSION = 9
FLOAT = 1
ELEMENT_TYPES = {"float32": FLOAT, "uint8": 2, "int64": 7}
"""``TensorProto.DataType`` by numpy type."""

Attribute = int | float | Sequence[int]


@dataclass
class Graph:
    """A graph under construction: nodes in execution order, and ``tensors``, its constants by name."""

    nodes: list[bytes] = field(default_factory=list)
    tensors: list[bytes] = field(default_factory=list)

    def constant(self, name: str, values: NDArray[Any]) -> str:
        """Add a constant; returns its name, for use as an input."""
        shape = b"".join(_number(1, size) for size in values.shape)
        kind = _number(2, ELEMENT_TYPES[values.dtype.name])
        self.tensors.append(shape + kind + _text(8, name) + _bytes(9, np.ascontiguousarray(values).tobytes()))
        return name

    def node(
        self, operator: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: Attribute
    ) -> str:
        """Add a node; returns its first output's name."""
        written = b"".join(_text(1, name) for name in inputs) + b"".join(_text(2, name) for name in outputs)
        written += _text(4, operator)
        written += b"".join(_bytes(5, _attribute(name, value)) for name, value in attributes.items())
        self.nodes.append(written + (_text(7, domain) if domain else b""))
        return outputs[0]

    def model(
        self,
        inputs: Mapping[str, Sequence[int | str]],
        outputs: Mapping[str, Sequence[int | str]],
        operators: Mapping[str, int],
        input_type: str = "float32",
    ) -> bytes:
        """The model's bytes. ``inputs`` (of ``input_type``) and ``outputs`` (floats) are tensors by name, with sizes or
        their names; ``operators`` are the operator sets' versions by domain."""
        graph = b"".join(_bytes(1, node) for node in self.nodes) + _text(2, "graph")
        graph += b"".join(_bytes(5, tensor) for tensor in self.tensors)
        graph += b"".join(_bytes(11, _value(name, shape, ELEMENT_TYPES[input_type])) for name, shape in inputs.items())
        graph += b"".join(_bytes(12, _value(name, shape)) for name, shape in outputs.items())
        sets = b"".join(_bytes(8, _text(1, domain) + _number(2, version)) for domain, version in operators.items())
        return _number(1, IR_VERSION) + _bytes(7, graph) + sets


def _attribute(name: str, value: Attribute) -> bytes:
    """``AttributeProto``: a float, an integer, or a list of them."""
    if isinstance(value, float):
        return _text(1, name) + _key(2, 5) + np.float32(value).tobytes() + _number(20, 1)
    if isinstance(value, int):
        return _text(1, name) + _number(3, value) + _number(20, 2)
    return _text(1, name) + b"".join(_number(8, each) for each in value) + _number(20, 7)


def _value(name: str, shape: Sequence[int | str], element_type: int = FLOAT) -> bytes:
    """``ValueInfoProto`` of a tensor."""
    sizes = b"".join(_bytes(1, _number(1, size) if isinstance(size, int) else _text(2, size)) for size in shape)
    tensor = _number(1, element_type) + _bytes(2, sizes)
    return _text(1, name) + _bytes(2, _bytes(1, tensor))


def _key(number: int, wire: int) -> bytes:
    return _varint(number << 3 | wire)


def _number(number: int, value: int) -> bytes:
    return _key(number, 0) + _varint(value)


def _text(number: int, value: str) -> bytes:
    return _bytes(number, value.encode())


def _bytes(number: int, value: bytes) -> bytes:
    return _key(number, 2) + _varint(len(value)) + value


def _varint(value: int) -> bytes:
    """Seven bits per byte, the lowest first; a negative number has 64 bits."""
    value &= (1 << 64) - 1
    written = bytearray()
    while value > 127:
        written.append(value & 127 | 128)
        value >>= 7
    written.append(value)
    return bytes(written)
