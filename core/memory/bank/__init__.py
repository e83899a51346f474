"""Implements the memory bank: lasting facts about a user, each stored once, with all earlier texts."""
