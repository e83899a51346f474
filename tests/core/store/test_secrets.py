from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from core.errors import PalimpsestError
from core.settings import Settings
from core.store.secrets import KEY_FILE, Secrets

SECRET = "sk-very-secret"


def secrets(home: Path, **given: object) -> Secrets:
    return Secrets(Settings(_env_file=None, home=home, **given))  # type: ignore[arg-type]


def test_what_is_encrypted_comes_back_after_the_next_start(tmp_path: Path) -> None:
    ciphertext = secrets(tmp_path).encrypt(SECRET)
    assert SECRET not in ciphertext
    opened = secrets(tmp_path).decrypt(ciphertext)
    assert opened
    assert opened.get_secret_value() == SECRET


def test_nothing_lies_on_the_disk_before_there_is_a_secret(tmp_path: Path) -> None:
    assert secrets(tmp_path).decrypt("gAAAAA") is None
    assert not list(tmp_path.rglob(KEY_FILE))


def test_with_another_key_or_none_there_is_no_secret(tmp_path: Path) -> None:
    ciphertext = secrets(tmp_path / "one").encrypt(SECRET)
    secrets(tmp_path / "two").encrypt("another")
    assert secrets(tmp_path / "two").decrypt(ciphertext) is None


def test_a_key_that_is_given_serves_several_machines(tmp_path: Path) -> None:
    key = Fernet.generate_key().decode()
    ciphertext = secrets(tmp_path / "one", secret_key=key).encrypt(SECRET)
    opened = secrets(tmp_path / "two", secret_key=key).decrypt(ciphertext)
    assert opened
    assert opened.get_secret_value() == SECRET
    assert not list(tmp_path.rglob(KEY_FILE))


def test_a_key_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(PalimpsestError) as caught:
        secrets(tmp_path, secret_key="too short").encrypt(SECRET)
    assert caught.value.problem.category == "validation"
