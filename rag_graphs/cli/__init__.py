"""Run the command line: one file for each command, and `main.py`."""
