"""Show a run as HTML and SVG, without Streamlit."""
