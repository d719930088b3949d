"""The program's version, as in pyproject.toml; a test compares the two."""

VERSION = "0.1.0"
