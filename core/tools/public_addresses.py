"""Which addresses are of the public internet: *an IP address* → whether strangers may lead a request there."""

from __future__ import annotations

import asyncio
import ipaddress
import socket

_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""RFC 6052: the last four bytes are an address of IPv4, to which a gateway leads."""


def is_global(address: str) -> bool:
    """Also where it is one within another (mapped, 6to4, NAT64). Raises ``ValueError`` for what is no address."""
    parsed = ipaddress.ip_address(address.partition("%")[0])
    if parsed in _NAT64:
        return is_global(str(ipaddress.IPv4Address(int(parsed) & 0xFFFFFFFF)))
    if isinstance(parsed, ipaddress.IPv6Address) and (inner := parsed.ipv4_mapped or parsed.sixtofour):
        return is_global(str(inner))
    return parsed.is_global and not parsed.is_multicast


async def resolve(host: str, port: int) -> list[str]:
    """By the system's resolver. Raises ``OSError``."""
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(each[4][0]) for each in found))
