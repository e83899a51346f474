"""The memory in a turn: recalled before the action, told by command, learned from after the answer."""
