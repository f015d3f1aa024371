"""A tree on paper: one file a format."""
