"""Creates and checks identifiers of records, such as ``doc_`` followed by 32 hexadecimal digits."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from uuid import NAMESPACE_OID, UUID, uuid4, uuid5

ID_PATTERN = re.compile(r"^[a-z]{2,12}_[0-9a-f]{32}$")

_UUID = re.compile(r"([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})")
"""Pattern of the usual format of identifiers."""

NewId = Callable[[str], str]
"""A function: kind ("doc", "conv", "run", "mem", …) → a new identifier."""


def new_id(kind: str) -> str:
    """A random identifier such as ``doc_`` followed by 32 hexadecimal digits."""
    return f"{kind}_{uuid4().hex}"


def derived_id(kind: str, identifier: str, name: str) -> str:
    """The identifier of a part of another record; always the same for the same record and part."""
    return f"{kind}_{uuid5(UUID(hex=identifier.rpartition('_')[2]), name).hex}"


def hashed_id(kind: str, text: str) -> str:
    """The identifier for a text, always the same; it does not reveal the text."""
    return f"{kind}_{hashlib.sha256(text.encode(errors='surrogatepass')).hexdigest()[:32]}"


def id_of(kind: str, *parts: object) -> str:
    """The identifier derived from ``parts``; equal parts always give the same one."""
    return f"{kind}_{uuid5(NAMESPACE_OID, '/'.join(map(str, parts))).hex}"


def is_id(value: str, kind: str | None = None) -> bool:
    """Whether ``value`` has the format of an identifier (of ``kind``, when given)."""
    return bool(ID_PATTERN.fullmatch(value)) and (kind is None or value.startswith(f"{kind}_"))


def point_id(identifier: str) -> str:
    """The UUID that a record has in the index.

    Raises:
        ValueError: ``identifier`` does not have the format of an identifier.
    """
    if not is_id(identifier):
        raise ValueError(f"not an identifier: {identifier!r}")
    return str(UUID(hex=identifier.rpartition("_")[2]))


def record_id(kind: str, point: str) -> str:
    """The identifier whose ``point_id`` is ``point``. Raises ``ValueError`` when that is not a UUID."""
    plain = _UUID.fullmatch(point)
    return f"{kind}_{''.join(plain.groups()) if plain else UUID(point).hex}"
