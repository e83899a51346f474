"""What the memory knows of concepts: three graphs that are read as one [spec K1-K5; 001 §4.4]."""
