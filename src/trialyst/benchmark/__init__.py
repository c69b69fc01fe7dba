"""Measuring what Trialyst tells against what experts said: any judge, or none, on the same rows."""
