"""Defines the records of users, sessions and API keys; times are epoch seconds."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

Role = Literal["administrator", "person"]
SIGN_IN_SECONDS = 600.0
"""Maximum seconds for a sign-in at a provider."""
KeyScope = Literal["read", "ask", "write", "administer"]
"""A key's rights: read, ask questions, change its owner's data, or change settings and data that apply to all users."""
KEY_SCOPES: tuple[KeyScope, ...] = ("read", "ask", "write")
"""A key's default rights."""
AuditKind = Literal[
    "signed_in",
    "sign_in_failed",
    "signed_out",
    "deleted",
    "restored",
    "exported",
    "changed",
    "key_made",
    "key_revoked",
    "account_made",
    "account_changed",
    "account_removed",
]


class Account(BaseModel, populate_by_name=True):
    """A user account; ``user_id`` is the name that the user types at sign-in, and identifies all the user's data.

    ``password`` is an argon2id hash in its own notation; it is empty for users who sign in at a provider.
    ``subject``: the user's identity at the provider, as issuer and subject.
    ``org_id``: the user's group, whose members can read what is shared with it.
    ``closed``: the account is being removed with all its data, and cannot be used.
    ``changed_at``: when any of this last changed, by the clock of the process that changed it.
    """

    id: str = Field(alias="_id")
    user_id: str
    role: Role = "person"
    org_id: str | None = None
    password: str = ""
    subject: str = ""
    created_at: float
    last_sign_in_at: float | None = None
    closed: bool = False
    changed_at: float = 0.0
    version: int = 0


class BegunSignIn(BaseModel):
    """What the browser stores during a sign-in at a provider: the provider must return the ``state``, its token must
    contain the ``nonce``, and exchanging its code for the token requires the ``verifier``."""

    state: str
    nonce: str
    verifier: str
    at: float


class Identified(BaseModel):
    """A user who signed in at a provider. ``administrator`` and ``org_id`` are ``None`` if the provider does not decide
    them; ``org_id`` is empty for a user without a group."""

    name: str
    subject: str
    administrator: bool | None = None
    org_id: str | None = None


class Session(BaseModel, populate_by_name=True):
    """A signed-in browser; only the SHA-256 of its token is stored, as the id."""

    id: str = Field(alias="_id")
    user_id: str
    created_at: float
    expires_at: float
    address: str = ""
    browser: str = ""


class ApiKey(BaseModel, populate_by_name=True):
    """An API key; only its first characters, to recognise it, and its SHA-256 are stored.

    ``last_used_at`` is accurate to a minute.
    """

    id: str = Field(alias="_id")
    user_id: str
    name: str
    prefix: str
    digest: str
    created_at: float
    expires_at: float | None = None
    last_used_at: float | None = None
    scopes: tuple[KeyScope, ...] = KEY_SCOPES
    version: int = 0


class AuditEntry(BaseModel, populate_by_name=True):
    """Who did what, when and from which address; ``subject`` is the object of the action, ``user_id`` the name as it
    was typed."""

    id: str = Field(alias="_id")
    at: float
    user_id: str
    kind: AuditKind
    action: str = ""
    subject: str = ""
    address: str = ""
    by: str = "session"
