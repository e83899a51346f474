"""What support would ask: the machine and its data directory, the stores, the models, the work that waits."""
