"""Settings of what arrives at the doors: files and other bodies of requests."""

from __future__ import annotations

from pydantic import BaseModel, Field


class Uploads(BaseModel):
    """Files and other bodies of requests while they arrive."""

    unsubmitted_bytes: int = Field(
        500 * 1024 * 1024,
        ge=0,
        description="Files of one person, in bytes, that were sent and not yet added to the library or a conversation; "
        "more are refused until they are. One file is always taken.",
    )
    abandoned_hours: float = Field(
        1.0, gt=0, description="Hours after which a file that was sent and never added is removed."
    )
    headers_seconds: float = Field(30.0, gt=0, description="Time for the headers of a request to arrive.")
    first_byte_seconds: float = Field(30.0, gt=0, description="Time for the first byte of a request's body to arrive.")
    least_rate: int = Field(1024, ge=0, description="Bytes a second at which a body has to arrive; 0 is no limit.")
    rate_seconds: float = Field(30.0, gt=0, description="Seconds over which that rate is measured.")
