"""Decides whether and how long each model is called: circuit breakers and the patience for small tasks."""
