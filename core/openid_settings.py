"""Settings for sign-in with OpenID Connect (``docs/configuration.md``)."""

from __future__ import annotations

from typing import Self
from urllib.parse import urlsplit

from pydantic import BaseModel, Field, SecretStr, model_validator

from core.setting_groups import LOOPBACK


class OpenId(BaseModel):
    """Sign-in at an OpenID Connect provider (`docs/operations.md`, "Signing in at a provider")."""

    issuer: str | None = Field(
        None,
        description="The provider's issuer address, such as https://login.example.com/realms/office. If not set, "
        "OpenID Connect is off.",
    )
    client_id: str = Field("", description="Client id under which Palimpsest is registered at the provider.")
    client_secret: SecretStr | None = Field(
        None, description="Client secret at the provider. Not set for a public client, which uses only PKCE."
    )
    scopes: list[str] = Field(["openid", "profile", "email"], description="Requested scopes, as a JSON list.")
    name: str = Field(
        "", description="Name of the provider on the button of the sign-in page. If not set, its host name."
    )
    user_claim: str = Field(
        "preferred_username",
        description="Claim that becomes the user's name here. All of the user's data is stored under this name. "
        "`email` works only if the provider has verified it.",
    )
    group_claim: str = Field(
        "groups", description="Claim that lists a user's groups. Dots lead into objects, as in `realm_access.roles`."
    )
    people_group: str = Field(
        "", description="Only members of this group may sign in. If not set, every user of the provider may."
    )
    administrator_group: str = Field(
        "",
        description="Members of this group are administrators; checked at each sign-in. If not set, administrators "
        "assign the role.",
    )
    org_claim: str = Field(
        "",
        description="Claim that names the user's sharing group, whose members can read each other's shared "
        "documents; read at each sign-in. If the claim is a list, its first entry is used. If not set, "
        "administrators assign groups.",
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
