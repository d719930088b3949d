"""What the pages are drawn with: the only part of the package, besides the server, that knows Streamlit."""
