"""Symbols of units of measure, alone or one by another: "kWh", "mg/kg", "m³", "t CO₂e"."""

from __future__ import annotations

_BASE = (
    r"(?:da|[kKMGTPmcdhµμn])?(?:Wh|Wp|VA|Pa|Hz|Bq|Sv|mol|cal|bar|eq|dB|ha|[gtmlLsWVAJNBΩ])|ppm|ppb|rpm|mph|kn|TEU|FTE|"
    r"t ?CO[2₂]e?|[°º][CF]|min|hrs?|ft|lb|oz|bbl|boe"
)


def symbols(others: str = "") -> str:
    """The pattern of a symbol, or of up to three of them one by another.

    Args:
        others: alternatives, as a pattern, that count as symbols too.
    """
    one = rf"(?:{_BASE}{'|' + others if others else ''})(?:[²³23]|\^[23])?"
    return rf"(?:{one})(?:\s?[/·]\s?{one}){{0,2}}"
