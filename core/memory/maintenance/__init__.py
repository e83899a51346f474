"""Maintains the stores: compares record store and index, rebuilds the index, backs up, restores,
and collects metrics."""
