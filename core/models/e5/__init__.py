"""Runs the packaged embedding model: *texts* → vectors, with its own weights, tokenizer and graph under onnxruntime."""
