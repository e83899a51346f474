"""Operates the workbench: backups, rebuilding the index, health checks and their remedies."""
