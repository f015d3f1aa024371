"""Papers: one file a format, from results alone."""
