"""Renames types in LangGraph's checkpoints: msgpack with an old name -> the same with the new one."""

from __future__ import annotations

from typing import Any

import ormsgpack
from langgraph.checkpoint.serde.jsonplus import EXT_DELTA_SNAPSHOT, EXT_NUMPY_ARRAY


def rename_type(value: bytes, old: str, new: str) -> bytes:
    """``value`` with every object of the type ``old`` ("module.Name") changed to ``new``, at any depth."""
    earlier, later = old.rsplit(".", 1), new.rsplit(".", 1)

    def extension(tag: int, data: bytes) -> ormsgpack.Ext:
        if tag == EXT_NUMPY_ARRAY:
            return ormsgpack.Ext(tag, data)
        inner = _unpacked(data)
        if tag != EXT_DELTA_SNAPSHOT and inner[:2] == earlier:
            inner[:2] = later
        return ormsgpack.Ext(tag, _packed(inner))

    def _unpacked(data: bytes) -> Any:
        return ormsgpack.unpackb(data, ext_hook=extension, option=ormsgpack.OPT_NON_STR_KEYS)

    return _packed(_unpacked(value))


def _packed(value: Any) -> bytes:
    return ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS)
