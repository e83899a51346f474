"""Looks up and computes figures: numbers with their measure, company, period, unit, scale and table cell."""
