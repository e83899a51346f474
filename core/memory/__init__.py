"""The memory: *what was asked, answered and said of it* → items, recalled by likeness and by how they did."""
