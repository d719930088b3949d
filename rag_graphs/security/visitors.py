"""What a visitor of the page works with: the server's settings, changed by their choices, with their own keys.

Three rules that no choice of theirs can lift: the server's key goes to the server's own address only, and only to visitors
who may spend it; an address that they typed may not lead into the server's network; what bounds the spending of the
server's key stays a bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_graphs.errors import SettingsError
from rag_graphs.settings import ADDRESSES, KEYS, OF_A_RUN, SERVER_ONLY, Settings, without_credentials

ADDRESS_OF = {"openai_api_key": "openai_base_url", "tavily_api_key": "tavily_base_url"}
SERVICE_OF = {"openai_api_key": "OpenAI", "tavily_api_key": "Tavily"}
UNCHANGEABLE = frozenset({*KEYS, *SERVER_ONLY, *OF_A_RUN})
"""What no choice can change. Keys are handed over apart, because choices are kept in a database."""

STAND_INS = {
    "openai_api_key": {"model": "builtin", "model_generate": "", "model_rewrite": "", "embeddings": "auto"},
    "tavily_api_key": {"web": "sample"},
}
"""For settings of the server that a key was meant for: what a visitor without that key begins with."""
CAPS = ("max_calls", "max_tokens", "max_cost")
PRICES = ("price_prompt", "price_completion")


@dataclass(frozen=True)
class Allowance:
    """A visitor's settings, and in sentences what the server keeps from them."""

    settings: Settings
    notes: tuple[str, ...] = ()


def allowance(server: Settings, choices: Mapping[str, Any], keys: Mapping[str, str], *, local: bool) -> Allowance:
    """`choices` are as they were kept, possibly by an older version: what does not fit any more is left out. `keys`: this
    visitor's own, by setting. `local`: the visitor sits at the server's machine, and it listens to nobody else."""
    shared = local if server.share_keys is None else server.share_keys
    chosen = _usable(server, choices, local=local)
    typed = tuple(name for name in ADDRESSES if name in chosen)
    lent = [k for k in KEYS if getattr(server, k) and shared and not keys.get(k) and ADDRESS_OF[k] not in typed]
    withheld = [k for k in KEYS if getattr(server, k) and not shared and not keys.get(k) and ADDRESS_OF[k] not in typed]
    given: dict[str, Any] = {k: keys.get(k) or None for k in KEYS if k not in lent}
    if not shared:
        given |= {name: without_credentials(getattr(server, name)) for name in ADDRESSES if name not in typed}
    stand_ins = {k: _stand_ins(k, server, chosen) for k in withheld}
    for values in stand_ins.values():
        given |= values
    if lent and not local:
        given |= _bounds(server, chosen)
    settings = server.change(**{**chosen, **given, "guarded": () if local else typed})
    return Allowance(settings, tuple(_note(k, values) for k, values in stand_ins.items() if values))


def _usable(server: Settings, choices: Mapping[str, Any], *, local: bool) -> dict[str, Any]:
    """The choices that still hold. An address that is the server's own counts as none, one for Tavily only at the server's
    machine: its client cannot be kept from the server's network."""
    kept: dict[str, Any] = {}
    for name, value in choices.items():
        own_address = name in ADDRESSES and (not value or _plain(value) == _plain(getattr(server, name)))
        if name in UNCHANGEABLE or own_address or (name == "tavily_base_url" and not local):
            continue
        try:
            server.change(**{name: value})
        except SettingsError:
            continue
        kept[name] = value
    return kept


def _plain(address: object) -> str:
    text = without_credentials(str(address).strip()).rstrip("/")
    return text.removeprefix("http://") if text.startswith("http://") else text


def _stand_ins(key: str, server: Settings, chosen: Mapping[str, Any]) -> dict[str, Any]:
    prefix = "tavily" if key == "tavily_api_key" else "openai:"
    return {
        name: value
        for name, value in STAND_INS[key].items()
        if name not in chosen and str(getattr(server, name)).startswith(prefix)
    }


def _bounds(server: Settings, chosen: Mapping[str, Any]) -> dict[str, Any]:
    """The server's caps where a visitor's are higher or none. A cap in money holds at the server's prices."""
    bounds: dict[str, Any] = {}
    for cap in CAPS:
        most, wanted = getattr(server, cap), chosen.get(cap, 0)
        if most:
            bounds[cap] = min(most, wanted) if wanted else most
    return bounds | ({price: getattr(server, price) for price in PRICES} if server.max_cost else {})


def _note(key: str, stand_ins: Mapping[str, Any]) -> str:
    service = SERVICE_OF[key]
    instead = {"web": "the sample web", "embeddings": "the built-in embeddings"}
    names = " and ".join(dict.fromkeys(instead.get(name, "the built-in engine") for name in stand_ins))
    stand = "stand" if " and " in names else "stands"
    return (
        f"This server does not share its {service} key, so {names} {stand} in for what it would be used for. "
        "Enter a key of your own in the settings to use the service."
    )
