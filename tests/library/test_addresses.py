"""Which addresses may be loaded from."""

from __future__ import annotations

import socket

import pytest

from rag_graphs.errors import SourceError
from rag_graphs.library.fetch.fetch import fetch
from rag_graphs.security import addresses
from rag_graphs.security.addresses import is_public, parse, resolve
from tests.library.conftest import ARTICLE, Server

PRIVATE = """
127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 0.0.0.0 0.1.2.3 100.64.0.1
100.100.100.200 192.0.0.1 192.0.2.1 198.18.0.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 :: ::1
::127.0.0.1 ::ffff:127.0.0.1 ::ffff:169.254.169.254 ::ffff:0:127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::1
fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 2002:7f00:1:: 2002:a9fe:a9fe:: 2001:0:1::1 2001:db8::1 100::1
192.0.0.8 192.0.0.192 192.88.99.1 3fff::1 ::ffff:192.0.0.192
"""
PUBLIC = "8.8.8.8 1.1.1.1 93.184.216.34 172.32.0.1 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"


def numbers(listed: str) -> list[str]:
    return listed.split()


@pytest.mark.parametrize("number", numbers(PRIVATE))
def test_private_numbers_are_not_public(number: str) -> None:
    assert not is_public(number)


@pytest.mark.parametrize("number", numbers(PUBLIC))
def test_public_numbers_are_public(number: str) -> None:
    assert is_public(number)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.0.0.1/",
        "http://0177.0.0.1/",
        "http://127.0.0.1./",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[fe80::1%25eth0]/",
        "http://0/",
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://１２７.0.0.1/",
        "http://127。0。0。1/",
        "http://169.254.169.254/latest/meta-data",
        "http://user:password@example.org/",
        "http://example.org@127.0.0.1/",
        "http://example.org:22/",
        "http://example.org:6379/",
        "file:///etc/passwd",
        "ftp://example.org/a",
        "gopher://example.org/",
        "javascript:alert(1)",
        "data:text/html,hello",
        "//127.0.0.1/",
        "127.0.0.1",
        "localhost",
        "localhost:8000/a",
    ],
)
def test_address_is_refused(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def connect(*_: object, **__: object) -> None:
        raise AssertionError("a connection was attempted")

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(SourceError) as caught:
        fetch(address)
    assert caught.value.kind in ("refused address", "bad address")
    assert str(caught.value).endswith(".")


@pytest.mark.parametrize(
    "address",
    [
        "",
        "   ",
        "http://",
        "http:///a",
        "https://[::1",
        "http://exa mple.org/",
        "http://a..b/",
        "http://example.org:99999/",
        "http://example.org:0/",
        "http://" + "a" * 300 + ".org/",
        "http://example.org/" + "a" * 3000,
        "http://exa\x00mple.org/",
        "http://%31%32%37.0.0.1/",
    ],
)
def test_what_is_no_address_is_told_so(address: str) -> None:
    with pytest.raises(SourceError) as caught:
        parse(address)
    assert caught.value.kind == "bad address"


@pytest.mark.parametrize(
    ("address", "url"),
    [
        ("example.org", "https://example.org/"),
        ("www.Example.org/A?b=c#part", "https://www.example.org/A?b=c"),
        ("http://example.org:80/x", "http://example.org/x"),
        ("http://example.org:8080", "http://example.org:8080/"),
        ("https://bücher.example/über", "https://xn--bcher-kva.example/%C3%BCber"),
        ("http://example.org/a b\r\nHost: evil", "http://example.org/a%20bHost:%20evil"),
        ("http://[2606:4700::1111]/x", "http://[2606:4700::1111]/x"),
        ("http://example.org/%E4%BD%A0?q=%20", "http://example.org/%E4%BD%A0?q=%20"),
    ],
)
def test_address_is_normalised(address: str, url: str) -> None:
    assert parse(address).url == url


def test_one_private_address_among_several_refuses_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (n, 80)) for n in ("93.184.216.34", "10.0.0.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(SourceError) as caught:
        resolve(parse("http://example.org/"), frozenset(), 5)
    assert caught.value.kind == "refused address"
    assert "example.org:80" in str(caught.value)


def test_the_checked_address_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers with another address the second time gains nothing."""
    looked_up: list[object] = []
    connected: list[object] = []

    def look_up(host: object, *_: object, **__: object) -> list[object]:
        looked_up.append(host)
        number = "93.184.216.34" if len(looked_up) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (number, 80))]

    def connect(address: tuple[str, int], **_: object) -> None:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(SourceError, match="refused the connection"):
        fetch("http://example.org/")
    assert looked_up == ["example.org"]
    assert connected == [("93.184.216.34", 80)]


def test_unknown_host(monkeypatch: pytest.MonkeyPatch) -> None:
    def look_up(*_: object, **__: object) -> None:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(SourceError) as caught:
        fetch("https://no-such-host.example/")
    assert caught.value.kind == "no connection"
    assert "no-such-host.example" in str(caught.value)


def test_a_look_up_that_hangs_is_given_up(monkeypatch: pytest.MonkeyPatch, server: Server) -> None:
    monkeypatch.setattr(addresses.socket, "getaddrinfo", lambda *_, **__: [server.stopping.wait(30)][1:])
    with pytest.raises(SourceError) as caught:
        resolve(parse("http://example.org/"), frozenset(), 0.05)
    assert caught.value.kind == "time-out"


def test_an_allowed_host_is_loaded_although_private(server: Server) -> None:
    url = server.put("/a", ARTICLE)
    assert fetch(url, allowed=frozenset([server.name])).body == ARTICLE.encode()


@pytest.mark.parametrize("entry", ["127.0.0.1", "127.0.0.1:1", "localhost:{port}", "127.0.0.2:{port}", "*", ""])
def test_only_exactly_the_named_host_and_port_is_allowed(server: Server, entry: str) -> None:
    url = server.put("/a", ARTICLE)
    port = server.name.rpartition(":")[2]
    with pytest.raises(SourceError):
        fetch(url, allowed=frozenset([entry.format(port=port)]))
    assert server.asked == []
