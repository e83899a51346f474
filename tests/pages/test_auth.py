from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from core.settings import Settings
from pages.auth import COOKIE, Identity


def settings(home: Path, **fields: object) -> Settings:
    return Settings(_env_file=None, home=home, **fields)


def request(cookie: str = "") -> SimpleNamespace:
    return SimpleNamespace(cookies={COOKIE: cookie})


def test_without_users_everyone_is_local_whatever_they_send(tmp_path: Path) -> None:
    assert Identity(settings(tmp_path)).user(request("bob.x.y")) == "local"


def test_a_session_names_its_user_until_it_is_altered_or_expires(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path, users={"ada": "engine"}))
    cookie = identity.sign_in("ada", "engine")
    assert cookie
    assert identity.user(request(cookie)) == "ada"
    assert identity.user(request(cookie.replace("ada", "bob"))) is None
    assert identity.user(request("")) is None
    expired = Identity(settings(tmp_path, users={"ada": "engine"}, session_hours=-1))
    assert expired.user(request(cookie)) is None


def test_wrong_names_and_passwords_are_refused(tmp_path: Path) -> None:
    identity = Identity(settings(tmp_path, users={"ada": "engine"}))
    assert identity.sign_in("ada", "wrong") is None
    assert identity.sign_in("bob", "engine") is None
    assert identity.sign_in("bob", "") is None


def test_the_secret_survives_a_restart(tmp_path: Path) -> None:
    cookie = Identity(settings(tmp_path, users={"ada": "engine"})).sign_in("ada", "engine")
    assert Identity(settings(tmp_path, users={"ada": "engine"})).user(request(cookie or "")) == "ada"
