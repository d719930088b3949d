"""A run as a report in one HTML file."""
