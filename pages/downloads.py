"""What is taken out as a file is noted in the audit trail: *a download* -> an entry with whose, what and from where."""

from __future__ import annotations

from core.workbench import Workbench
from pages.auth import Requested, address_of, settled


async def note_download(workbench: Workbench, user_id: str, action: str, subject: str, request: Requested) -> None:
    """``subject`` is the file's name."""
    caller = settled(request)
    await workbench.audit.note(
        user_id,
        "exported",
        action=action,
        subject=subject,
        address=address_of(request),
        by=caller.by if caller else "session",
    )
