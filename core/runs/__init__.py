"""Manages runs, jobs and conversations: *work in the background* → ordered events that survive the process."""
