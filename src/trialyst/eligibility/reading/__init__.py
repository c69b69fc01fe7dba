"""A note read into a chart."""
