"""What LangGraph's checkpointers keep of whole threads, as bytes: read from one engine, written to another as it is.

Through the checkpointers themselves every state would be made anew from the types of today; here nothing is opened.
"""
