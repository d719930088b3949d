"""Reading the body of a reply and decompressing it piece by piece, so that a small file cannot grow into gigabytes."""

from __future__ import annotations

import http.client
import zlib
from collections.abc import Callable

from rag_graphs.errors import SourceError

_PIECE = 65_536  # bytes

Unpack = Callable[[bytes, int], bytes]
"""(compressed piece, most bytes wanted) -> decompressed piece, possibly one byte more than wanted."""


def read_body(reply: http.client.HTTPResponse, limit: int) -> bytes:
    """Return the decompressed body. Raises SourceError ("too large", "bad reply"), and IncompleteRead if the server broke off."""
    announced = reply.getheader("Content-Length") or ""
    if announced.isdigit() and len(announced) < 20 and int(announced) > limit:
        raise _too_large(limit)
    unpack = _unpacker(reply.getheader("Content-Encoding") or "")
    body = bytearray()
    packed = 0
    while piece := reply.read(_PIECE):
        packed += len(piece)
        try:
            body += unpack(piece, limit + 1 - len(body))
        except zlib.error:
            raise SourceError("bad reply", "The page arrived damaged: it cannot be unpacked. Try again.") from None
        if len(body) > limit or packed > limit:
            raise _too_large(limit)
    if reply.length:  # fewer bytes than announced: http.client lets that pass when read in pieces
        raise http.client.IncompleteRead(b"")
    return bytes(body)


def _too_large(limit: int) -> SourceError:
    return SourceError(
        "too large", f"The page is larger than {limit / 1e6:g} MB. Use a smaller page, or paste the part that matters."
    )


def _unpacker(encoding: str) -> Unpack:
    names = [n for n in (part.strip().lower() for part in encoding.split(",")) if n and n != "identity"]
    if not names:
        return lambda piece, _: piece
    if len(names) == 1 and names[0] in ("gzip", "x-gzip", "deflate"):
        return _Zlib().unpack
    raise SourceError(
        "bad reply", f"The server packed the page as {encoding[:40]!r}, which was not asked for. Use another page."
    )


class _Zlib:
    """A decompressor for gzip, also of several members, for zlib, and for the raw deflate that some servers send as zlib."""

    def __init__(self) -> None:
        self._stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
        self._begun = False

    def unpack(self, piece: bytes, most: int) -> bytes:
        out = bytearray()
        while piece and len(out) <= most:
            if self._stream.eof:
                if not self._begun or piece[:2] != b"\x1f\x8b":
                    return bytes(out)  # padding after the last member
                self._stream = zlib.decompressobj(zlib.MAX_WBITS | 32)
            out += self._decompress(piece, most + 1 - len(out))
            self._begun = True
            piece = self._stream.unused_data if self._stream.eof else b""
        return bytes(out)

    def _decompress(self, piece: bytes, most: int) -> bytes:
        try:
            return self._stream.decompress(piece, max(most, 1))
        except zlib.error:
            if self._begun:
                raise
            self._stream = zlib.decompressobj(-zlib.MAX_WBITS)
            return self._stream.decompress(piece, max(most, 1))
