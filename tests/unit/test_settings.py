"""Settings: where they come from, what they refuse, what they never tell."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from rag_graphs.errors import SettingsError
from rag_graphs.settings import Settings, load_settings, no_color

SECRETS = {"openai_api_key": "sk-1234567890", "tavily_api_key": "tvly-1234567890"}


def test_the_defaults() -> None:
    s = load_settings()
    assert (s.model, s.embeddings, s.web, s.k, s.chunk_size, s.chunk_overlap) == (
        "builtin",
        "auto",
        "sample",
        4,
        250,
        0,
    )
    assert (s.max_rewrites, s.max_regenerations, s.max_searches, s.web_results) == (3, 2, 2, 3)
    assert (s.strictness, s.temperature, s.pace, s.openai_api_key) == ("lenient", 0.0, 0.0, None)


def test_the_environment_sets_any_field(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_MAX_REWRITES", "1")
    monkeypatch.setenv("RAG_DATA_DIR", "/somewhere")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-1")
    monkeypatch.setenv("OLLAMA_HOST", "http://127.0.0.1:11434")
    s = load_settings()
    assert (s.max_rewrites, s.data_dir, s.ollama_host) == (1, Path("/somewhere"), "http://127.0.0.1:11434")
    assert s.openai_api_key
    assert s.openai_api_key.get_secret_value() == "sk-1"
    assert s.tavily_api_key
    assert s.tavily_api_key.get_secret_value() == "tvly-1"


@pytest.mark.parametrize("value", ["1", "perhaps"])
def test_the_environment_does_not_say_what_follows_from_a_run(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("RAG_CONVERSING", value)
    assert not load_settings(k=2).conversing
    assert load_settings(conversing=True).conversing


def test_an_empty_variable_counts_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_K", "")
    assert load_settings().k == 4


def test_arguments_come_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_K", "7")
    assert load_settings(k=2).k == 2
    assert load_settings().change(web="off").k == 7


def test_a_changed_copy_does_not_read_the_environment_again(monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings()
    monkeypatch.setenv("RAG_K", "7")
    assert settings.change(web="off").k == 4


def test_a_dot_env_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("RAG_K=6\nOPENAI_API_KEY=sk-file\nUNRELATED=1\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(Settings.model_config, "env_file", ".env")
    s = load_settings()
    assert s.k == 6
    assert s.openai_api_key
    assert s.openai_api_key.get_secret_value() == "sk-file"


def test_a_wrong_name_lists_the_right_ones() -> None:
    with pytest.raises(SettingsError) as failure:
        load_settings(max_rewrite=1)
    assert "no setting max_rewrite." in str(failure.value)
    assert all(name in str(failure.value) for name in Settings.model_fields)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("k", "0", "greater than or equal to 1"),
        ("k", "many", "valid integer"),
        ("chunk_size", 10, "greater than or equal to 40"),
        ("web", "bing", "'sample', 'tavily', 'duckduckgo' or 'off'"),
        ("model", "gpt-4o", "write builtin, openai:NAME or ollama:NAME"),
        ("model_generate", "openai:", "write builtin, openai:NAME or ollama:NAME"),
        ("embeddings", "bert", "write auto, minilm, e5, openai:NAME or ollama:NAME"),
        ("temperature", 3, "less than or equal to 2"),
        ("min_relevant_share", 1.5, "less than or equal to 1"),
    ],
)
def test_a_wrong_value_is_explained(name: str, value: object, says: str) -> None:
    with pytest.raises(SettingsError) as failure:
        load_settings(**{name: value})
    assert name in str(failure.value)
    assert says in str(failure.value)


def test_a_wrong_variable_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAG_K", "99")
    with pytest.raises(SettingsError, match="k: Input should be less than or equal to 20"):
        load_settings()


def test_text_is_understood_as_the_command_line_gives_it() -> None:
    s = load_settings(k="2", careless="true", temperature="0.5", openai_api_key="sk-1")
    assert (s.k, s.careless, s.temperature) == (2, True, 0.5)
    assert s.openai_api_key
    assert s.openai_api_key.get_secret_value() == "sk-1"


def test_settings_are_frozen() -> None:
    with pytest.raises(ValidationError):
        load_settings().k = 2  # type: ignore[misc]


def test_what_a_trace_records_holds_no_secret() -> None:
    s = load_settings(**SECRETS, openai_base_url="https://me:hidden@host/v1?token=hidden", data_dir="/home/me")
    public = s.public()
    assert not any(word in repr(public) for word in (*SECRETS.values(), "hidden", "/home/me"))
    assert public["openai_base_url"] == "https://host/v1"
    assert public["k"] == 4
    assert all(secret not in repr(s) + str(s) for secret in SECRETS.values())


def test_an_error_never_repeats_a_value_that_may_be_a_key() -> None:
    with pytest.raises(SettingsError) as failure:
        load_settings(openai_api_key=["sk-1234567890"], k="sk-1234567890")
    assert "sk-1234567890" not in str(failure.value)


def test_a_role_uses_its_own_model_or_the_common_one() -> None:
    s = load_settings(model="openai:small", model_generate="openai:large")
    assert [s.model_for(r) for r in ("grade", "generate", "rewrite")] == [
        "openai:small",
        "openai:large",
        "openai:small",
    ]


def test_allowed_hosts() -> None:
    assert load_settings(allow_hosts=" Intranet:80, ,127.0.0.1:8000").allowed_hosts() == {
        "intranet:80",
        "127.0.0.1:8000",
    }


@pytest.mark.parametrize(
    ("name", "value", "none"), [("NO_COLOR", "1", True), ("NO_COLOR", "", False), ("TERM", "dumb", True)]
)
def test_no_color(name: str, value: str, none: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv(name, value)
    assert no_color() is none
