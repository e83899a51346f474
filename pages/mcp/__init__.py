"""The workbench as a server of the Model Context Protocol: the marked actions as tools, documents and memories as
resources, the four actions as prompts. One more door beside the pages, for programs that speak for a person."""
