"""What is kept of an API key."""

from __future__ import annotations

from pydantic import BaseModel, Field


class ApiKey(BaseModel):
    """A key of one person's programs; of the key itself only its beginning, to know it again, and its SHA-256 are kept.

    Times are epoch seconds; ``last_used_at`` is right to a minute.
    """

    id: str = Field(alias="_id")
    user_id: str
    name: str
    prefix: str
    digest: str
    created_at: float
    last_used_at: float | None = None
    version: int = 0

    model_config = {"populate_by_name": True}
