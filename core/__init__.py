"""The workbench without its pages: documents, questions and outcomes in; cited answers, events and memories out."""
