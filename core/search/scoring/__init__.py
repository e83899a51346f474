"""How candidates are scored: calibration, fusion, and what speaks for a passage."""
