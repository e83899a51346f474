"""What keeps one failing part from failing all: deadlines, breakers, and the health that they add up to."""
