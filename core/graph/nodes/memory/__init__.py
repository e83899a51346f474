"""The nodes that read, answer from and change the memory."""
