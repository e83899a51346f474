"""Diagnoses problems: checks the machine, the data directory, the stores, the models and the waiting work."""
