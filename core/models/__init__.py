"""Models behind protocols: *texts* → vectors, ranks, answers; packaged, or behind an address."""
