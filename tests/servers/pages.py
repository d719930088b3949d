"""A web server on loopback with a few pages, for the library to load."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

NOT_HERE = (404, "<html><body>Not here</body></html>")


@contextmanager
def pages(by_path: Mapping[str, str | tuple[int, str]]) -> Iterator[str]:
    """Serves HTML by path, with status 200 or the one given; yields `host:port`."""

    class Pages(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found = by_path.get(self.path, NOT_HERE)
            status, body = found if isinstance(found, tuple) else (200, found)
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
