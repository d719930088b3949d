"""The server: its headers, its cookie, its address, its end."""

from __future__ import annotations

import asyncio
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import streamlit

from rag_graphs.errors import SetupError
from rag_graphs.server import Guard, policy, serve
from tests.conftest import ROOT, clean_environment

PAGE = [(b"content-type", b"text/html; charset=utf-8")]
HTML = "<html><head></head></html>"


def exchange(
    headers: list[tuple[bytes, bytes]], asked: list[tuple[bytes, bytes]], body: str, *, kind: str, scheme: str = "http"
) -> tuple[list[Any], list[tuple[bytes, bytes]]]:
    """What leaves the guard when the app behind it answers so, and the headers of the request that reached the app."""
    sent: list[Any] = []
    reached: list[tuple[bytes, bytes]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        reached.extend(scope["headers"])
        await send({"type": f"{kind}.response.start", "status": 200, "headers": headers})
        await send({"type": f"{kind}.response.body", "body": body.encode()})

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": kind, "scheme": scheme, "headers": asked}
    asyncio.run(Guard(app, HTML)(scope, None, send))  # type: ignore[arg-type]
    return sent, reached


def answer(
    headers: list[tuple[bytes, bytes]], cookie: str = "", *, kind: str = "http", scheme: str = "http"
) -> list[tuple[bytes, bytes]]:
    """The headers that leave the guard when the app behind it answers with `headers`."""
    asked = [(b"cookie", cookie.encode())] if cookie else []
    return list(exchange(headers, asked, "", kind=kind, scheme=scheme)[0][0]["headers"])


def cookies(headers: list[tuple[bytes, bytes]]) -> list[str]:
    return [v.decode() for n, v in headers if n == b"set-cookie"]


def test_every_answer_carries_the_security_headers() -> None:
    found = dict(answer([(b"Content-Security-Policy", b"img-src *"), (b"etag", b"1")]))
    assert found[b"content-security-policy"].startswith(b"default-src 'none'; script-src 'self'")
    assert found[b"referrer-policy"] == b"no-referrer"
    assert found[b"x-content-type-options"] == b"nosniff"
    assert found[b"etag"] == b"1"
    assert b"Content-Security-Policy" not in found


def test_a_websocket_passes_untouched() -> None:
    assert answer([(b"a", b"b")], kind="websocket") == [(b"a", b"b")]


def test_a_new_visitor_gets_a_cookie_that_cannot_be_guessed_or_read_by_scripts() -> None:
    (first,), (second,) = cookies(answer(PAGE)), cookies(answer(PAGE))
    name, _, rest = first.partition("=")
    assert name == "rag_visitor"
    assert len(rest.split(";")[0]) == 43
    assert rest.split("; ")[1:] == ["Max-Age=31536000", "Path=/", "HttpOnly", "SameSite=Lax"]
    assert first != second
    assert cookies(answer(PAGE, scheme="https"))[0].endswith("; Secure")


def test_only_pages_give_cookies() -> None:
    assert cookies(answer([(b"content-type", b"application/json")])) == []


@pytest.mark.parametrize(
    "beside", ["a=1; ", 'theme={"dark":1}; ', "two words=1; ", 'open="; ', "name=é; ", "p@th=1; ", "bare; "]
)
def test_a_known_visitor_keeps_the_cookie_whatever_other_apps_wrote(beside: str) -> None:
    token = "A-_z" * 10 + "abc"
    assert cookies(answer(PAGE, f"{beside}rag_visitor={token}")) == []


@pytest.mark.parametrize(
    "cookie", ["other=1", "rag_visitor=short", "rag_visitor=" + "é" * 43, "rag_visitor=" + "a" * 44, '"', ";=;"]
)
def test_a_cookie_that_we_did_not_write_is_replaced(cookie: str) -> None:
    assert len(cookies(answer(PAGE, cookie))) == 1


def test_the_policy_allows_the_pages_own_scripts_and_nothing_foreign() -> None:
    rules = dict(r.split(" ", 1) for r in policy("<script>a</script> <script src='x'></script>").split("; "))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "'self' data: blob:"
    assert "'sha256-ypeBEsobvcr6wjGzmiPcTaeG7/gUfE5yuYB3ha/uSLs='" in rules["script-src"]
    assert "unsafe-inline" not in rules["script-src"]
    assert not any("http" in sources or "*" in sources for sources in rules.values())


def test_a_page_tells_where_its_server_is_and_nothing_else_is_changed() -> None:
    length = [(b"content-length", str(len(HTML)).encode())]
    (start, page), reached = exchange(
        [*PAGE, *length], [(b"accept", b"text/html,*/*"), (b"accept-encoding", b"gzip")], HTML, kind="http"
    )
    assert b"BACKEND_BASE_URL: location.origin" in page["body"]
    assert dict(start["headers"])[b"content-length"] == str(len(page["body"])).encode()
    assert reached == [(b"accept", b"text/html,*/*")], "a compressed page could not be changed"
    (_, other), reached = exchange([*PAGE, *length], [(b"accept-encoding", b"gzip")], "<html>other</html>", kind="http")
    assert other["body"] == b"<html>other</html>"
    assert reached == [(b"accept-encoding", b"gzip")]


def test_the_pages_that_streamlit_serves_are_the_ones_that_are_changed() -> None:
    page = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    assert page.count("<head>") == 1
    assert "'sha256-" in policy(page)


def test_an_address_that_cannot_be_had_is_explained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SetupError, match=rf"cannot listen on 127.0.0.1, port {port}.*Choose another"):
            serve(port=port)
    with pytest.raises(SetupError, match=r"cannot listen on no\.such\.host\.invalid"):
        serve(host="no.such.host.invalid", port=0)


def test_it_says_its_address_once_it_answers_and_ends_on_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "rag_graphs", "serve", "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd="/",
        env=clean_environment(),
    )
    assert process.stdout
    said = process.stdout.readline()
    address = said.split()[2]
    try:
        with urllib.request.urlopen(f"{address}/_stcore/health") as health:
            assert health.status == 200
        with urllib.request.urlopen(address) as page:
            assert "frame-ancestors 'self'" in page.headers["Content-Security-Policy"]
            assert page.headers["Set-Cookie"].startswith("rag_visitor=")
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert said == f"RAG Graphs: {address}   (Ctrl-C ends it)\n"
    assert (process.returncode, out, err) == (0, "Stopped.\n", "")


def test_the_port_is_checked_by_the_command_line() -> None:
    for port in ("x", "-1", "65536"):
        done = subprocess.run(
            [sys.executable, "-m", "rag_graphs", "serve", "--port", port],
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=clean_environment(),
            check=False,
        )
        assert done.returncode == 2
        assert f"--port: {port!r} is no port: write a number from 0 to 65535" in done.stderr
