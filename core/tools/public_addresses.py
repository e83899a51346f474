"""Decides whether an IP address is public, so that requests from untrusted input may be sent there."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""RFC 6052 prefix: the last four bytes are an IPv4 address that can be reached through a gateway."""


def is_global(address: str) -> bool:
    """Whether the address is public. Also checks an IPv4 address embedded in it (mapped, 6to4, NAT64). Raises
    ``ValueError`` for an invalid address."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if parsed in _NAT64:
        return is_global(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    if isinstance(parsed, ipaddress.IPv6Address) and (inner := parsed.ipv4_mapped or parsed.sixtofour):
        return is_global(str(inner))
    return parsed.is_global and not parsed.is_multicast


async def resolve(host: str, port: int) -> list[str]:
    """A host's addresses from the system's resolver. Raises ``OSError``."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))
