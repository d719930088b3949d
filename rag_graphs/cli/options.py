"""Turn the command line's options into settings and a workspace."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from rag_graphs import SettingsError, load_settings

if TYPE_CHECKING:
    from rag_graphs import Settings, Workspace

OPTIONS = {"model": "model", "embeddings": "embeddings", "web": "web", "data_dir": "data_dir"}


@contextmanager
def opened(args: Namespace) -> Iterator[tuple[Settings, Workspace, bool]]:
    """Yield settings, a workspace on their data folder, and whether that folder stays. It is a temporary one unless
    --data-dir, RAG_DATA_DIR or --set names it. Raises SettingsError."""
    from rag_graphs import open_workspace

    values = given(args)
    settings = load_settings()
    stays = "data_dir" in values or "data_dir" in settings.model_fields_set
    settings = settings.change(**values)
    if stays:
        yield settings, open_workspace(settings), True
        return
    # the index may still hold files open when its folder goes
    with TemporaryDirectory(prefix="rag-graphs-", ignore_cleanup_errors=True) as folder:
        settings = settings.change(data_dir=folder)
        yield settings, open_workspace(settings), False


def chosen_settings(args: Namespace) -> Settings:
    """Return the settings of the environment, changed by the options. Raises SettingsError."""
    return load_settings(**given(args))


def given(args: Namespace) -> dict[str, Any]:
    """Return the settings that the options name, some as the text that was typed."""
    values = {field: value for option, field in OPTIONS.items() if (value := getattr(args, option, None)) is not None}
    for assignment in getattr(args, "set", []):
        name, equals, text = assignment.partition("=")
        if not equals:
            raise SettingsError(
                "--set takes NAME=VALUE, for example --set max_rewrites=1. One of yours has no equals sign."
            )
        values[name.strip().replace("-", "_")] = _value(name.strip(), text)
    if "strategies" in values:
        raise SettingsError("Strategies of your own are named in the environment: RAG_STRATEGIES=path/to/file.py.")
    return values


def _value(name: str, text: str) -> Any:
    """Return the text itself, of which pydantic makes numbers and switches; for prompts read a JSON object."""
    if name != "prompts":
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise SettingsError('--set prompts= takes a JSON object, for example \'{"generate": "…"}\'.') from None
