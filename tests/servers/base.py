"""What the stand-ins share: a threaded HTTP server on a free port, a log of requests, and faults that can be planned."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Lock, Thread
from typing import Any, Self


@dataclass(frozen=True)
class Request:
    """A request as it came in: `body` is its JSON, {} where there is none. Header names are in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """What a stand-in answers. `parts` are sent as chunks in place of `body`; `broken` ends them without their end."""

    status: int = 200
    body: Any = None
    parts: Iterable[bytes] = ()
    content_type: str = "application/json"
    broken: bool = False


@dataclass
class Fault:
    """A fault for the next `times` requests whose path contains `path`; -1 means all of them."""

    reply: Reply | None = None
    hang: bool = False
    break_off: bool = False
    path: str = ""
    times: int = -1


@dataclass
class StandIn(ABC):
    """A server to be used in a `with` block. `delay`: seconds before each answer; `faults`: see Fault."""

    delay: float = 0.0
    faults: list[Fault] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)

    @abstractmethod
    def answer(self, request: Request) -> Reply:
        """The reply to a request."""

    def __enter__(self) -> Self:
        self.lock, self.closing = Lock(), Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"stand_in": self}))
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def respond(self, request: Request) -> Reply | None:
        """The reply, or None when the connection is to be closed without one."""
        with self.lock:
            self.requests.append(request)
            fault = self._next_fault(request.path)
        if fault and fault.hang:
            self.closing.wait(60)
            return None
        if self.delay:
            self.closing.wait(self.delay)
        if fault and fault.reply:
            return fault.reply
        reply = self.answer(request)
        if fault and fault.break_off:
            parts = list(reply.parts)
            return Reply(
                reply.status, parts=parts[: max(1, len(parts) // 2)], content_type=reply.content_type, broken=True
            )
        return reply

    def _next_fault(self, path: str) -> Fault | None:
        for fault in self.faults:
            if fault.path in path and fault.times:
                fault.times -= 1
                return fault
        return None


class _Handler(BaseHTTPRequestHandler):
    stand_in: StandIn
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        text = self.rfile.read(length)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = Request(self.command, self.path, headers, json.loads(text) if text else {})
        reply = self.stand_in.respond(request)
        self.close_connection = True
        if reply is not None:
            self.send(reply)

    def do_GET(self) -> None:
        self.do_POST()

    def send(self, reply: Reply) -> None:
        try:
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.content_type)
            self.send_header("Connection", "close")
            self.chunks(reply) if reply.parts else self.whole(reply.body)
        except (BrokenPipeError, ConnectionResetError):
            pass  # the client went away, as it does after a time-out or a stopped run

    def whole(self, body: Any) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def chunks(self, reply: Reply) -> None:
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for part in reply.parts:
            self.wfile.write(f"{len(part):x}\r\n".encode() + part + b"\r\n")
            self.wfile.flush()
        if not reply.broken:
            self.wfile.write(b"0\r\n\r\n")

    def log_message(self, *_: Any) -> None:
        return
