"""The parts of the page Ask."""
