"""The parts of the page Traces."""
