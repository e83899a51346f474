"""Records that several rooms write and pages read: an answer's line, a question's subject, what the memory gave."""
