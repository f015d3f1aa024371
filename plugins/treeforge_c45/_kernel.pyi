def kernel(
    binary: bool, mdl_correction: bool, actual_value: bool, smallest_side: bool, grouping: bool = False
) -> object:
    """The capsule of C4.5's splitter."""
