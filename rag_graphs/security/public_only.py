"""An HTTP transport that connects to public hosts only, for addresses that visitors typed.

The check is made at each connection. A check made earlier would miss redirects, and names that resolve to another number a
moment later.
"""

from __future__ import annotations

from ssl import SSLContext

import httpx

from rag_graphs.errors import SetupError, SourceError
from rag_graphs.security.addresses import parse, resolve

LOOK_UP_SECONDS = 5.0


class PublicOnly(httpx.HTTPTransport):
    """A transport that connects to the checked numeric address; the host's name stays in the header and in the certificate
    check. Proxies of the environment are not used, because they would resolve names unchecked."""

    def __init__(self, allowed: frozenset[str], certificates: SSLContext) -> None:
        super().__init__(verify=certificates, trust_env=False)
        self._allowed = allowed

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises SetupError if it would leave the public internet."""
        numbers = checked(str(request.url.copy_with(username=None, password=None)), self._allowed)
        for number in numbers[:-1]:
            try:
                return super().handle_request(_at(number, request))
            except httpx.ConnectError:
                continue
        return super().handle_request(_at(numbers[-1], request))


def checked(address: str, allowed: frozenset[str]) -> list[str]:
    """Return the numeric addresses of a model server. Raises SetupError if this server may not call it."""
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
    """Return a copy of the request for a numeric address; the client goes on using the original."""
    return httpx.Request(
        request.method,
        request.url.copy_with(host=number),
        headers=request.headers,
        stream=request.stream,
        extensions={**request.extensions, "sni_hostname": request.url.host},
    )
