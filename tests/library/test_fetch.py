"""Loading against servers that misbehave in every way that HTTP allows."""

from __future__ import annotations

import gzip
import socket
import ssl
import zlib

import pytest

from rag_graphs.errors import SourceError
from rag_graphs.library.fetch.fetch import USER_AGENT, Fetched, Limits, fetch
from tests.library.conftest import ARTICLE, Server


def load(server: Server, url: str, **limits: float) -> Fetched:
    return fetch(url, allowed=frozenset([server.name]), limits=Limits(**limits))  # type: ignore[arg-type]


def failure(server: Server, url: str, **limits: float) -> SourceError:
    with pytest.raises(SourceError) as caught:
        load(server, url, **limits)
    message = str(caught.value)
    assert message[0].isupper() or message[0].isdigit()
    assert message.endswith(".")
    return caught.value


def test_a_page_and_what_was_asked(server: Server) -> None:
    reply = load(server, server.put("/a", ARTICLE) + "#part")
    assert reply.body == ARTICLE.encode()
    assert reply.content_type == "text/html; charset=utf-8"
    assert reply.address == server.url("/a")
    assert server.headers[0]["User-Agent"] == USER_AGENT
    assert server.headers[0]["Host"] == server.name


def test_proxy_settings_of_the_environment_are_not_used(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "https_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    assert load(server, server.put("/a", ARTICLE)).body


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (401, "login needed"),
        (403, "forbidden"),
        (404, "not found"),
        (410, "not found"),
        (418, "refused by the server"),
        (429, "too many requests"),
        (451, "forbidden"),
        (500, "server error"),
        (503, "server error"),
        (204, "empty page"),
        (206, "refused by the server"),
        (300, "refused by the server"),
        (304, "refused by the server"),
    ],
)
def test_an_error_status_is_never_taken_for_the_page(server: Server, status: int, kind: str) -> None:
    error = failure(server, server.put("/a", ARTICLE, status=status))
    assert error.kind == kind
    assert str(status) in str(error)


def test_a_challenge_is_a_bot_wall_whatever_its_status(server: Server) -> None:
    for status in (202, 403, 503):
        assert failure(server, server.put("/a", ARTICLE, status=status, cf_mitigated="challenge")).kind == "bot wall"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed(server: Server, status: int) -> None:
    server.put("/b/c", ARTICLE)
    reply = load(server, server.put("/b/a", "", status=status, Location="c?x=1"))
    assert reply.address == server.url("/b/c?x=1")
    assert reply.redirects == (server.url("/b/a"),)


@pytest.mark.parametrize(
    "target",
    [
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost/",
        "//127.0.0.1/",
        "http://[::1]:8000/",
        "http://2130706433/",
        "file:///etc/passwd",
        "ftp://example.org/",
        "javascript:alert(1)",
        "http://user@example.org/",
    ],
)
def test_a_redirect_to_a_forbidden_place_is_refused(server: Server, target: str) -> None:
    url = server.put("/a", "", status=302, Location=target)
    assert failure(server, url).kind in ("refused address", "bad address")
    assert server.asked == ["/a"]


def test_a_redirect_to_another_port_of_an_allowed_host_is_refused(server: Server) -> None:
    other = Server()
    try:
        url = server.put("/a", "", status=302, Location=other.put("/secret", ARTICLE))
        assert failure(server, url).kind == "refused address"
        assert other.asked == []
    finally:
        other.close()


def test_a_redirect_loop_and_a_long_chain_end(server: Server) -> None:
    server.put("/a", "", status=302, Location="/b")
    assert failure(server, server.put("/b", "", status=302, Location="/a")).kind == "redirects"
    for n in range(9):
        server.put(f"/{n}", "", status=302, Location=f"/{n + 1}")
    server.put("/9", ARTICLE)
    server.asked.clear()
    assert failure(server, server.url("/0")).kind == "redirects"
    assert len(server.asked) == 6
    assert load(server, server.url("/4")).body == ARTICLE.encode()


def test_a_redirect_without_a_target_is_no_page(server: Server) -> None:
    assert failure(server, server.put("/a", ARTICLE, status=302)).kind == "refused by the server"


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress, lambda b: zlib.compress(b)[2:-4]])
def test_packed_pages_are_unpacked(server: Server, pack: object) -> None:
    name = "gzip" if pack is gzip.compress else "deflate"
    url = server.put("/a", pack(ARTICLE.encode()), Content_Encoding=name)  # type: ignore[operator]
    assert load(server, url).body == ARTICLE.encode()


