"""Measures over financial statements without a model: question and statements → value, change, ratio or judgement."""
