"""The seven faults that a set-up can have, each on a stand-in for OpenAI's protocol, with the sentence that tells it."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.servers import openai
from tests.servers.base import Fault
from tests.servers.openai import OpenAIServer

KEY = "sk-planted-83ab41c6"

SEVEN = {
    "no key": "needs an OpenAI key, and there is none",
    "wrong key": "refused the key. Check the key in the settings",
    "refused connection": "cannot be reached: nothing answers there",
    "no such model": "has no model “small”",
    "no quota": "the account has no quota left",
    "rate limit": "too many requests in a short time",
    "time-out": "did not answer in time",
}
_FAULTS = {
    "no quota": Fault(openai.error(429, f"You exceeded your current quota, {KEY}.", "insufficient_quota")),
    "rate limit": Fault(openai.error(429, f"Rate limit reached for {KEY}.", "rate_limit_exceeded")),
    "time-out": Fault(hang=True),
}


@contextmanager
def broken(kind: str) -> Iterator[dict[str, Any]]:
    """Settings of a set-up that has this fault."""
    settings: dict[str, Any] = {"model": "openai:small", "openai_api_key": KEY}
    if kind == "no key":
        yield settings | {"openai_api_key": None}
    elif kind == "refused connection":
        with socket.socket() as closed:
            closed.bind(("127.0.0.1", 0))
            yield settings | {"openai_base_url": f"http://127.0.0.1:{closed.getsockname()[1]}/v1"}
    else:
        key = "sk-another" if kind == "wrong key" else KEY
        models = () if kind == "no such model" else ("small",)
        faults = [Fault(**vars(_FAULTS[kind]))] if kind in _FAULTS else []
        with OpenAIServer(key=key, models=models, faults=faults) as server:
            patience = {"timeout": 0.5} if kind == "time-out" else {}
            yield settings | {"openai_base_url": server.base_url} | patience
