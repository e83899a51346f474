"""Shares data between several processes through Redis, in addition to record store and index; all of it may be lost."""
