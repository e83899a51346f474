"""Prevents one failing part from making all others fail: deadlines, circuit breakers, and overall health."""
