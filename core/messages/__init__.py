"""Every sentence for people, by key: one file a language beside this one, and a language more is one file more.

``message("library.sets.taken", name=...)`` is what the rest of the house calls; ``core.words.Words`` is what travels.
"""

from core.messages.catalogue import message, message_group
from core.messages.remaining_time import about_minutes

__all__ = ["about_minutes", "message", "message_group"]
