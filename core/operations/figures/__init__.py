"""Measures runs: time, tokens and failures, counted in memory and stored by day."""
