"""Speed of the registry beside SQLite FTS5, on records derived from real ones."""
