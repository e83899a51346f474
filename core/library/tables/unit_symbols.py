"""Matches unit symbols, single or combined: "kWh", "mg/kg", "m³", "t CO₂e"."""

from __future__ import annotations

_BASE = (
    r"(?:da|[kKMGTPmcdhµμn])?(?:Wh|Wp|VA|Pa|Hz|Bq|Sv|mol|cal|bar|eq|dB|ha|[gtmlLsWVAJNBΩ])|ppm|ppb|rpm|mph|kn|TEU|FTE|"
    r"t ?CO[2₂]e?|[°º][CF]|min|hrs?|ft|lb|oz|bbl|boe"
)


def symbols(others: str = "") -> str:
    """The pattern for a symbol, or for up to three combined symbols.

    Args:
        others: further patterns that count as symbols too.
    """
    one = rf"(?:{_BASE}{'|' + others if others else ''})(?:[²³23]|\^[23])?"
    return rf"(?:{one})(?:\s?[/·]\s?{one}){{0,2}}"
