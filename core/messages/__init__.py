"""Contains all texts for users by key: one file per language in this folder. To add a language, add a file.

The rest of the codebase calls ``message("library.sets.taken", name=...)``; the result is ``core.words.Words``.
"""

from core.messages.catalogue import message, message_group
from core.messages.remaining_time import about_minutes

__all__ = ["about_minutes", "message", "message_group"]
