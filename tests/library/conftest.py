"""A local server with hostile pages, and an embedder that needs no weights."""

from __future__ import annotations

import hashlib
import math
import re
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from rag_graphs.language.text import tokens
from rag_graphs.library import Library
from rag_graphs.library.read import apart, reader
from rag_graphs.settings import Settings

Answer = Callable[[BaseHTTPRequestHandler], None]

PROSE = (
    "The lighthouse on the northern cape was built in 1874 by two brothers who had learned their trade in the harbour towns. "
    "Its lamp burned whale oil at first, later paraffin, and since 1931 it has been lit by electricity from a small turbine. "
    "Keepers lived there with their families until the last of them retired, and the garden that they planted still grows. "
    "Visitors may climb the ninety steps on summer weekends, when a volunteer explains how the lens was ground and mounted. "
    "The foghorn is sounded once a year, on the day of the founding, and it can be heard on the island across the strait. "
)


def page(body: str, *, title: str = "The lighthouse", head: str = "", lang: str = "en") -> str:
    return f'<!DOCTYPE html><html lang="{lang}"><head><title>{title}</title>{head}</head><body>{body}</body></html>'


ARTICLE = page(f"<main><h1>The lighthouse</h1><p>{PROSE}</p></main>")


class Server:
    """Answers each path with what a test put there: text, bytes, or a function that writes whatever it likes."""

    def __init__(self) -> None:
        self.answers: dict[str, Answer] = {}
        self.asked: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.stopping = threading.Event()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.0"

            def do_GET(self) -> None:
                server.asked.append(self.path)
                server.headers.append(dict(self.headers.items()))
                answer = server.answers.get(self.path.partition("?")[0])
                if answer is None:
                    self.send_error(404)
                    return
                try:
                    answer(self)
                except OSError:
                    self.close_connection = True  # the client had enough, which is what these tests are about

            def log_message(self, *_: object) -> None:
                pass

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self.name = f"127.0.0.1:{self._http.server_port}"
        threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()

    def url(self, path: str) -> str:
        return f"http://{self.name}{path}"

    def put(
        self,
        path: str,
        body: str | bytes,
        *,
        kind: str | None = "text/html; charset=utf-8",
        status: int = 200,
        **headers: str,
    ) -> str:
        """Serve a body and return its address."""
        data = body.encode() if isinstance(body, str) else body

        def answer(handler: BaseHTTPRequestHandler) -> None:
            handler.send_response(status)
            if kind is not None:
                handler.send_header("Content-Type", kind)
            for name, value in headers.items():
                handler.send_header(name.replace("_", "-"), value)
            handler.end_headers()
            handler.wfile.write(data)

        self.answers[path] = answer
        return self.url(path)

    def raw(self, path: str, write: Callable[[socket.socket], None]) -> str:
        """Let a function write to the bare connection and return the address."""
        self.answers[path] = lambda handler: write(handler.connection)
        return self.url(path)

    def close(self) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.close()


class WordVectors:
    """Embeds by hashed tokens: texts that share words are near each other. Counts what it was asked."""

    dimension = 64

    def __init__(self, name: str = "minilm") -> None:
        self.name = name
        self.embedded: list[str] = []
        self._lock = threading.Lock()

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        with self._lock:
            self.embedded += texts
        return [self.embed_query(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        vector = [0.0] * self.dimension
        for token in tokens(text):
            vector[hashlib.sha256(token.encode()).digest()[0] % self.dimension] += 1.0
        length = math.sqrt(sum(x * x for x in vector)) or 1.0
        return [x / length for x in vector]

    def count_tokens(self, text: str) -> int:
        return len(re.findall(r"[\u3041-\u9fff\uac00-\ud7a3\u0e01-\u0e5b]|[^\W_]+|[^\w\s]", text))


class Embedders:
    """One fake for each name."""

    def __init__(self) -> None:
        self.made: dict[str, WordVectors] = {}

    def __call__(self, name: str, settings: Settings) -> WordVectors:
        return self.made.setdefault(name, WordVectors(name))

    def embedded(self, name: str) -> list[str]:
        return self.made[name].embedded if name in self.made else []


@pytest.fixture
def embedders() -> Embedders:
    return Embedders()


@pytest.fixture
def library(server: Server, embedders: Embedders) -> Library:
    return Library(None, allowed_hosts=frozenset([server.name]), find_embedder=embedders)


@pytest.fixture
def near(monkeypatch: pytest.MonkeyPatch) -> None:
    """PDF and Word files are read in this process, which is quicker: for files that do no harm."""
    monkeypatch.setattr(apart, "run", reader.answer)


@pytest.fixture
def settings() -> Settings:
    """The defaults alone: the constructor would read the environment."""
    return Settings.model_validate({})
