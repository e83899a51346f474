"""Settings of a provider at which people sign in, by OpenID Connect (``docs/configuration.md``)."""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, model_validator

from core.setting_groups import LOOPBACK


class OpenId(BaseModel):
    """Signing in at a provider of OpenID Connect (`docs/operations.md`, "Signing in at a provider")."""

    issuer: str | None = Field(
        None, description="Its issuer, such as https://login.example.com/realms/office; none means nobody does."
    )
    client_id: str = Field("", description="As what the workbench is known there.")
    client_secret: SecretStr | None = Field(
        None, description="Its secret there; none for a client that has none and shows by PKCE alone that it began."
    )
    scopes: list[str] = Field(["openid", "profile", "email"], description="What is asked for, as a JSON list.")
    name: str = Field("", description="What the button of the sign-in page calls the provider; else its host.")
    user_claim: str = Field(
        "preferred_username",
        description="Claim that is a person's name here, by which all that is theirs is kept; `email` only where the "
        "provider has verified it.",
    )
    group_claim: str = Field(
        "groups", description="Claim that lists a person's groups; dots lead into objects, as in `realm_access.roles`."
    )
    people_group: str = Field(
        "", description="Group whose members alone are let in; none lets in everybody whom the provider knows."
    )
    administrator_group: str = Field(
        "",
        description="Group whose members are administrators, at each sign-in anew; none leaves that to administrators.",
    )
    org_claim: str = Field(
        "",
        description="Claim that names the group of people who read what one of them shares, at each sign-in anew; of a "
        "list the first; none leaves that to administrators.",
    )

    @model_validator(mode="after")
    def _refuse_half_of_it(self) -> Self:
        if self.issuer is None:
            return self
        parts = urlsplit(self.issuer)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in LOOPBACK):
            raise ValueError("PALIMPSEST_OPENID__ISSUER must begin with https://, unless it is on this machine.")
        if not self.client_id:
            raise ValueError("PALIMPSEST_OPENID__ISSUER needs PALIMPSEST_OPENID__CLIENT_ID.")
        return self
