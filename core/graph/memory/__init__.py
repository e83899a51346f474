"""Connects the memory to a turn: recalls before the action, runs commands, and learns after the answer."""
