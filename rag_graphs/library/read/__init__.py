"""Turn the bytes of a page or a document into text."""
