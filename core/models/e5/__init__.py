"""The packaged embedding model: *texts* → vectors, by its own weights, tokens and graph under onnxruntime."""
