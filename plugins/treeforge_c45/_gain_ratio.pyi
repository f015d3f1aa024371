def kernel(average_rule: bool) -> object:
    """The capsule of the gain ratio criterion."""
