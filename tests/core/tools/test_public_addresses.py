from __future__ import annotations

import pytest

from core.tools.public_addresses import is_global


@pytest.mark.parametrize(
    "address",
    ["93.184.216.34", "2606:4700::1111", "::ffff:93.184.216.34", "64:ff9b::93.184.216.34", "2002:5db8:d822::"],
)
def test_of_the_internet(address: str) -> None:
    assert is_global(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "::1", "::", "fe80::1%eth0", "fd00::1", "ff02::1", "::ffff:10.0.0.1", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.7",
        "2002:7f00:1::", "2002:a00:7::",
    ],
)  # fmt: skip
def test_of_a_network_of_our_own(address: str) -> None:
    assert not is_global(address)
