"""Put one file together: the strategy's graph and all that it needs, the visitor's settings, prompts and documents."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping

from rag_graphs.engines.llm.evaluator import thresholds_of
from rag_graphs.engines.prompts import PROMPTS, split_text
from rag_graphs.export.script import literals, wiring
from rag_graphs.export.script.opening import head, model_name
from rag_graphs.export.script.passages import Carried, carried_web
from rag_graphs.export.script.source import Copied, Definition, Place, Sources, gather
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import Settings

ALWAYS = {("os", "", "os"), ("dataclasses", "dataclass", "dataclass"), ("typing", "Any", "Any")}
"""What the exporter's own lines need: (module, name, name here)."""


def assemble(strategy: Strategy, settings: Settings, library: Carried) -> str:
    """Write the script. Raises ScriptError for a strategy that cannot be written as one file."""
    title, settings = head(strategy, settings, library), wiring.portable(settings)
    sources = Sources.of(strategy.build, strategy.title)
    build = sources.definition(strategy.build.__module__, strategy.build.__name__)
    sources.instead.update(wiring.SHORT_ERROR)
    roots = [build, *([sources.definition("rag_graphs.graphs.outline", "condensing")] if settings.conversing else [])]
    graph = gather(sources, roots, kept={wiring.STATE: ()}, written=[wiring.SETTINGS, wiring.COMPONENTS])
    parts = wiring.parts_of(graph, sources, settings)
    sources.instead.update(wiring.small_forms(graph, settings))
    main = sources.definition(f"{wiring.PARTS}.running", "main_of_conversation" if settings.conversing else "main")
    roots += [sources.definition(*wiring.COMPONENTS), main, *(sources.definition(*p) for p in parts.values() if p)]
    kept: dict[Place, Collection[str]] = {
        wiring.STATE: wiring.fields_of_state(graph, sources),
        wiring.COMPONENTS: tuple(parts),
    }
    kept[wiring.DOCUMENT] = wiring.FIELDS_OF_DOCUMENT
    copied = gather(sources, roots, kept=kept, written=[wiring.SETTINGS])
    del copied.definitions["Components"]
    sections = _sections(copied, sources, kept)
    sections["prompts"] = literals.prompt_literals(_prompts(parts, settings))
    sections["graph"] = f"{_components(sources, parts, settings)}\n{sections['graph']}\n{_graph(build, settings)}"
    return "\n".join(
        [
            f"{title}\n",
            "from __future__ import annotations\n",
            literals.import_lines(copied.imports | ALWAYS),
            "",
            *_ruled("What may be changed", _choices(strategy, settings, library, copied)),
            *(line for name, text in wiring.SECTIONS.items() for line in _ruled(text, sections[name])),
            *_ruled("The documents: data, nothing of it runs", _data(library, copied)),
            f'if __name__ == "__main__":\n    {main.name}()\n',
        ]
    )


def _ruled(title: str, text: str) -> Iterator[str]:
    """Write a section under its title."""
    if text.strip():
        yield f"# {title} {'-' * (96 - len(title))}\n{text.strip()}\n"


def _sections(copied: Copied, sources: Sources, kept: Mapping[Place, Collection[str]]) -> dict[str, str]:
    """Return the copied definitions by section, in the order of the modules and of their lines."""
    texts: dict[str, str] = dict.fromkeys(wiring.SECTIONS, "")
    by_place = {(d.home.name, d.first): d for d in copied.definitions.values()}  # one line may define two names
    stands = {taken: sources.replaced(taken) for taken in by_place.values()}
    was_value = False
    for taken in sorted(stands, key=lambda d: (wiring.section_of(stands[d].home.name)[1], stands[d].first)):
        is_value = isinstance(taken.node, ast.Assign | ast.AnnAssign)
        between = "" if is_value and was_value else "\n"
        texts[wiring.section_of(stands[taken].home.name)[0]] += between + sources.text(taken, kept.get(taken.place))
        was_value = is_value
    return texts


def _choices(strategy: Strategy, settings: Settings, library: Carried, copied: Copied) -> str:
    """Write models, settings, and what the script says of itself."""
    models = {role: model_name(settings.model_for(role)) for role in ("grade", "generate", "rewrite")}
    first = literals.text_literal(models["grade"])
    names = {role: "MODEL" if name == models["grade"] else literals.text_literal(name) for role, name in models.items()}
    lines = [f'MODEL = os.environ.get("MODEL", {first})']
    by_role = ", ".join(f'"{role}": {name}' for role, name in names.items())
    lines.append(f"MODELS = {{{by_role}}}")
    written = {
        "EMBEDDINGS": model_name(settings.embeddings),
        "TITLE": strategy.title,
        "DESCRIPTION": library.description,
    }
    lines += [f"{name} = {literals.text_literal(text)}" for name, text in written.items() if name in copied.written]
    read = wiring.attributes_of("settings", copied.definitions.values())
    lines += ["", "@dataclass(frozen=True)", "class Settings:", '    """As they were when this script was made."""']
    for name, field in type(settings).model_fields.items():
        if name in read:
            value, kind = getattr(settings, name), field.annotation
            kind_name = kind.__name__ if kind in (int, float, bool) else "float | None" if value is None else "str"
            optional = "float | None" if name in wiring.THRESHOLDS else kind_name
            lines.append(f"    {name}: {optional} = {literals.value_literal(value)}  # {field.description}")
    return "\n".join([*lines, "", "SETTINGS = Settings()"])


def _prompts(parts: Mapping[str, Place | None], settings: Settings) -> dict[str, tuple[str, str]]:
    """Write the prompts that these parts ask, as the visitor has replaced them."""
    prompts: dict[str, tuple[str, str]] = {}
    for role in dict.fromkeys(role for part in parts.values() if part for role in wiring.prompts_of(part[1])):
        strict = f"{role}_strict"
        chosen = strict if settings.strictness == "strict" and strict in PROMPTS else role
        replaced = settings.prompts.get(chosen, "").strip()
        prompts[role] = split_text(replaced) if replaced else (PROMPTS[chosen].system, PROMPTS[chosen].user)
    return prompts


def _components(sources: Sources, parts: Mapping[str, Place | None], settings: Settings) -> str:
    """Write the class of components, each with the part that takes its place."""
    fields = sources.definition(*wiring.COMPONENTS).fields
    own = thresholds_of(model_name(settings.model_for("grade")))
    values = {"thresholds": f"Thresholds(upper={own.upper}, lower={own.lower}, strip={own.strip})", "description": '""'}
    lines = [
        f"    {n}: {ast.unparse(fields[n].annotation)} = {part[1] if part else values[n]}" for n, part in parts.items()
    ]
    head = ["@dataclass(frozen=True, kw_only=True)", "class Components:", '    """What the nodes are given."""']
    return "\n".join([*head, *lines])


def _graph(build: Definition, settings: Settings) -> str:
    """Write the line that builds the graph."""
    graph = f"{build.name}(Components(), SETTINGS)"
    return f"GRAPH = condensing({graph}, Components().condense)" if settings.conversing else f"GRAPH = {graph}"


def _data(library: Carried, copied: Copied) -> str:
    lists = {"LIBRARY": library.pages, "WEB": carried_web() if "WEB" in copied.written else []}
    return "\n\n".join(literals.page_literals(n, pages) for n, pages in lists.items() if n in copied.written)
