"""Real pages: ten questions that Debian's Python documentation answers, five that it does not, put to four strategies.

    .venv/bin/python -m benchmarks.real_pages            # the table, as Markdown
    .venv/bin/python -m benchmarks.real_pages --misses   # and, for each miss, what was found and what was graded
    .venv/bin/python -m benchmarks.real_pages --plan FILE --strategy self-rag --web off

The pages are served on loopback and loaded by URL. Questions and pages stand in real_pages.toml, written before the first
run. An answerable question passes when the page that holds the answer is among the kept documents (`naive`: the retrieved
ones) and is cited. An unanswerable one passes when the run ends in words that say so, or with an answer cited from the web.
"""

from __future__ import annotations

import argparse
import re
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

from rag_graphs import Library, Settings, Trace, build_components, get_strategy, load_settings, run

PAGES = Path("/usr/share/doc/python3.11/html")
PLAN = Path(__file__).with_name("real_pages.toml")
STRATEGIES = ("naive", "self-rag", "crag", "adaptive")
WEBS = ("off", "sample")
HONEST = {"no relevant documents", "retry budget spent", "search unavailable"}
CITATION = re.compile(r"\[(\d+)\]")


@dataclass(frozen=True)
class Outcome:
    """What became of a question. `kept` and `cited`: addresses of documents."""

    question: str
    page: str
    stop_reason: str
    kept: list[str]
    cited: list[str]
    web: bool
    trace: Trace

    @property
    def passed(self) -> bool:
        if self.page:
            return self.page in self.kept and self.page in self.cited
        return self.stop_reason in HONEST or (self.web and bool(self.cited))


class Quiet(SimpleHTTPRequestHandler):
    """Serves files and keeps no log."""

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def serve(folder: Path) -> Iterator[str]:
    """Serve a folder on loopback; gives `host:port`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def load(library: Library, addresses: Sequence[str], settings: Settings) -> list[str]:
    """Load pages by URL; their source ids."""
    begun, worked = time.perf_counter(), time.process_time()
    reports = list(library.load_many(addresses, settings))
    failed = [f"{r.address}: {r.status}. {r.message}" for r in reports if not r.source]
    if failed:
        raise SystemExit("These pages did not load:\n" + "\n".join(failed))
    sources = [r.source for r in reports if r.source]
    seconds, cpu = time.perf_counter() - begun, time.process_time() - worked
    chunks = sum(s.chunks for s in sources)
    print(f"{len(sources)} pages loaded by URL, {chunks} chunks, in {seconds:.0f} s ({cpu:.0f} s of processor time).\n")
    return [s.id for s in sources]


def ask(strategy: str, question: str, page: str, library: Library, ids: Sequence[str], settings: Settings) -> Outcome:
    """Put one question to one strategy."""
    components = build_components(settings, library, list(ids))
    trace = Trace(list(run(get_strategy(strategy), question, components, settings, sources=ids)))
    state = trace.state
    last = state.answers[-1] if state.answers else None
    used = last.documents if last else []
    numbers = sorted({int(n) for n in CITATION.findall(state.answer)})
    cited = [used[n - 1] for n in numbers if n <= len(used)]
    return Outcome(
        question=question,
        page=page,
        stop_reason=trace.stop_reason or "",
        kept=[d.source for d in state.documents],
        cited=[d.source for d in cited],
        web=bool(cited) and all(d.origin == "web" for d in cited),
        trace=trace,
    )


def measure(
    library: Library,
    questions: Sequence[tuple[str, str]],
    ids: Sequence[str],
    strategies: Sequence[str],
    webs: Sequence[str],
) -> dict[tuple[str, str], list[Outcome]]:
    """Every question (with the address of its page, or empty) on every strategy and web."""
    return {
        (strategy, web): [
            ask(strategy, question, page, library, ids, load_settings(web=web)) for question, page in questions
        ]
        for web in webs
        for strategy in strategies
    }


def table(measured: dict[tuple[str, str], list[Outcome]], name: Callable[[Outcome], str]) -> str:
    """Markdown: a line for each strategy and web, then a line for each question."""
    lines = ["| strategy | web | answered from the right page, cited | honest about the rest |", "|---|---|---|---|"]
    for (strategy, web), outcomes in measured.items():
        answerable = [o.passed for o in outcomes if o.page]
        rest = [o.passed for o in outcomes if not o.page]
        lines.append(f"| `{strategy}` | {web} | {sum(answerable)} of {len(answerable)} | {sum(rest)} of {len(rest)} |")
    columns = list(measured)
    lines += ["", "| question | page | " + " | ".join(f"{s}, {w}" for s, w in columns) + " |"]
    lines += ["|---|---|" + "---|" * len(columns)]
    for row in zip(*measured.values(), strict=True):
        cells = " | ".join(("✓ " if o.passed else "✕ ") + o.stop_reason for o in row)
        lines.append(f"| {row[0].question} | {name(row[0])} | {cells} |")
    return "\n".join(lines)


def miss(strategy: str, web: str, outcome: Outcome, host: str) -> str:
    """What a miss found and how it was graded."""
    state = outcome.trace.state
    said = [f"## {strategy}, web {web}: {outcome.question}", f"stop: {outcome.stop_reason}; queries: {state.queries}"]
    said += [f"page: {outcome.page.removeprefix(f'http://{host}/')}"] if outcome.page else []
    for seen in state.seen:
        grade = f"{seen.grade.label} {seen.grade.score} {seen.grade.reason}" if seen.grade else "not graded"
        where = seen.document.source.removeprefix(f"http://{host}/")
        said.append(f"  {where} › {seen.document.heading[-60:]}: {grade}")
        said.append(f"      {' '.join(seen.document.text.split())[:160]}")
    return "\n".join([*said, f"answer: {state.answer}", ""])


def main() -> None:
    parser = argparse.ArgumentParser(description="Questions on real pages, put to four strategies.")
    parser.add_argument("--plan", type=Path, default=PLAN, help="a file like real_pages.toml")
    parser.add_argument("--strategy", nargs="*", default=STRATEGIES)
    parser.add_argument("--web", nargs="*", default=WEBS)
    parser.add_argument("--data", type=Path, help="a folder to keep the index in, so that the next time loads faster")
    parser.add_argument("--misses", action="store_true", help="tell for each miss what was found and graded")
    chosen = parser.parse_args()
    if not PAGES.is_dir():
        print(f"Skipped: {PAGES} is not there. On Debian: apt-get install python3.11-doc")
        return
    plan = tomllib.loads(chosen.plan.read_text(encoding="utf-8"))
    with serve(PAGES) as host:
        library = Library(chosen.data, allowed_hosts=frozenset({host}))
        ids = load(library, [f"http://{host}/{page}" for page in plan["pages"]], load_settings())
        questions = [(q["question"], f"http://{host}/{q['page']}") for q in plan["answerable"]]
        questions += [(q["question"], "") for q in plan["unanswerable"]]
        measured = measure(library, questions, ids, chosen.strategy, chosen.web)
        print(table(measured, lambda o: o.page.removeprefix(f"http://{host}/") or "–"))
        for (strategy, web), outcomes in measured.items() if chosen.misses else ():
            for outcome in outcomes:
                if not outcome.passed:
                    print("\n" + miss(strategy, web, outcome, host))


if __name__ == "__main__":
    main()
