"""How a tree grows: knows arrays, not files, names or plugins."""
