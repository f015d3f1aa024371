"""Who is better: the statistical tests, their corrections and effect sizes."""
