"""Plain questions for one cell of a table: its row and its column named by the words of the question."""
