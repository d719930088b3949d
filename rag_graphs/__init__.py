"""RAG Graphs: see, teach and compare self-correcting retrieval-augmented generation.

The public names stand in `__init__.pyi`, once: all that pages, the user interface and the command line may import. Each is
loaded when it is first used, so that importing the package costs nothing.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
