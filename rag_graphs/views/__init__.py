"""What is shown of a run, as HTML and SVG, without Streamlit."""
