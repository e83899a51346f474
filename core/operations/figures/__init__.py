"""Measures runs: durations, tokens and failures, counted in memory and stored per day."""
