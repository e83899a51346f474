"""The workbench as a server of the Model Context Protocol (MCP), for programs that act for a user. Marked actions are
its tools, documents and memories its resources, and four actions its prompts."""
