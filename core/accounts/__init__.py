"""Manages access: users with their passwords, roles and sessions, and the API keys of their programs."""
