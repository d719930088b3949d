"""One file of everything: the strategy's graph and all that it needs, the visitor's settings, prompts and documents."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from rag_graphs.engines.llm.evaluator import thresholds_of
from rag_graphs.engines.prompts import PROMPTS, Prompt, split_text
from rag_graphs.export.script import literals
from rag_graphs.export.script.bundle import Bundle, Place, find_definition, gather, text_of
from rag_graphs.export.script.folding import live
from rag_graphs.export.script.head import head, model_name
from rag_graphs.export.script.library import Carried, web_records
from rag_graphs.export.script.modules import BundleError, Definition
from rag_graphs.export.script.sections import SECTIONS, place_of
from rag_graphs.export.script.wiring import COMPONENTS, PARTS, portable, used_components, wires
from rag_graphs.graphs.strategy import Strategy
from rag_graphs.settings import Settings

STATE = ("rag_graphs.graphs.state", "RagState")
SETTINGS = ("rag_graphs.settings", "Settings")
PROMPT = (f"{PARTS}.given", "Prompt")
ALWAYS = [("__future__", "annotations"), ("dataclasses", "dataclass"), ("typing", "Any")]


def assemble(strategy: Strategy, settings: Settings, library: Carried) -> str:
    """The text of the script. Raises BundleError for a source that the bundler cannot carry over: a bug."""
    title = head(strategy, settings, library)
    settings = portable(settings)
    build = find_definition(strategy.build.__module__, strategy.build.__name__)
    parts = wires(build, settings)
    bundle, kept = _gathered(build, parts, settings)
    top = [title, _imports(bundle), _ruler("What may be changed")]
    sections = [
        "\n\n".join([*top, _choices(strategy, settings, library, bundle)]),
        *_sections(bundle, kept, settings),
        _graph(build, parts, settings),
        _data(library, bundle),
        f'if __name__ == "__main__":\n    {_main(settings)[1]}()\n',
    ]
    return "\n\n".join(section.strip("\n") + "\n" for section in sections if section).replace(
        '"""\n\n\nfrom', '"""\n\nfrom', 1
    )


def _gathered(
    build: Definition, parts: Mapping[str, Place], settings: Settings
) -> tuple[Bundle, dict[Place, set[str]]]:
    """All that is needed, and which fields of the state and of the components. What a field's type needs may read further
    fields, so this is done until nothing is added."""
    roots = [(build.home.name, build.name), _main(settings), PROMPT, COMPONENTS, *parts.values()]
    roots += [("rag_graphs.graphs.outline", "condensing")] if settings.conversing else []
    kept: dict[Place, set[str]] = {STATE: set(), COMPONENTS: set(used_components(build, settings))}
    every = set(find_definition(*STATE).fields)
    while True:
        bundle = gather(roots, [SETTINGS], kept, settings)
        needed = every & {name for d in bundle.definitions.values() for name in _mentioned(d, settings)}
        if needed == kept[STATE]:
            return bundle, kept
        kept[STATE] = needed


def _mentioned(taken: Definition, settings: Settings) -> Iterator[str]:
    """Names of the state's fields, as the code writes them: attributes, arguments, and keys of updates."""
    body = taken.node.body if isinstance(taken.node, ast.ClassDef) else []
    methods = [s for s in body if isinstance(s, ast.FunctionDef)]
    roots = methods if (taken.home.name, taken.name) == STATE else [taken.node]
    for node in (n for root in roots for n in live(root, settings)):
        if isinstance(node, ast.Attribute):
            yield node.attr
        elif taken.home.name.startswith(PARTS):
            continue
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _main(settings: Settings) -> Place:
    return (f"{PARTS}.conversing", "main_of_conversation") if settings.conversing else (f"{PARTS}.running", "main")


def _imports(bundle: Bundle) -> str:
    found = {(i.module, i.name, here) for here, i in bundle.imports} | {(m, n, n) for m, n in ALWAYS[1:]}
    return "from __future__ import annotations\n\n" + literals.import_lines({*found, ("os", "", "os")})


