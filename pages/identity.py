"""Who is asking: from the signed session when people log in, else ``local``; never from the page."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from itsdangerous import BadSignature, SignatureExpired, TimestampSigner

from core.settings import Settings

COOKIE = "palimpsest_session"
LOCAL = "local"


class HasCookies(Protocol):
    """A request of FastAPI or of Gradio."""

    @property
    def cookies(self) -> Mapping[str, str]: ...


class Identity:
    """Signs sessions and reads them back."""

    def __init__(self, settings: Settings) -> None:
        self._users = {name: secret.get_secret_value() for name, secret in settings.users.items()}
        self._seconds = settings.session_hours * 3600
        self._signer = TimestampSigner(_secret(settings.folder / "session.key"), digest_method=hashlib.sha256)

    @property
    def required(self) -> bool:
        return bool(self._users)

    def is_administrator(self, user_id: str) -> bool:
        """Whether this user changes what holds for everybody: whoever sits at the machine when nobody logs in, else the
        first of the configured users, until there are roles."""
        return user_id == next(iter(self._users), LOCAL)

    def sign_in(self, name: str, password: str) -> str | None:
        """The value of a new session's cookie; ``None`` when name and password do not belong together."""
        known = self._users.get(name, "")
        same = hmac.compare_digest(known.encode(), password.encode())
        return self._signer.sign(name).decode() if known and same else None

    def user(self, request: HasCookies) -> str | None:
        """The user's id, or ``None`` when a login is required and there is no valid session."""
        if not self.required:
            return LOCAL
        try:
            name = self._signer.unsign(request.cookies.get(COOKIE, ""), max_age=int(self._seconds)).decode()
        except (BadSignature, SignatureExpired):
            return None
        return name if name in self._users else None


def _secret(path: Path) -> bytes:
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return path.read_bytes()
    except FileNotFoundError:
        secret = secrets.token_bytes(32)
        path.touch(mode=0o600)
        path.write_bytes(secret)
        return secret
