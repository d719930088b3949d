"""Fetching a web address safely: only checked addresses, with limits on size, time and redirects."""

from __future__ import annotations

import contextlib
import http.client
import socket
import ssl
import threading
import time
from dataclasses import dataclass, field
from urllib.parse import urljoin

from rag_graphs.errors import SourceError
from rag_graphs.library.bounds import DOCUMENT_BYTES, PAGE_BYTES
from rag_graphs.library.fetch.body import read_body
from rag_graphs.library.fetch.responses import check_status
from rag_graphs.security import addresses
from rag_graphs.security.addresses import Target

USER_AGENT = "RAG-Graphs/0.1 (teaching tool; loads single pages for its user)"
MAX_REDIRECTS = 5
MAX_SECONDS = 20.0  # in all, redirects and slow servers included
_CONNECT_SECONDS = 6.0  # for each numeric address of a host


@dataclass(frozen=True, kw_only=True)
class Fetched:
    """A reply. `address`: the last one, after redirects. `content_type`: the header as it arrived."""

    address: str
    body: bytes
    content_type: str = ""
    redirects: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The limits of a single load."""

    redirects: int = MAX_REDIRECTS
    size: int = PAGE_BYTES
    document_size: int = DOCUMENT_BYTES
    seconds: float = MAX_SECONDS


@dataclass(kw_only=True)
class _Clock:
    """The time left. When it runs out, the open socket is shut, so that a server that sends byte by byte cannot block a read."""

    seconds: float
    started: float = field(default_factory=time.monotonic)
    expired: bool = False
    sock: socket.socket | None = None

    def left(self) -> float:
        """Return the seconds left. Raises SourceError ("time-out") if there are none."""
        rest = self.seconds - (time.monotonic() - self.started)
        if self.expired or rest <= 0:
            raise self.error()
        return rest

    def expire(self) -> None:
        """Mark the time as up, and shut the open socket."""
        self.expired = True
        if self.sock is not None:
            with contextlib.suppress(OSError):
                # not SSLSocket's own shutdown, which drops the TLS state that a read in progress still uses
                socket.socket.shutdown(self.sock, socket.SHUT_RDWR)

    def error(self) -> SourceError:
        return SourceError(
            "time-out",
            f"The page did not arrive within {self.seconds:g} seconds. Try again later, or use another page.",
        )


def fetch(address: str, *, allowed: frozenset[str] = frozenset(), limits: Limits | None = None) -> Fetched:
    """Load a web address. `allowed`: `host:port` names that may be private. Raises SourceError, whose kind says what happened.
    Proxies of the environment are not used, because a proxy would resolve names unchecked."""
    limits = limits or Limits()
    clock = _Clock(seconds=limits.seconds)
    timer = threading.Timer(limits.seconds, clock.expire)
    timer.daemon = True
    timer.start()
    try:
        return _follow(addresses.parse(address), allowed, limits, clock)
    except (OSError, http.client.HTTPException) as error:
        if clock.expired or isinstance(error, TimeoutError):
            raise clock.error() from None
        raise _in_words(error) from None
    finally:
        timer.cancel()


def _follow(target: Target, allowed: frozenset[str], limits: Limits, clock: _Clock) -> Fetched:
    redirects: list[str] = []
    while True:
        reply = _request(target, allowed, limits, clock)
        if isinstance(reply, Fetched):
            return Fetched(
                address=reply.address, body=reply.body, content_type=reply.content_type, redirects=tuple(redirects)
            )
        redirects.append(target.url)
        if len(redirects) > limits.redirects or reply in redirects:
            raise SourceError(
                "redirects",
                f"The page sends its readers on and on ({len(redirects)} times). Open it in a browser and use its final address.",
            )
        target = addresses.parse(reply)


def _request(target: Target, allowed: frozenset[str], limits: Limits, clock: _Clock) -> Fetched | str:
    """Make one request, and return the page or the address to which it redirects."""
    numbers = addresses.resolve(target, allowed, clock.left())
    sock = _connect(target, numbers, clock)
    clock.sock = sock
    connection = http.client.HTTPConnection(target.host, target.port)
    connection.auto_open = 0  # it would look the name up again, unchecked
    connection.sock = sock
    try:
        clock.left()
        connection.putrequest("GET", target.path, skip_host=True, skip_accept_encoding=True)
        for name, value in _headers(target).items():
            connection.putheader(name, value)
        connection.endheaders()
        with connection.getresponse() as reply:
            location = reply.getheader("Location")
            if reply.status in (301, 302, 303, 307, 308) and location:
                return urljoin(target.url, location.encode("latin-1", "replace").decode("utf-8", "replace").strip())
            check_status(reply, target.host)
            may_be_document = _may_be_document(reply.getheader("Content-Type") or "", target.path)
            body = read_body(reply, limits.document_size if may_be_document else limits.size)
            clock.left()
            return Fetched(address=target.url, body=body, content_type=reply.getheader("Content-Type") or "")
    finally:
        clock.sock = None
        connection.close()
        sock.close()


def _may_be_document(content_type: str, path: str) -> bool:
    """Return whether this can be a PDF or a Word document, by its type or its name. Those may be larger than a page."""
    media = content_type.partition(";")[0].strip().lower()
    binary = media.startswith("application/") and not media.endswith(("xml", "json", "javascript"))
    return binary or path.partition("?")[0].lower().endswith((".pdf", ".docx"))


def _headers(target: Target) -> dict[str, str]:
    return {
        "Host": target.host_header,
        "User-Agent": USER_AGENT,
        "Accept": "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, */*;q=0.1",
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
    }


def _connect(target: Target, numbers: list[str], clock: _Clock) -> socket.socket:
    """Connect to the first numeric address that answers. The host's name is only used to verify the certificate."""
    failure: OSError = OSError("no address")
    for number in numbers:
        sock = None
        try:
            sock = socket.create_connection((number, target.port), timeout=min(_CONNECT_SECONDS, clock.left()))
            sock.settimeout(clock.left())
            clock.sock = sock
            return _secured(sock, target, clock) if target.scheme == "https" else sock
        except OSError as error:
            failure = error
            if sock is not None:
                sock.close()
            if isinstance(error, ssl.SSLError):
                break
    raise failure


def _secured(sock: socket.socket, target: Target, clock: _Clock) -> ssl.SSLSocket:
    context = ssl.create_default_context()
    secured = context.wrap_socket(sock, server_hostname=target.host, do_handshake_on_connect=False)
    clock.sock = secured
    try:
        secured.do_handshake()
    except OSError:
        secured.close()
        raise
    return secured


def _in_words(error: OSError | http.client.HTTPException) -> SourceError:
    if isinstance(error, ssl.SSLCertVerificationError):
        return SourceError(
            "certificate",
            f"The site's certificate is not valid ({error.verify_message}). The page was not loaded; use another one.",
        )
    if isinstance(error, ssl.SSLError):
        return SourceError(
            "no connection", "No secure connection could be made. If the site has no https, write http://."
        )
    if isinstance(error, ConnectionRefusedError):
        return SourceError("no connection", "The server refused the connection. Check the address and the port.")
    if isinstance(error, http.client.IncompleteRead | ConnectionResetError | http.client.RemoteDisconnected):
        return SourceError("broken off", "The server broke off before the page was complete. Try again.")
    if isinstance(error, http.client.HTTPException):
        return SourceError("bad reply", "The server's reply does not follow HTTP. Check the address and the port.")
    return SourceError(
        "no connection",
        f"No connection could be made ({error.strerror or 'network error'}). Check the address and the network.",
    )
