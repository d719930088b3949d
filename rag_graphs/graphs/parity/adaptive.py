"""Adaptive RAG beside its paper."""

from rag_graphs.graphs.parity.row import Here, Parity, ParityRow

ROUTED = ("adaptive", "adaptive-direct")
COMPLEXITY = ("adaptive-complexity",)

TABLE = Parity(
    family="Adaptive RAG",
    paper="Jeong et al. 2024",
    arxiv="2403.14403",
    rows=(
        ParityRow(
            aspect="Classifier",
            paper="T5-large, trained on which strategy answered a question rightly, the simplest one first; where none did, on "
            "whether its dataset asks for one hop or several.",
            where="3.2",
            common="A chat model with a fixed sentence on what the library holds.",
            here=(
                Here(keys=ROUTED, says="A chat model or the built-in engine, told what the loaded sources are about."),
                Here(keys=COMPLEXITY, says="A chat model that is asked, or rules of the built-in engine; not trained."),
            ),
        ),
        ParityRow(
            aspect="Classes",
            paper="A: no retrieval. B: one search. C: several, one after the other.",
            where="3.1; 3.2",
            common="By source: vectorstore or web search.",
            here=(
                Here(keys=("adaptive",), says="By source: vectorstore or web search."),
                Here(keys=("adaptive-direct",), says="By source, with no retrieval as the third."),
                Here(keys=COMPLEXITY, says="The paper's A, B and C."),
            ),
        ),
        ParityRow(
            aspect="No retrieval",
            paper="Class A: the model answers from what it knows.",
            where="3.1",
            common="Mostly not there.",
            here=(
                Here(keys=("adaptive",), says="Not there."),
                Here(
                    keys=("adaptive-direct", "adaptive-complexity"), says="The answer is marked as one without sources."
                ),
            ),
        ),
        ParityRow(
            aspect="One search",
            paper="Class B: retrieve once, then answer.",
            where="3.1",
            common="Retrieve, grade the documents, answer, grade the answer.",
            here=(
                Here(keys=ROUTED, says="Retrieve, grade the documents, answer, grade the answer."),
                Here(keys=COMPLEXITY, says="Retrieve once, then answer; nothing is graded."),
            ),
        ),
        ParityRow(
            aspect="Several searches",
            paper="Class C: retrieval and one sentence of reasoning in turn, each sentence the next query (after IRCoT).",
            where="3.1",
            common="Not there; a rewritten query after a failed grade takes its place.",
            here=(
                Here(keys=ROUTED, says="A rewritten query after a failed grade, at most three."),
                Here(
                    keys=COMPLEXITY,
                    says="As in the paper, until the answer, 10 steps or 15 documents; near-duplicates are dropped.",
                ),
            ),
        ),
        ParityRow(
            aspect="Routing by source",
            paper="Not there: one corpus.",
            common="It is the whole of the adaptation.",
            here=(
                Here(keys=ROUTED, says="Library or web; an unreadable route goes to the library, and says so."),
                Here(keys=COMPLEXITY, says="Not there."),
            ),
        ),
        ParityRow(
            aspect="Loops and budget",
            paper="Decided once, before any retrieval; the chain has a limit of its own.",
            where="3.1; 3.2",
            common="Rewrites and regenerates without end, until LangGraph's recursion limit breaks the run off.",
            here=(
                Here(keys=ROUTED, says="At most 3 rewrites and 2 regenerations, then it gives up with what it has."),
                Here(keys=COMPLEXITY, says="Decided once; the chain is bounded."),
            ),
        ),
    ),
)
