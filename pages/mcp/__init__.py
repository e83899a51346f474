"""The workbench as a server of the Model Context Protocol: marked actions as tools, documents and memories as
resources,
four actions as prompts. It is one more interface, for programs that act for a user."""
