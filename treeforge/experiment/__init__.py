"""Many models: splits, metrics, cells, and the store of their results."""
