"""Provides the trusted certificate authorities: one context for all clients of the process, read once.

Reading them takes longer than most calls to a local server, and would block the event loop for each client.
"""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """An SSL context with the authorities from ``SSL_CERT_FILE`` and ``SSL_CERT_DIR``, else those in the client
    library."""
    return httpx.create_ssl_context()
