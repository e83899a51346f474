"""Small files with one fault each, of kinds that people have met, and the expected results."""
