"""Which addresses may be reached, and who a visitor is."""