def test_several_gzip_members_are_one_page(server: Server) -> None:
    packed = gzip.compress(ARTICLE[:50].encode()) + gzip.compress(ARTICLE[50:].encode())
    assert load(server, server.put("/a", packed, Content_Encoding="x-gzip")).body == ARTICLE.encode()


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "nonsense"])
def test_a_packing_that_was_not_asked_for_is_told(server: Server, encoding: str) -> None:
    assert failure(server, server.put("/a", b"xxxx", Content_Encoding=encoding)).kind == "bad reply"


def test_damaged_packing_is_told(server: Server) -> None:
    broken = gzip.compress(ARTICLE.encode())[:60] + b"\xff" * 200
    assert failure(server, server.put("/a", broken, Content_Encoding="gzip")).kind == "bad reply"


def test_a_bomb_is_stopped_while_it_unfolds(server: Server) -> None:
    bomb = gzip.compress(b"\0" * 60_000_000)
    assert len(bomb) < 100_000
    assert failure(server, server.put("/a", bomb, Content_Encoding="gzip")).kind == "too large"
    members = gzip.compress(b"a" * 400_000) * 40
    assert failure(server, server.put("/b", members, Content_Encoding="gzip")).kind == "too large"


def test_too_large_by_announcement_and_by_count(server: Server) -> None:
    assert failure(server, server.put("/a", "short", Content_Length="99999999")).kind == "too large"
    assert failure(server, server.put("/b", b"x" * 1001), size=1000).kind == "too large"
    assert load(server, server.put("/c", b"x" * 1000), size=1000).body == b"x" * 1000


def _drip(server: Server, first: bytes) -> object:
    def write(connection: socket.socket) -> None:
        connection.sendall(first)
        while not server.stopping.wait(0.02):
            connection.sendall(b"x")

    return write


@pytest.mark.parametrize(
    "first",
    [
        b"",
        b"HTTP/1.1 200 OK\r\nX-Slow: ",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n<p>",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nf4240\r\n",
    ],
)
def test_an_endless_drip_ends_at_the_limit(server: Server, first: bytes) -> None:
    url = server.raw("/a", _drip(server, first))  # type: ignore[arg-type]
    assert failure(server, url, seconds=0.4).kind == "time-out"


def test_endless_continues_end_at_the_limit(server: Server) -> None:
    def write(connection: socket.socket) -> None:
        while not server.stopping.is_set():
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")

    assert failure(server, server.raw("/a", write), seconds=0.4).kind == "time-out"


def test_a_server_that_says_nothing_ends_at_the_limit(server: Server) -> None:
    url = server.raw("/a", lambda _: bool(server.stopping.wait(20)) or None)
    assert failure(server, url, seconds=0.3).kind == "time-out"


@pytest.mark.parametrize(
    ("reply", "kinds"),
    [
        (b"", {"broken off"}),
        (b"SSH-2.0-OpenSSH_9.2\r\n", {"bad reply"}),
        (b"HTTP/1.1 abc\r\n\r\n", {"bad reply"}),
        (b"HTTP/1.1 200 OK\r\nX: " + b"a" * 70_000 + b"\r\n\r\n", {"bad reply"}),
        (b"HTTP/1.1 200 OK\r\n" + b"X: a\r\n" * 200 + b"\r\n", {"bad reply"}),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nshort", {"broken off"}),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", {"broken off", "bad reply"}),
    ],
)
def test_replies_that_do_not_follow_http(server: Server, reply: bytes, kinds: set[str]) -> None:
    assert failure(server, server.raw("/a", lambda connection: connection.sendall(reply))).kind in kinds


def test_an_old_reply_without_length_is_read_to_its_end(server: Server) -> None:
    reply = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n" + ARTICLE.encode()
    assert load(server, server.raw("/a", lambda connection: connection.sendall(reply))).body == ARTICLE.encode()


def test_a_refused_connection(server: Server) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        name = f"127.0.0.1:{free.getsockname()[1]}"
    with pytest.raises(SourceError) as caught:
        fetch(f"http://{name}/", allowed=frozenset([name]))
    assert caught.value.kind == "no connection"


def test_https_against_a_server_without_it(server: Server) -> None:
    with pytest.raises(SourceError) as caught:
        fetch(f"https://{server.name}/", allowed=frozenset([server.name]))
    assert caught.value.kind in ("no connection", "broken off")


def test_an_invalid_certificate_is_named(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrap(*_: object, **__: object) -> None:
        error = ssl.SSLCertVerificationError(1, "certificate verify failed")
        error.verify_message = "self-signed certificate"
        raise error

    monkeypatch.setattr(ssl.SSLContext, "wrap_socket", wrap)
    with pytest.raises(SourceError) as caught:
        fetch(f"https://{server.name}/", allowed=frozenset([server.name]))
    assert caught.value.kind == "certificate"
    assert "self-signed" in str(caught.value)
