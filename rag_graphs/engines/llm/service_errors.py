"""What went wrong at a model server, as one of the project's errors with a sentence of its own.

The sentence says which service, what happened and what to do. A server's own words are quoted only where they help and
where they hold no key; the exception that caused it is left out, for it may quote the request.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rag_graphs.engines.llm.providers import Service
from rag_graphs.errors import RagGraphsError, ServiceError

FATAL = frozenset({"no key", "wrong key", "refused connection", "no such model", "no quota"})
"""Kinds that no other call to the same service will escape: the run ends with them."""

_UNREADABLE = (ValueError, TypeError, KeyError, IndexError, AttributeError)
_KEY_LIKE = re.compile(r"\b(?:sk|tvly|pk|key|gsk|xai)-[\w*-]{4,}|Bearer\s+\S+", re.IGNORECASE)


@contextmanager
def in_words(service: Service) -> Iterator[None]:
    """Around a call of a client: whatever the service did wrong comes out as a ServiceError; bugs of ours stay bugs."""
    try:
        yield
    except RagGraphsError:
        raise
    except Exception as error:
        if ours := _ours(error):
            raise ours from None
        fault = fault_of(error, service)
        if fault is None:
            raise
        raise fault from None


def _ours(error: BaseException) -> RagGraphsError | None:
    """An error of the project's own that a client wrapped into one of its own: a call that was not let through."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, RagGraphsError):
            return cause
        cause = cause.__cause__
    return None


def fault_of(error: Exception, service: Service) -> ServiceError | None:
    """The error in words; None where it is not the service's fault."""
    kind = kind_of(error)
    if not kind:
        return None
    return ServiceError(_sentence(kind, error, service), service=service.title, kind=kind)


_KINDS = (
    ("time-out", {"APITimeoutError", "TimeoutException"}),
    ("broken off", {"RemoteProtocolError", "ReadError", "WriteError"}),
    ("refused connection", {"APIConnectionError", "ConnectError", "ConnectionError"}),
    ("by its text", {"APIError", "ResponseError", "RequestError"}),
    ("unusable reply", {"HTTPError", "OpenAIError", *(kind.__name__ for kind in _UNREADABLE)}),
)
"""By the names of the classes, because the clients use two libraries for HTTP, with the same names in both."""


def kind_of(error: BaseException) -> str:
    """A short label for a client's exception; "" for one that no client raises."""
    if status := status_of(error):
        return _kind_of_status(status, text_of(error).casefold())
    kind = _kind_of_class(error)
    if kind == "refused connection":
        return _of_cause(error)
    return _kind_of_text(text_of(error).casefold()) if kind == "by its text" else kind


def _kind_of_class(error: BaseException) -> str:
    names = {c.__name__ for c in type(error).__mro__}
    return next((kind for kind, known in _KINDS if names & known), "")


def _of_cause(error: BaseException) -> str:
    """OpenAI's client says "connection error" of everything; what it was stands further down."""
    cause = error.__cause__
    while cause is not None:
        if (kind := _kind_of_class(cause)) in ("broken off", "time-out"):
            return kind
        cause = cause.__cause__
    return "refused connection"


def status_of(error: BaseException) -> int:
    """The HTTP status of a client's exception; 0 where it has none."""
    status = getattr(error, "status_code", None)
    return status if isinstance(status, int) and status > 0 else 0


def text_of(error: BaseException) -> str:
    """The server's own words in a client's exception."""
    body = getattr(error, "body", None)
    if isinstance(body, dict):
        body = body.get("error", body)
        return (
            " ".join(str(body[k]) for k in ("code", "type", "message") if body.get(k))
            if isinstance(body, dict)
            else str(body)
        )
    return str(getattr(error, "error", "") or getattr(error, "message", "") or error)


def _kind_of_status(status: int, text: str) -> str:
    kinds = {
        401: "wrong key",
        402: "no quota",
        403: "wrong key",
        404: "no such model",
        408: "time-out",
        413: "too long",
    }
    if status == 429:
        return "no quota" if "insufficient_quota" in text or "exceeded your current quota" in text else "rate limit"
    if status >= 500:
        return "time-out" if status == 504 else "server error"
    return kinds.get(status) or _kind_of_text(text, "bad request")


def _kind_of_text(text: str, other: str = "server error") -> str:
    if "insufficient_quota" in text:
        return "no quota"
    if "rate_limit" in text or "rate limit" in text:
        return "rate limit"
    if re.search(r"context.{0,20}(length|window|size|limit)|too long|too many tokens", text):
        return "too long"
    if re.search(r"model .{0,80}(not found|does not exist)", text):
        return "no such model"
    return other


def _sentence(kind: str, error: Exception, service: Service) -> str:
    title, model = service.title, service.model
    pull = f"fetch it with “ollama pull {model}”" if service.protocol == "ollama" else "check the model's name"
    base = "" if service.protocol == "ollama" else " Most such addresses end in /v1."
    sentences = {
        "wrong key": f"{title} refused the key. Check the key in the settings.",
        "no quota": f"{title} refused the request: the account has no quota left. Check its plan and billing, or choose "
        "another model.",
        "rate limit": f"{title} refused the request: too many requests in a short time. Wait a minute and try again.",
        "no such model": f"{title} has no model “{model}”. In the settings, {pull} and the address.{base}"
        if service.protocol != "ollama"
        else f"{title} has no model “{model}”. Choose another in the settings, or {pull}.",
        "refused connection": f"{title} cannot be reached: nothing answers there. Start the server, or check the address "
        "in the settings and the network connection.",
        "time-out": f"{title} did not answer in time. Try again, allow more seconds in the settings, or choose a smaller "
        "model.",
        "broken off": f"{title} closed the connection in the middle of its answer. Try again; if it happens again, look "
        "into the server's log.",
        "too long": f"The prompt is longer than the model “{model}” at {title} takes. Lower the number of documents or "
        "the chunk size in the settings.",
        "server error": f"{title} failed with an error of its own{_quoted(error)}. Try again later.",
        "bad request": f"{title} did not accept the request for the model “{model}”{_quoted(error)}. Check the model and "
        "the address in the settings.",
        "unusable reply": f"{title} sent a reply that cannot be read. Check that the address in the settings is that of a "
        f"model server.{base}",
    }
    return sentences[kind]


def _quoted(error: Exception) -> str:
    text: Any = getattr(error, "body", None)
    text = text.get("message", "") if isinstance(text, dict) else getattr(error, "error", "")
    line = " ".join(_KEY_LIKE.sub("…", str(text or "")).split())
    return f" (“{line[:160]}”)" if line and not line.startswith("<") else ""
