"""The parts of the page Sources."""
