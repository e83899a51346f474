"""Settings for incoming files and request bodies."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Uploads(BaseModel):
    """Incoming files and other request bodies."""

    unsubmitted_bytes: int = Field(
        500 * 1024 * 1024,
        ge=0,
        description="Maximum total size of one user's uploaded files that are not yet added to the library or a "
        "conversation, in bytes. More are refused until those are added. One file is always accepted.",
    )
    abandoned_hours: float = Field(
        1.0, gt=0, description="Hours after which an uploaded file that was never added is removed."
    )
    headers_seconds: float = Field(30.0, gt=0, description="Time for a request's headers to arrive.")
    first_byte_seconds: float = Field(30.0, gt=0, description="Time for the first byte of a request's body to arrive.")
    least_rate: int = Field(
        1024,
        ge=0,
        description="Minimum rate at which a request's body must arrive, in bytes per second; 0 means no minimum.",
    )
    rate_seconds: float = Field(30.0, gt=0, description="Seconds over which that rate is measured.")
