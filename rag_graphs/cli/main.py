"""Read the command line and start a command. Each command calls the library and prints."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from pkgutil import resolve_name

from rag_graphs.cli.arguments import Commands, add_common, add_conversation, add_models, add_set, add_sources
from rag_graphs.cli.codes import BROKEN_PIPE, DONE, FAILED, INTERRUPTED, WRONG_USAGE
from rag_graphs.cli.console import Console
from rag_graphs.cli.traces import add_conversations, add_export, add_fork, add_replay


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; argparse itself leaves with 2."""
    from rag_graphs import RagGraphsError, SettingsError, SetupError

    args = parser().parse_args(arguments)
    console = Console()
    try:
        code: int = resolve_name(f"rag_graphs.cli.{args.command}")(args, console)
        sys.stdout.flush()
        return code
    except (SettingsError, SetupError) as error:
        console.problem(str(error))
        return WRONG_USAGE
    except RagGraphsError as error:
        console.problem(str(error))
        return FAILED
    except KeyboardInterrupt:
        console.problem("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        # Python would complain once more when it flushes at its end
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE


def parser() -> ArgumentParser:
    """Return the parser of all commands. Each parsed command names its function as `command`, so that only the module of
    the one that runs is loaded."""
    top = ArgumentParser(
        prog="python -m rag_graphs",
        description="See, teach and compare self-correcting retrieval-augmented generation.",
        epilog="Exit codes: 0 done, 1 failed, 2 wrong usage or set-up. Settings also come from RAG_… variables and a .env file.",
        formatter_class=RawDescriptionHelpFormatter,
    )
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_ask(commands)
    add_conversations(commands)
    add_replay(commands)
    add_fork(commands)
    add_export(commands)
    _add_load(commands)
    _add_strategies(commands)
    _add_diagram(commands)
    _add_check(commands)
    _add_serve(commands)
    return top


def _add_ask(commands: Commands) -> None:
    ask = commands.add_parser("ask", help="run one question through a strategy and print what happens")
    ask.add_argument("question", metavar="QUESTION")
    ask.add_argument("--strategy", required=True, metavar="KEY", help="see the command strategies")
    add_conversation(ask)
    add_sources(ask, "the sample library")
    add_models(ask)
    add_common(ask)
    ask.set_defaults(command="ask:ask")


def _add_load(commands: Commands) -> None:
    load = commands.add_parser("load", help="load sources and report what became of each")
    load.add_argument("source", nargs="+", metavar="SOURCE", help="a URL or a file")
    add_common(load)
    load.set_defaults(command="load:load")


def _add_strategies(commands: Commands) -> None:
    strategies = commands.add_parser(
        "strategies", help="list the strategies with their nodes and edges, or hand one out as a script"
    )
    strategies.add_argument("key", nargs="?", default="", metavar="KEY", help="only this one")
    strategies.add_argument(
        "--script",
        nargs="?",
        const="",
        metavar="FILE",
        help="write it as one LangGraph script that runs by itself; without FILE to standard output",
    )
    add_sources(strategies, "the script carries pages of the sample library")
    add_models(strategies)
    add_common(strategies)
    strategies.set_defaults(command="strategies:strategies")


def _add_diagram(commands: Commands) -> None:
    diagram = commands.add_parser("diagram", help="print a strategy's diagram as SVG")
    diagram.add_argument("key", metavar="KEY")
    add_set(diagram)
    diagram.set_defaults(command="strategies:diagram")


def _add_check(commands: Commands) -> None:
    check = commands.add_parser("check", help="try each model, key and search of the settings")
    add_models(check)
    add_common(check)
    check.set_defaults(command="check:check")


def _add_serve(commands: Commands) -> None:
    serve = commands.add_parser("serve", help="start the app")
    serve.add_argument(
        "--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 lets others on the network in"
    )
    serve.add_argument("--port", type=_port, help="default: 8501, or a free one if that is taken")
    serve.set_defaults(command="main:serve_app")


def _port(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 6 and int(text) <= 65535):
        raise ArgumentTypeError(f"{text!r} is no port: write a number from 0 to 65535")
    return int(text)


def serve_app(args: Namespace, console: Console) -> int:
    """Serve the pages until Ctrl-C."""
    from rag_graphs.server import serve

    serve(args.host, args.port, lambda address: console.line(f"RAG Graphs: {address}   (Ctrl-C ends it)"))
    console.line("Stopped.")
    return DONE
