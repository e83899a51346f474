"""Keeps one failing part from failing all others: deadlines, circuit breakers, and overall health."""
