"""The app: `streamlit run streamlit_app.py`, or behind a content-security policy `python -m rag_graphs serve`."""

from rag_graphs.ui.shared.frame import open_frame, run_page, warm_up

run_page(open_frame())
warm_up()
