"""Corrections: the right answers that users typed for answers that failed."""
