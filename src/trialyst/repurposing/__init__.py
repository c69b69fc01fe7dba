"""Repurposing: what has been tried for a drug and a condition, and why it stopped."""
