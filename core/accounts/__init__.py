"""Manages access: users with their passwords, roles and sessions, and their programs' API keys."""
