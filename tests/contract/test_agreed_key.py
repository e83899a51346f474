"""Tests that servers on one record store use the same signing key, whichever starts first."""

from __future__ import annotations

import asyncio
import secrets
from pathlib import Path

import pytest
from cryptography.fernet import Fernet
from pydantic import SecretStr

from core.accounts.signing_key import COLLECTION, LENGTH, agreed_key
from core.memory.maintenance.backup import SECTIONS
from core.settings import Settings
from core.store.truth import Truth

SECRET = Fernet.generate_key().decode()


def settings(home: Path, **given: object) -> Settings:
    shared = {"mongodb_uri": SecretStr("mongodb://of-the-fixture"), "secret_key": SecretStr(SECRET)}
    return Settings(_env_file=None, home=home, **{**shared, **given})  # type: ignore[arg-type]


def key() -> bytes:
    return secrets.token_bytes(LENGTH)


async def test_servers_that_begin_at_once_agree_and_whoever_comes_later_joins_them(
    truth: Truth, tmp_path: Path
) -> None:
    own = [key() for _ in range(6)]
    agreed = await asyncio.gather(*(agreed_key(truth, settings(tmp_path), each) for each in own))
    assert len(set(agreed)) == 1
    assert agreed[0] in own
    assert await agreed_key(truth, settings(tmp_path), key()) == agreed[0]


async def test_the_truth_holds_it_encrypted_and_no_backup_holds_it(truth: Truth, tmp_path: Path) -> None:
    agreed = await agreed_key(truth, settings(tmp_path), key())
    stored = str(await truth.collection(COLLECTION).find())
    assert agreed.hex() not in stored
    assert COLLECTION not in {section.collection for section in SECTIONS}


@pytest.mark.parametrize(
    "given",
    [
        {"secret_key": SecretStr(Fernet.generate_key().decode())},
        {"secret_key": None},
        {"mongodb_uri": None},
    ],
)
async def test_who_cannot_read_it_signs_with_its_own(truth: Truth, tmp_path: Path, given: dict[str, object]) -> None:
    agreed = await agreed_key(truth, settings(tmp_path), key())
    own = key()
    assert await agreed_key(truth, settings(tmp_path, **given), own) == own
    assert await agreed_key(truth, settings(tmp_path), own) == agreed


async def test_what_is_no_key_is_signed_with_by_nobody(truth: Truth, tmp_path: Path) -> None:
    cipher = Fernet(SECRET.encode())
    await truth.collection(COLLECTION).upsert({"_id": "sessions", "key": cipher.encrypt(b"00").decode()})
    own = key()
    assert await agreed_key(truth, settings(tmp_path), own) == own
