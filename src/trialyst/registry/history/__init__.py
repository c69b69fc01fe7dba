"""What a registry held before: replaced and removed versions of studies, as compact differences."""
