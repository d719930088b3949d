"""Declare the options that several commands share."""

from __future__ import annotations

from argparse import ArgumentParser, _SubParsersAction
from typing import TypeAlias

Commands: TypeAlias = "_SubParsersAction[ArgumentParser]"


def add_sources(command: ArgumentParser, otherwise: str) -> None:
    """Add the options that name sources; `otherwise` says what is searched without these options."""
    command.add_argument(
        "--source",
        action="append",
        default=[],
        metavar="URL_OR_FILE",
        help=f"a page to load; may be repeated. Without it: {otherwise}",
    )
    command.add_argument(
        "--collection",
        action="append",
        default=[],
        metavar="KEY",
        help="load only this collection of the sample library; may be repeated",
    )


def add_conversation(command: ArgumentParser) -> None:
    """Add the option that names the conversation of a question."""
    command.add_argument(
        "--conversation",
        metavar="ID",
        help="go on with this conversation, or begin it (letters, digits, - and _); it stays in --data-dir, RAG_DATA_DIR or data",
    )


def add_folder(command: ArgumentParser) -> None:
    """Add the option that names the folder with kept runs."""
    command.add_argument("--data-dir", metavar="FOLDER", help="where kept runs are; default: RAG_DATA_DIR or data")


def add_models(command: ArgumentParser) -> None:
    """Add the options that choose models and web search."""
    command.add_argument("--model", metavar="MODEL", help="builtin, openai:NAME or ollama:NAME")
    command.add_argument("--web", choices=("sample", "tavily", "duckduckgo", "off"), help="which web search to use")


def add_common(command: ArgumentParser) -> None:
    """Add the options for embeddings, folder, settings and JSON."""
    command.add_argument(
        "--embeddings", metavar="NAME", help="auto, minilm, e5, openai:NAME or ollama:NAME (auto: by language)"
    )
    command.add_argument("--data-dir", metavar="FOLDER", help="keep the index here; default: a temporary folder")
    add_set(command)
    add_json(command)


def add_set(command: ArgumentParser) -> None:
    command.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="any setting, for example --set max_rewrites=1"
    )


def add_json(command: ArgumentParser) -> None:
    command.add_argument("--json", action="store_true", help="print one JSON document and nothing else")
