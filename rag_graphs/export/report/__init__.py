"""Write a run as a report in one HTML file, and its graph as a picture."""