def _choices(strategy: Strategy, settings: Settings, library: Carried, bundle: Bundle) -> str:
    """Models, settings, and what the script says of itself."""
    names = {role: model_name(settings.model_for(role)) for role in ("grade", "generate", "rewrite")}
    first = names["grade"]
    roles = ", ".join(
        f'"{role}": {"MODEL" if name == first else literals.text_literal(name)}' for role, name in names.items()
    )
    lines = [f'MODEL = os.environ.get("MODEL", {literals.text_literal(first)})', f"MODELS = {{{roles}}}"]
    if "EMBEDDINGS" in bundle.given:
        lines.append(f"EMBEDDINGS = {literals.text_literal(model_name(settings.embeddings))}")
    lines.append(f"TITLE = {literals.text_literal(strategy.title)}")
    if "DESCRIPTION" in bundle.given:
        lines.append(f"DESCRIPTION = {literals.text_literal(library.description)}")
    return "\n".join([*lines, "", "", _settings_class(settings, bundle), "", "", "SETTINGS = Settings()"])


def _settings_class(settings: Settings, bundle: Bundle) -> str:
    """Of the settings those that something reads, as a small class of plain values."""
    fields, used = type(settings).model_fields, bundle.attributes_of("settings")
    read = [name for name in fields if name in used]
    rows = []
    for name in read:
        value = getattr(settings, name)
        kind = "float | None" if name.startswith("evaluator_") or name == "strip_threshold" else type(value).__name__
        rows.append(f"    {name}: {kind} = {value!r}  # {fields[name].description}")
    return "\n".join(
        ["@dataclass(frozen=True)", "class Settings:", '    """As they were when this script was made."""', "", *rows]
    )


def _sections(bundle: Bundle, kept: Mapping[Place, set[str]], settings: Settings) -> Iterator[str]:
    """The taken definitions, section by section."""
    try:
        ordered = sorted(bundle.definitions.items(), key=lambda i: (place_of(i[0][0]), i[0][0], i[1].first))
    except KeyError as missing:
        raise BundleError(f"{missing} belongs to no section of a script.") from None
    for number, (title, _) in enumerate(SECTIONS):
        taken = [(p, d) for p, d in ordered if place_of(p[0])[0] == number]
        if taken:
            yield "\n\n".join([_ruler(title), *_paragraphs(taken, kept, settings)])
        if PROMPT[0] in SECTIONS[number][1]:
            yield literals.prompt_literals(_prompts(bundle, settings))


def _paragraphs(
    taken: Sequence[tuple[Place, Definition]], kept: Mapping[Place, set[str]], settings: Settings
) -> Iterator[str]:
    """The texts of definitions, with a line between values and two around functions and classes."""
    before = False
    for text, is_value in {
        text_of(d, settings, kept.get(p)): isinstance(d.node, ast.Assign | ast.AnnAssign) for p, d in taken
    }.items():
        yield text.strip("\n") if is_value and before else "\n" + text.strip("\n")
        before = is_value


def _prompts(bundle: Bundle, settings: Settings) -> dict[str, tuple[str, str]]:
    """The prompts of the roles that the taken parts name, as the visitor has replaced them."""
    named = bundle.texts_of("role", "filled")
    replaced = {role: text for role, text in settings.prompts.items() if text.strip()}
    return {
        role: split_text(replaced[role]) if role in replaced else _parts(p)
        for role, p in PROMPTS.items()
        if role in named
    }


def _parts(prompt: Prompt) -> tuple[str, str]:
    return prompt.system, prompt.user


def _graph(build: Definition, parts: Mapping[str, Place], settings: Settings) -> str:
    """The components, and the graph that is built on them."""
    rows = [f"    {name}={part},\n" for name, (_, part) in parts.items()]
    if "thresholds" in used_components(build, settings):
        own = thresholds_of(model_name(settings.model_for("grade")))
        rows.append(f"    thresholds=Thresholds(upper={own.upper}, lower={own.lower}, strip={own.strip}),\n")
    made = f"{build.name}(COMPONENTS, SETTINGS)"
    graph = f"condensing({made}, COMPONENTS.condense)" if settings.conversing else made
    return f"COMPONENTS = Components(\n{''.join(rows)})\n\nGRAPH = {graph}\n"


def _data(library: Carried, bundle: Bundle) -> str:
    lists = []
    if "DOCUMENTS" in bundle.given:
        lists.append(literals.record_literals("DOCUMENTS", library.records))
    if "WEB_PAGES" in bundle.given:
        lists.append(literals.record_literals("WEB_PAGES", web_records()))
    return "\n".join([_ruler("Documents: data, nothing of it runs"), "", *lists]) if lists else ""


def _ruler(title: str) -> str:
    return f"# {title} {'-' * (96 - len(title))}"
