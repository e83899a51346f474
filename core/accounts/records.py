"""What is kept of people, their sessions and their API keys; times are epoch seconds."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

Role = Literal["administrator", "person"]
SIGN_IN_SECONDS = 600.0
"""That somebody may take at a provider."""
KeyScope = Literal["read", "ask", "write", "administer"]
"""What a key may do: look, ask questions, change what is its owner's, change what holds for everybody."""
KEY_SCOPES: tuple[KeyScope, ...] = ("read", "ask", "write")
"""What a key may do where nothing else was said."""
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
    """Somebody who may sign in; ``user_id`` is the name they type, by which everything of theirs is kept.

    ``password`` is an argon2id hash in its own notation; it is empty for who signs in elsewhere.
    ``subject``: who they are there, as issuer and subject.
    ``org_id``: the group that they are in, whose people read what is shared with it.
    ``closed``: it is being removed with all that it holds, and opens nothing.
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
    """What the browser keeps while somebody is at a provider: they must come back with the ``state``, what the provider
    says must hold the ``nonce``, and whoever redeems its code must know the ``verifier``."""

    state: str
    nonce: str
    verifier: str
    at: float


class Identified(BaseModel):
    """Who signed in at a provider; ``administrator`` is ``None`` where the provider has no say in it, and so is
    ``org_id``, which is empty for who is in no group."""

    name: str
    subject: str
    administrator: bool | None = None
    org_id: str | None = None


class Session(BaseModel, populate_by_name=True):
    """One browser that somebody signed in with; of its token only the SHA-256 is kept, as the id."""

    id: str = Field(alias="_id")
    user_id: str
    created_at: float
    expires_at: float
    address: str = ""
    browser: str = ""


class ApiKey(BaseModel, populate_by_name=True):
    """A key of one person's programs; of the key itself only its beginning, to know it again, and its SHA-256 are kept.

    ``last_used_at`` is right to a minute.
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
    """Who did what, when and from where; ``subject`` is what it was done to, ``user_id`` the name as it was typed."""

    id: str = Field(alias="_id")
    at: float
    user_id: str
    kind: AuditKind
    action: str = ""
    subject: str = ""
    address: str = ""
    by: str = "session"
