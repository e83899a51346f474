"""What a message asks for and which documents it means."""
