"""Records calls of a chat model and answers from the recordings."""
