"""One model: from a dataset and a choice of plugins to something that predicts."""
