"""Reading a note: extractors, each of which finds facts of some kinds."""
