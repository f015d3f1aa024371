"""One YAML file: from its text to a finished run."""
