"""TreeForge, the laboratory for decision trees."""
