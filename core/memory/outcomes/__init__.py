"""What people say of answers, and what that makes of memories: outcomes, counts, scores."""
