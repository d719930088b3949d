"""`python -m rag_graphs`: the command line."""

import sys

from rag_graphs.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
