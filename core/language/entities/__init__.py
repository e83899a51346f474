"""Extracts facts from English and Hebrew text: numbers with units and limits, dates, names."""
