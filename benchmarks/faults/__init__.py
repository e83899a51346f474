"""Small files with a fault of a kind that people have met, each with what has to come of it."""
