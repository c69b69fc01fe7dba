"""One leaf of a requirement compared with a chart; `evaluate` joins them."""
