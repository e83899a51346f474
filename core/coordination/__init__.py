"""What several processes share beside truth and index, in Redis: nothing that could not be lost."""
