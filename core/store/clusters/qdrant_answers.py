"""Translates error answers of a Qdrant server: *a call* → its result, or one of our errors.

The codes follow the server's own mapping of errors (``src/actix/helpers.rs``).
"""

from __future__ import annotations

from collections.abc import Awaitable
from typing import TypeVar

import httpx
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from core.store import index_rules as rules

T = TypeVar("T")

BAD_REQUEST, NOT_FOUND, CONFLICT = 400, 404, 409
_REFUSED = (401, 403)
_NOT_NOW = (408, 429, 502, 503, 504)
"""Timeout, too many requests, no server behind the address, a shard without a live replica."""
_OTHER_VECTORS = ("Vector dimension error", "Not existing vector name")
"""Error messages that mean: the vectors were made for another collection than the one that is served now."""


async def safely(call: Awaitable[T]) -> T:
    """Await ``call``.

    Raises:
        PalimpsestError: "connection" when the server cannot answer now, "auth" when it does not accept our key,
        "not_found" when there is no such collection, "server" for any other error of the server.
        SchemaMismatchError: the collection is for other vectors.
    """
    try:
        return await call
    except ResponseHandlingException as error:
        if isinstance(error.source, httpx.TimeoutException):
            raise rules.unreachable("the index server did not answer in time") from error
        raise rules.unreachable(str(error)) from error
    except UnexpectedResponse as error:
        raise _meaning(error) from error
    except QdrantException as error:  # it asks the client to wait
        raise rules.unreachable(str(error)) from error
    except (ApiException, KeyError) as error:
        raise rules.failed(str(error)) from error
    except RuntimeError as error:  # a closed client raises only this
        raise rules.unreachable(str(error)) from error


def _meaning(error: UnexpectedResponse) -> Exception:
    said = error.content.decode(errors="replace")
    if error.status_code in _REFUSED:
        return rules.refused(str(error))
    if error.status_code in _NOT_NOW:
        return rules.unreachable(str(error))
    if error.status_code == NOT_FOUND and "Collection" in said:
        return rules.no_collection(said)
    if error.status_code == BAD_REQUEST and any(one in said for one in _OTHER_VECTORS):
        return rules.other_vectors(said)
    return rules.failed(str(error))
