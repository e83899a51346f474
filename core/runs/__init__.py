"""Runs, jobs and conversations: *work in the background* → events in order, that outlive a process."""
