"""Why a run was interrupted, in words for people: what ended it → the problem that its readers see."""

from __future__ import annotations

from core.errors import PalimpsestError, fail


def died() -> PalimpsestError:
    """An answer whose process ended."""
    return fail("server", "runs.interruptions.died")


def unsaved() -> PalimpsestError:
    """An answer whose end could not be written."""
    return fail("server", "runs.interruptions.unsaved")


def stopped() -> PalimpsestError:
    """A reading whose process ended before it began."""
    return fail("server", "runs.interruptions.stopped")


class UnfinishedError(Exception):
    """What a job works on could not be reached: it is begun anew, here or elsewhere, when its lease is over."""
