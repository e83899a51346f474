"""What a message asks for: which action, how many questions, in what form, whether beyond the documents [spec A3]."""
