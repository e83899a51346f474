"""The memory bank: lasting facts about a person, each once, with every earlier text kept."""
