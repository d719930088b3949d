"""The app behind a content-security policy, with a cookie by which a visitor is known again.

`streamlit run streamlit_app.py` works too, without this second wall.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from rag_graphs.errors import SetupError

if TYPE_CHECKING:
    import streamlit as st
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCRIPT = Path(__file__).resolve().parent.parent / "streamlit_app.py"
COOKIE = "rag_visitor"
YEAR = 365 * 24 * 3600
FIRST_PORT = 8501
TOKEN = re.compile(r"[\w-]{43}", re.ASCII)
INLINE_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)


HERE_IS_THE_SERVER = "<script>window.__streamlit = {BACKEND_BASE_URL: location.origin + '/'}</script>"
"""Put into the page: without it, Streamlit's client asks below the address of each deep link first, which logs errors."""


class Guard:
    """ASGI middleware: security headers on every answer; on pages the cookie of a new visitor, and where the server is."""

    def __init__(self, app: ASGIApp, page: str) -> None:
        self._app = app
        told = page.replace("<head>", f"<head>{HERE_IS_THE_SERVER}", 1)
        self._page, self._told = page.encode(), told.encode()
        self._headers = [
            (b"content-security-policy", policy(told).encode()),
            (b"referrer-policy", b"no-referrer"),
            (b"x-content-type-options", b"nosniff"),
            (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        held: list[Message] = []

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                held.append(self._with_headers(scope, message))
                return
            if held:
                start = held.pop()
                if message.get("body") == self._page:
                    message["body"] = self._told
                    start["headers"] = [
                        (n, str(len(self._told)).encode() if n == b"content-length" else v) for n, v in start["headers"]
                    ]
                await send(start)
            await send(message)

        await self._app(_uncompressed(scope), receive, guarded)

    def _with_headers(self, scope: Scope, start: Message) -> Message:
        ours = {name for name, _ in self._headers}
        kept = [(n, v) for n, v in start.get("headers", []) if n.lower() not in ours]
        return {**start, "headers": [*kept, *self._headers, *_new_cookie(scope, kept)]}


def _uncompressed(scope: Scope) -> Scope:
    """The same request; one for a page does not offer to unpack it, so that something can be put into the page."""
    if not any(n == b"accept" and b"text/html" in v for n, v in scope["headers"]):
        return scope
    return {**scope, "headers": [(n, v) for n, v in scope["headers"] if n != b"accept-encoding"]}


def _new_cookie(scope: Scope, answer: list[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The header that makes a visitor known, if this answer is a page and the visitor is not known yet. Only pages: of
    several answers on their way at once, the last would win."""
    page = any(n.lower() == b"content-type" and v.startswith(b"text/html") for n, v in answer)
    if not page or _visitor(scope):
        return []
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    value = f"{COOKIE}={secrets.token_urlsafe(32)}; Max-Age={YEAR}; Path=/; HttpOnly; SameSite=Lax{secure}"
    return [(b"set-cookie", value.encode())]


def _visitor(scope: Scope) -> str:
    """The visitor's token, or '' for a new visitor or a cookie that we did not write."""
    # not http.cookies, which stops reading at the first cookie of another app that it finds odd
    sent: list[bytes] = [value for name, value in scope["headers"] if name == b"cookie"]
    for pair in b";".join(sent).decode("latin-1").split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE and TOKEN.fullmatch(value):
            return value
    return ""


def policy(page: str) -> str:
    """The content-security policy for a page: its own inline scripts are allowed by their hashes, nothing foreign is."""
    hashes = [base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in INLINE_SCRIPT.findall(page)]
    rules = {
        "default-src": "'none'",
        "script-src": " ".join(["'self'", "'wasm-unsafe-eval'", *(f"'sha256-{h}'" for h in hashes)]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "media-src": "'self' blob:",
        "connect-src": "'self'",
        "worker-src": "'self' blob:",
        "manifest-src": "'self'",
        "frame-ancestors": "'self'",
        "base-uri": "'self'",
        "form-action": "'self'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def create_app() -> st.App:
    """The app as an ASGI application, for `uvicorn --factory rag_graphs.server:create_app` and for `serve`."""
    import streamlit as st
    from starlette.middleware import Middleware
    from streamlit.runtime.pages_manager import PagesManager

    # st.navigation names the pages; until it has run once, the folder `pages` would be searched for them, and the first
    # visitor with a deep link be told that there is no such page
    PagesManager.uses_pages_directory = False
    page = (Path(st.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    return st.App(SCRIPT, middleware=[Middleware(Guard, page=page)])


def serve(
    host: str = "127.0.0.1", port: int | None = None, announce: Callable[[str], None] = lambda address: None
) -> None:
    """Serve the app until Ctrl-C. `port` None: 8501, or a free one if that is taken; 0: any free one. `announce` is told
    the address once it answers. Raises SetupError when the address cannot be used."""
    import uvicorn
    from streamlit import config

    listener = _listen(host, port)
    config.set_option("server.address", host)  # the pages ask whether the server listens to its own machine alone
    address = _address(host, listener.getsockname()[1])

    class Server(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets=sockets)
            if self.started:
                announce(address)
                # while the browser loads the page's scripts: what the page itself needs is slow to import
                Thread(target=_get_ready, name="get-ready", daemon=True).start()

    sys.path.insert(0, str(SCRIPT.parent))  # the app's scripts import this package, wherever the server was started
    served = uvicorn.Config(
        create_app(),
        log_level="warning",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=16
        * 1024
        * 1024,  # a pasted text is the longest message; files come by HTTP, bounded in config.toml
        timeout_graceful_shutdown=2,
    )
    with listener, suppress(KeyboardInterrupt):
        Server(served).run(sockets=[listener])


def _get_ready() -> None:
    """Import the graphs and lay them out, so that the first page finds both done."""
    import rag_graphs

    rag_graphs.warm(rag_graphs.all_strategies(), rag_graphs.load_settings())


def _listen(host: str, port: int | None) -> socket.socket:
    """A listening socket, bound here so that a port once found free cannot be taken by another."""
    wishes = [FIRST_PORT, 0] if port is None else [port]
    for wish in wishes:
        try:
            family = socket.getaddrinfo(host, wish, type=socket.SOCK_STREAM)[0][0]
            listener = socket.create_server((host, wish), family=family, backlog=2048)
        except OSError as error:
            reason = error.strerror or str(error)
        else:
            listener.setblocking(False)
            return listener
    raise SetupError(f"The app cannot listen on {host}, port {wishes[-1]}: {reason}. Choose another --host or --port.")


def _address(host: str, port: int) -> str:
    """What to type into a browser on this machine."""
    shown = {"0.0.0.0": "localhost", "::": "localhost"}.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"
