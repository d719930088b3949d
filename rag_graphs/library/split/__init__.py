"""Cut a text into chunks."""
