"""Keeps rows that were fetched from open data portals as datasets."""
