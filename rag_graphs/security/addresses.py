"""Checking that an address belongs to the public web, after its name is resolved.

Visitors of a shared server must not be able to read the server's own network. So every numeric address that a name resolves
to is checked, and the caller connects to the checked number itself, because a second look-up could give another one.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import threading
from dataclasses import dataclass
from urllib.parse import quote, urlsplit

from rag_graphs.errors import SourceError

USUAL_PORTS = frozenset({80, 443, 8000, 8008, 8080, 8443, 8888})
MAX_ADDRESS = 2000  # characters

# A public number that a cloud's own service answers.
_CLOUD = frozenset({ipaddress.ip_address("168.63.129.16")})
# Reserved by IANA for protocols and documentation; Python's tables differ from version to version. One cloud serves its
# machines' credentials at 192.0.0.192.
_SET_ASIDE = tuple(ipaddress.ip_network(n) for n in ("192.0.0.0/24", "192.88.99.0/24", "3fff::/20"))
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_V4_COMPATIBLE = ipaddress.ip_network("::/96")

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


@dataclass(frozen=True, kw_only=True)
class Target:
    """A parsed address. `host` is ASCII, lower case, an IPv6 literal without brackets; `path` includes the query."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def name(self) -> str:
        """Return `host:port`, as an allow list writes it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"

    @property
    def host_header(self) -> str:
        usual = {"http": 80, "https": 443}[self.scheme] == self.port
        return self.name.rpartition(":")[0] if usual else self.name

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.host_header}{self.path}"


def parse(address: str) -> Target:
    """Split a web address into its parts and check them. Raises SourceError ("bad address" or "refused address")."""
    text = _with_scheme(address.strip())
    if len(text) > MAX_ADDRESS:
        raise SourceError("bad address", f"The address is longer than {MAX_ADDRESS} characters. Check what was pasted.")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise _bad(address) from None
    if parts.scheme not in ("http", "https"):
        raise SourceError(
            "refused address", f"Addresses that start with {parts.scheme}: are not loaded. Use http or https."
        )
    if "@" in parts.netloc:
        raise SourceError("refused address", "The address holds a user name or password. Remove the part before the @.")
    if port == 0 or not parts.hostname:
        raise _bad(address)
    query = f"?{parts.query}" if parts.query else ""
    return Target(
        scheme=parts.scheme,
        host=_ascii_host(parts.hostname, address),
        port=port or {"http": 80, "https": 443}[parts.scheme],
        path=quote((parts.path or "/") + query, safe="%/:=&?~+!$,;'@()*[]|"),
    )


def resolve(target: Target, allowed: frozenset[str], seconds: float) -> list[str]:
    """Return the numeric addresses of a host, each of them checked. Raises SourceError ("refused address", "no connection",
    "time-out")."""
    trusted = target.name in allowed
    if not trusted:
        _check_name(target)
    numbers = _look_up(target, seconds)
    if not trusted:
        for number in numbers:
            if not is_public(number):
                raise SourceError(
                    "refused address",
                    f"The name {target.host} leads to a private or reserved network address, which is not loaded from. "
                    f"Use a public page, or have the operator add {target.name} to RAG_ALLOW_HOSTS.",
                )
    return numbers


def is_public(number: str) -> bool:
    """Return whether a numeric address belongs to the public internet. An IPv4 address inside an IPv6 one is checked too."""
    address: IpAddress = ipaddress.ip_address(number)
    if isinstance(address, ipaddress.IPv6Address):
        if address in _V4_COMPATIBLE or address.teredo or address.is_site_local:
            return False
        inner = address.ipv4_mapped or address.sixtofour
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            return is_public(str(inner))
    if any(address in network for network in _SET_ASIDE):
        return False
    closed = address.is_private or address.is_reserved or address.is_multicast or address.is_link_local
    return address.is_global and not closed and not address.is_loopback and address not in _CLOUD


def _with_scheme(text: str) -> str:
    if re.match(r"[a-z][a-z0-9+.-]*://", text, re.IGNORECASE):
        return text
    if re.match(r"[a-z][a-z0-9+-]*:(?!\d)", text, re.IGNORECASE):
        return text  # javascript:, data:, file: … refused by the caller under that name
    return "https://" + text.removeprefix("//")


def _bad(address: str) -> SourceError:
    return SourceError(
        "bad address",
        f"{address[:200]!r} is not a web address. Write it like https://example.org/page.",
    )


def _ascii_host(host: str, address: str) -> str:
    if not host.isascii():
        import idna

        try:
            host = idna.encode(host, uts46=True).decode("ascii")
        except idna.IDNAError:
            raise _bad(address) from None
    host = host.lower().removesuffix(".")
    if "%" in host:
        raise _bad(address)  # an escape, or the zone of a link-local address
    try:
        return ipaddress.ip_address(host).compressed
    except ValueError:
        pass
    if not re.fullmatch(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*", host) or len(host) > 253:
        raise _bad(address)
    return host


def _check_name(target: Target) -> None:
    """Refuse unusual ports, and numbers that only some resolvers read as an address, before any look-up."""
    if target.port not in USUAL_PORTS:
        raise SourceError(
            "refused address",
            f"Port {target.port} is not one that web pages use. Use a page on an ordinary port, "
            f"or have the operator add {target.name} to RAG_ALLOW_HOSTS.",
        )
    last = target.host.rpartition(".")[2]
    if re.fullmatch(r"\d+|0x[0-9a-f]*", last) and not re.fullmatch(r"\d+\.\d+\.\d+\.\d+", target.host):
        raise SourceError(
            "refused address", f"{target.host} is a number written in an unusual way. Use the site's name."
        )
    if last.isdigit() and _leading_zero(target.host):
        raise SourceError(
            "refused address", f"{target.host} is a number written in an unusual way. Use the site's name."
        )


def _leading_zero(host: str) -> bool:
    try:
        ipaddress.IPv4Address(host)
    except ValueError:
        return True
    return False


def _look_up(target: Target, seconds: float) -> list[str]:
    """Resolve a host's name in a thread of its own, because a resolver takes no time limit."""
    numbers: list[str] = []
    errors: list[OSError] = []

    def ask() -> None:
        try:
            answers = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            errors.append(error if isinstance(error, OSError) else OSError(str(error)))
        else:
            numbers.extend(dict.fromkeys(str(a[4][0]) for a in answers))

    thread = threading.Thread(target=ask, daemon=True, name="look-up")
    thread.start()
    thread.join(max(seconds, 0.0))
    if thread.is_alive():
        raise SourceError("time-out", f"Looking up {target.host} took too long. Try again, or check the network.")
    if errors or not numbers:
        raise SourceError(
            "no connection", f"No address is known for {target.host}. Check the spelling and the network connection."
        )
    return numbers
