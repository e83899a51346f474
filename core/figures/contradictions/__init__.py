"""Finds and stores figures that two documents print differently: restated values and contradictions."""
