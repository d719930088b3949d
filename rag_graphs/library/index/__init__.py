"""Keep chunks with their vectors, and search them."""
