"""The settings of a visitor: the server's, changed by the visitor's choices and with the visitor's own keys.

No choice can lift these three rules. The server's key is sent to the server's own address only, and only for visitors who may
use it. An address that a visitor typed may not lead into the server's network. Caps on the spending of the server's key hold.
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
"""The settings that no choice can change. Keys are passed separately, because choices are stored in a database."""

STAND_INS = {
    "openai_api_key": {"model": "builtin", "model_generate": "", "model_rewrite": "", "embeddings": "auto"},
    "tavily_api_key": {"web": "sample"},
}
"""The values that replace the server's settings for a visitor who may not use the key that they need."""
CAPS = ("max_calls", "max_tokens", "max_cost")
PRICES = ("price_prompt", "price_completion")


@dataclass(frozen=True)
class Allowance:
    """A visitor's settings, with notes on what the server does not share with them."""

    settings: Settings
    notes: tuple[str, ...] = ()


def allowance(server: Settings, choices: Mapping[str, Any], keys: Mapping[str, str], *, local: bool) -> Allowance:
    """Return the settings that a visitor may use. `choices`: as stored, possibly by an older version; invalid ones are left
    out. `keys`: the visitor's own, by setting. `local`: the server listens to its own machine alone, where the visitor is."""
    shared = local if server.share_keys is None else server.share_keys
    chosen = _usable(server, choices, local=local)
    typed = tuple(name for name in ADDRESSES if name in chosen)
    lent = [k for k in KEYS if getattr(server, k) and shared and not keys.get(k) and ADDRESS_OF[k] not in typed]
    withheld = [k for k in KEYS if getattr(server, k) and not shared and not keys.get(k) and ADDRESS_OF[k] not in typed]
    overrides: dict[str, Any] = {k: keys.get(k) or None for k in KEYS if k not in lent}
    if not shared:
        overrides |= {name: without_credentials(getattr(server, name)) for name in ADDRESSES if name not in typed}
    stand_ins = {k: _stand_ins(k, server, chosen) for k in withheld}
    for values in stand_ins.values():
        overrides |= values
    if lent and not local:
        overrides |= _bounds(server, chosen)
    settings = server.change(**{**chosen, **overrides, "guarded": () if local else typed})
    return Allowance(settings, tuple(_note(k, values) for k, values in stand_ins.items() if values))


def _usable(server: Settings, choices: Mapping[str, Any], *, local: bool) -> dict[str, Any]:
    """Return the choices that are valid. An address equal to the server's own is left out. One for Tavily counts only on the
    server's own machine, because its client cannot be kept out of the server's network."""
    usable: dict[str, Any] = {}
    for name, value in choices.items():
        own_address = name in ADDRESSES and (not value or _plain(value) == _plain(getattr(server, name)))
        if name in UNCHANGEABLE or own_address or (name == "tavily_base_url" and not local):
            continue
        try:
            server.change(**{name: value})
        except SettingsError:
            continue
        usable[name] = value
    return usable


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
    """Return the lower of the server's and the visitor's caps. A cap on cost is counted at the server's prices."""
    bounds: dict[str, Any] = {}
    for cap in CAPS:
        limit, choice = getattr(server, cap), chosen.get(cap, 0)
        if limit:
            bounds[cap] = min(limit, choice) if choice else limit
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
