"""Migrates data of an earlier version to this one (``upgrade``): backs up, runs missing steps, records the format."""
