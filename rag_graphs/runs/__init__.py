"""Running a strategy, and what was recorded of a run."""
