"""Migrates data of an earlier version to this version (``upgrade``): makes a backup, runs the missing steps, records
the format."""
