"""Runs the packaged embedding model with onnxruntime: converts texts to vectors, with its own weights, tokenizer and
graph."""
