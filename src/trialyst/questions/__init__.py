"""A caller's arguments to a `TrialQuery`, read once, and how they were understood."""
