"""Authorities that connections trust: nothing → the context of all clients of the process, read once.

Reading them takes longer than most calls to a server of one's own, and the event loop would wait for each client's.
"""

from __future__ import annotations

import ssl
from functools import cache

import httpx


@cache
def trusted() -> ssl.SSLContext:
    """``SSL_CERT_FILE`` and ``SSL_CERT_DIR`` of the environment, else those that come with the client."""
    return httpx.create_ssl_context()
