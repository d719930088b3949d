"""A wall between visitors and the server's network: connections to addresses that they typed lead to public hosts only.

It stands where connections are made, because a check before would not see a redirect, nor a name that resolves to another
number a moment later.
"""

from __future__ import annotations

from ssl import SSLContext

import httpx

from rag_graphs.errors import SetupError, SourceError
from rag_graphs.security.addresses import parse, resolve

LOOK_UP_SECONDS = 5.0


class PublicOnly(httpx.HTTPTransport):
    """Connects to the checked numeric address itself; the host's name stays in the header and in the certificate check.
    Proxies of the environment are not used: they would resolve names unchecked."""

    def __init__(self, allowed: frozenset[str], certificates: SSLContext) -> None:
        super().__init__(verify=certificates, trust_env=False)
        self._allowed = allowed

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Raises SetupError where the request would leave the public internet."""
        numbers = checked(str(request.url.copy_with(username=None, password=None)), self._allowed)
        for number in numbers[:-1]:
            try:
                return super().handle_request(_at(number, request))
            except httpx.ConnectError:
                continue
        return super().handle_request(_at(numbers[-1], request))


def checked(address: str, allowed: frozenset[str]) -> list[str]:
    """The numeric addresses of a model server's address. Raises SetupError where it may not be called from here."""
    try:
        target = parse(address)
    except SourceError as error:
        raise SetupError(f"This address of a model server cannot be used. {error}") from None
    try:
        return resolve(target, allowed, LOOK_UP_SECONDS)
    except SourceError as error:
        if error.kind != "refused address":
            raise SetupError(f"The model server at {target.name} cannot be reached. {error}") from None
        raise SetupError(
            f"The model server at {target.name} may not be called from this server: visitors can name servers on the public "
            f"internet, on ports that web servers use. The operator can allow it with RAG_ALLOW_HOSTS={target.name}."
        ) from None


def _at(number: str, request: httpx.Request) -> httpx.Request:
    """The request, sent to a numeric address. A copy: the client goes on working with the original."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=number),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )
