"""Fetch pages from the web, within bounds."""
