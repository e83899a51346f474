"""Scores candidates: calibration, fusion, and features of a passage."""
