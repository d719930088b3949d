"""What a visitor's settings come to: whose key goes where, which addresses are walled, which bounds stay."""

from __future__ import annotations

from typing import Any

import pytest

from rag_graphs.security.visitors import allowance
from rag_graphs.settings import Settings

SERVERS = "sk-of-the-server"
MINE = "sk-of-the-visitor"


def server(**values: Any) -> Settings:
    return Settings().change(**{"openai_api_key": SERVERS, "tavily_api_key": f"tvly-{SERVERS}", **values})


def key(settings: Settings, name: str = "openai_api_key") -> str:
    secret = getattr(settings, name)
    return secret.get_secret_value() if secret else ""


@pytest.mark.parametrize(
    ("share", "local", "shared"),
    [(None, True, True), (None, False, False), (True, False, True), (False, True, False)],
)
def test_who_may_spend_the_server_s_keys(share: bool | None, local: bool, shared: bool) -> None:
    settings = allowance(server(share_keys=share), {}, {}, local=local).settings
    assert key(settings) == (SERVERS if shared else "")
    assert key(settings, "tavily_api_key") == (f"tvly-{SERVERS}" if shared else "")


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("share", [True, False, None])
def test_the_server_s_key_never_goes_to_an_address_that_a_visitor_typed(share: bool | None, local: bool) -> None:
    base = server(share_keys=share, openai_base_url="https://models.example/v1")
    for typed in (
        "https://evil.example/v1",
        "models.example/v1",
        "https://models.example:8443/v1",
        "https://api.openai.com/v1",
    ):
        settings = allowance(
            base, {"openai_base_url": typed, "tavily_base_url": "https://evil.example"}, {}, local=local
        ).settings
        assert settings.openai_base_url == typed
        assert key(settings) == ""
        assert key(settings, "tavily_api_key") == "" or settings.tavily_base_url == ""


def test_no_choice_makes_a_question_follow_others() -> None:
    assert not allowance(server(), {"conversing": True}, {}, local=True).settings.conversing


def test_a_visitor_s_own_key_goes_where_they_say() -> None:
    settings = allowance(
        server(), {"openai_base_url": "https://mine.example/v1"}, {"openai_api_key": MINE}, local=False
    ).settings
    assert (key(settings), settings.openai_base_url) == (MINE, "https://mine.example/v1")


def test_typing_the_server_s_own_address_changes_nothing() -> None:
    base = server(
        share_keys=True, openai_base_url="http://models.local:8000/v1/", ollama_host="http://ann:pw@gpu:11434"
    )
    choices = {"openai_base_url": "models.local:8000/v1", "ollama_host": "gpu:11434"}
    settings = allowance(base, choices, {}, local=False).settings
    assert key(settings) == SERVERS
    assert settings.guarded == ()
    assert settings.ollama_host == "http://ann:pw@gpu:11434"


def test_credentials_in_an_address_are_the_server_s_keys_too() -> None:
    base = server(
        share_keys=False, ollama_host="http://ann:pw@gpu:11434", openai_base_url="https://x.example/v1?token=pw"
    )
    settings = allowance(base, {}, {}, local=True).settings
    assert (settings.ollama_host, settings.openai_base_url) == ("http://gpu:11434", "https://x.example/v1")


def test_what_needs_a_withheld_key_begins_with_what_needs_none_and_says_so() -> None:
    base = server(model="openai:large", model_rewrite="openai:small", embeddings="openai:vectors", web="tavily")
    found = allowance(base, {}, {}, local=False)
    s = found.settings
    assert [s.model_for(r) for r in ("grade", "generate", "rewrite")] == ["builtin"] * 3
    assert (s.embeddings, s.web) == ("auto", "sample")
    assert [n.split(",")[0] for n in found.notes] == [
        "This server does not share its OpenAI key",
        "This server does not share its Tavily key",
    ]
    assert "the built-in engine and the built-in embeddings stand in" in found.notes[0]
    assert SERVERS not in str(found.notes)
    with_mine = allowance(base, {}, {"openai_api_key": MINE}, local=False)
    assert with_mine.settings.model == "openai:large"
    assert len(with_mine.notes) == 1


def test_what_a_visitor_chose_is_not_replaced() -> None:
    found = allowance(server(model="openai:large"), {"model": "openai:mine"}, {}, local=False)
    assert found.settings.model == "openai:mine"
    assert found.notes == ()


@pytest.mark.parametrize("local", [True, False])
def test_no_choice_reaches_what_is_the_server_s_alone(local: bool) -> None:
    choices = {
        "openai_api_key": "sk-in-a-choice",
        "data_dir": "/etc",
        "allow_hosts": "127.0.0.1:22",
        "share_keys": True,
        "guarded": ["nothing"],
        "ollama_host": "http://10.0.0.5:11434",
    }
    settings = allowance(server(share_keys=False), choices, {}, local=local).settings
    assert key(settings) == ""
    assert str(settings.data_dir) == "data"
    assert settings.allow_hosts == ""
    assert settings.guarded == (() if local else ("ollama_host",))


def test_tavily_s_address_is_the_server_s_unless_it_is_local() -> None:
    choices = {"tavily_base_url": "http://10.0.0.5"}
    assert allowance(server(), choices, {}, local=False).settings.tavily_base_url == ""
    assert allowance(server(), choices, {}, local=True).settings.tavily_base_url == "http://10.0.0.5"


def test_the_server_s_caps_hold_where_its_key_is_spent() -> None:
    base = server(share_keys=True, max_calls=20, max_cost=0.5, price_prompt=2.0)
    lifted = {"max_calls": 0, "max_cost": 0.0, "price_prompt": 0.0, "max_tokens": 50}
    s = allowance(base, lifted, {}, local=False).settings
    assert (s.max_calls, s.max_cost, s.price_prompt, s.max_tokens) == (20, 0.5, 2.0, 50)
    assert allowance(base, {"max_calls": 5}, {}, local=False).settings.max_calls == 5
    own = allowance(base, lifted, {"openai_api_key": MINE, "tavily_api_key": "tvly-mine"}, local=False).settings
    assert (own.max_calls, own.max_cost) == (0, 0.0)


def test_choices_of_an_earlier_version_that_no_longer_hold_are_left_out_one_by_one() -> None:
    s = allowance(server(), {"k": 7, "no_such": 1, "max_rewrites": 99}, {}, local=True).settings
    assert (s.k, s.max_rewrites) == (7, 3)
