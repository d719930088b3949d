"""Components that need no key and no model server: embeddings, graders, a rewriter, a router and an extractive generator."""
