"""Clients of model servers, made from the settings alone: OpenAI and what speaks its protocol, and Ollama.

A key goes from the settings into its client and nowhere else: no client is cached, none reads the environment's key.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit, urlunsplit

from rag_graphs.errors import SetupError
from rag_graphs.settings import Settings

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx
    from langchain_core.language_models import BaseChatModel
    from pydantic import SecretStr

    from rag_graphs.security.public_only import PublicOnly

OPENAI_ADDRESS = "https://api.openai.com/v1"
OLLAMA_ADDRESS = "http://127.0.0.1:11434"
MAX_RETRIES = 1
"""How often the OpenAI client tries again by itself after a rate limit, an error of the server or a lost connection."""

_SENT = frozenset(
    {
        "host",
        "accept",
        "accept-encoding",
        "connection",
        "content-type",
        "content-length",
        "transfer-encoding",
        "user-agent",
    }
)
_KEY = re.compile(r"[!-~]+")


@dataclass(frozen=True)
class Service:
    """A model at a server. `address` holds no credentials and is safe to show; `title` names the server in sentences."""

    protocol: str
    model: str
    address: str

    @property
    def title(self) -> str:
        if self.protocol == "ollama":
            return f"Ollama at {self.address}"
        return "OpenAI" if self.address == OPENAI_ADDRESS else f"The model server at {self.address}"


def service_of(name: str, settings: Settings) -> Service:
    """The service of a model name, `openai:NAME` or `ollama:NAME`. Raises SetupError for an address that is none."""
    protocol, _, model = name.partition(":")
    return Service(protocol, model, _shown(address_of(protocol, settings)))


def chat_model(name: str, settings: Settings) -> BaseChatModel:
    """A chat model's client; nothing is sent yet. Raises SetupError where a key is missing or an address is none."""
    protocol, _, model = name.partition(":")
    address = address_of(protocol, settings)
    if protocol == "ollama":
        from langchain_ollama import ChatOllama

        return ChatOllama(
            model=model,
            base_url=address,
            temperature=settings.temperature,
            **ollama_options(settings),
        )
    from langchain_openai import ChatOpenAI

    # its advice on a refused response_format is meant for programmers; what is refused is asked for in another form
    warnings.filterwarnings("ignore", message="This model does not support OpenAI's structured", category=UserWarning)
    return ChatOpenAI(
        model=model,
        base_url=address,
        api_key=openai_key(name, settings),
        temperature=settings.temperature,
        timeout=settings.timeout,
        max_retries=MAX_RETRIES,
        stream_usage=True,
        use_responses_api=False,
        http_client=openai_client(name, settings),
        openai_proxy="",
    )


def openai_key(name: str, settings: Settings) -> SecretStr:
    """The key for OpenAI's protocol. Servers of one's own mostly need none; OpenAI does. Raises SetupError."""
    from pydantic import SecretStr

    key = usable_key(settings.openai_api_key, "OpenAI")
    if not key and urlsplit(address_of("openai", settings)).hostname == urlsplit(OPENAI_ADDRESS).hostname:
        raise SetupError(
            f"The model {name} needs an OpenAI key, and there is none. Enter one in the settings or set OPENAI_API_KEY, "
            "or choose another model.",
            kind="no key",
        )
    return SecretStr(key or "none")


def openai_client(name: str, settings: Settings) -> httpx.Client:
    """The HTTP client for OpenAI's protocol. It sends this visitor's key to the server's own address, and no header but
    those named here: OpenAI's client would add what the environment holds (OPENAI_CUSTOM_HEADERS, an organisation).
    Raises SetupError for a key that is missing and for an address that may not be called."""
    import httpx

    key, home = openai_key(name, settings).get_secret_value(), httpx.URL(address_of("openai", settings))

    def only_ours(request: httpx.Request) -> None:
        for header in set(request.headers) - _SENT:
            if not header.startswith("x-stainless-"):
                del request.headers[header]
        request.headers.pop("authorization", None)
        if (request.url.scheme, request.url.host, request.url.port) == (home.scheme, home.host, home.port):
            request.headers["authorization"] = f"Bearer {key}"

    return httpx.Client(
        transport=_wall("openai", settings),
        verify=_certificates(),
        timeout=settings.timeout,
        follow_redirects=True,
        event_hooks={"request": [only_ours]},
    )


def ollama_options(settings: Settings) -> dict[str, Any]:
    """What Ollama's client passes to its HTTP client. The header keeps the client from sending the environment's
    OLLAMA_API_KEY to whatever host a visitor names; credentials in the address replace it. Raises SetupError."""
    common = {"timeout": settings.timeout, "headers": {"Authorization": "Bearer none"}, "verify": _certificates()}
    transport = _wall("ollama", settings)
    sync = {"transport": transport} if transport else {}
    return {"client_kwargs": common, "sync_client_kwargs": sync}


def _wall(protocol: str, settings: Settings) -> PublicOnly | None:
    """The wall for an address that a visitor typed, unless the operator allows it by name."""
    name = "ollama_host" if protocol == "ollama" else "openai_base_url"
    if name not in settings.guarded:
        return None
    from rag_graphs.security.public_only import PublicOnly, checked

    checked(address_of(protocol, settings), settings.allowed_hosts())
    return PublicOnly(settings.allowed_hosts(), _certificates())


@cache
def _certificates() -> SSLContext:
    """Read once: the client makes two connections' worth of it for every model, which takes longer than a verdict."""
    import httpx

    return httpx.create_ssl_context()


def usable_key(secret: SecretStr | None, service: str) -> str:
    """The key itself, trimmed; "" where there is none. Raises SetupError for what cannot be sent in a header."""
    key = secret.get_secret_value().strip() if secret else ""
    if key and not _KEY.fullmatch(key):
        raise SetupError(
            f"The {service} key holds a space, a line break or a letter that no key has. Enter it again in the settings."
        )
    return key


def address_of(protocol: str, settings: Settings) -> str:
    """The server's address as it is called, credentials included. Raises SetupError for one that is none."""
    given = (settings.ollama_host if protocol == "ollama" else settings.openai_base_url).strip()
    address = given or (OLLAMA_ADDRESS if protocol == "ollama" else OPENAI_ADDRESS)
    if "://" not in address:
        address = f"http://{address}"
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        what = "Ollama" if protocol == "ollama" else "OpenAI base"
        raise SetupError(f"The {what} address in the settings is no web address. It looks like {OLLAMA_ADDRESS}.")
    if protocol == "ollama" and parts.hostname == "0.0.0.0":
        # the form in which OLLAMA_HOST tells the server to listen everywhere; no client can call it
        return urlunsplit(parts._replace(netloc=f"127.0.0.1:{port or 11434}"))
    return address.rstrip("/")


def _shown(address: str) -> str:
    parts = urlsplit(address)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
