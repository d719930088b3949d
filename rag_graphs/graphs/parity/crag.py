"""Corrective RAG beside its paper."""

from rag_graphs.graphs.parity.row import Here, Parity, ParityRow

GRADED = ("crag", "crag-local")
REFINED = ("crag-refined",)

TABLE = Parity(
    family="Corrective RAG",
    paper="Yan et al. 2024",
    arxiv="2401.15884",
    rows=(
        ParityRow(
            aspect="Evaluator",
            paper="T5-large, fine-tuned: a score from -1 to 1 for each document and the question.",
            where="4.2; appendix B.2",
            common="A chat model says yes or no to each document.",
            here=(
                Here(keys=GRADED, says="Yes or no to each document, with its reason."),
                Here(
                    keys=REFINED, says="A score from 0 to 1 for each document, by a chat model or the built-in engine."
                ),
            ),
        ),
        ParityRow(
            aspect="Thresholds",
            paper="Two, chosen for each dataset: 0.59 and -0.99 on PopQA.",
            where="4.3; appendix B.2",
            common="None. One irrelevant document is mostly enough to search the web.",
            here=(
                Here(keys=("crag",), says="More than 0.7 of the documents must be relevant."),
                Here(keys=("crag-local",), says="One irrelevant document is enough to search the web."),
                Here(
                    keys=REFINED,
                    says="Two that belong to the evaluator and are chosen on its own scores; the paper's fit its T5 alone.",
                ),
            ),
        ),
        ParityRow(
            aspect="Actions",
            paper="Correct: any score over the upper threshold. Incorrect: all under the lower one. Else ambiguous, which uses "
            "both library and web.",
            where="4.3; Algorithm 1",
            common="Two: generate, or search the web first.",
            here=(
                Here(keys=GRADED, says="Two: generate, or search the web first."),
                Here(keys=REFINED, says="The paper's three."),
            ),
        ),
        ParityRow(
            aspect="Knowledge refinement",
            paper="Decompose into strips of a few sentences, score each with the evaluator, drop those under -0.5, keep the "
            "best 5, recompose in order.",
            where="4.4; appendix B.2",
            common="None: documents go into the prompt whole.",
            here=(
                Here(keys=GRADED, says="None: documents go into the prompt whole."),
                Here(
                    keys=REFINED,
                    says="The same, with a threshold of the evaluator's own, and the dropped strips in sight.",
                ),
            ),
        ),
        ParityRow(
            aspect="Query of the web search",
            paper="Keywords, named by ChatGPT, at most three.",
            where="4.5; appendix A",
            common="The question, rewritten as a better question.",
            here=(
                Here(keys=("crag",), says="The question, rewritten for a web search."),
                Here(keys=("crag-local",), says="The question as it was asked."),
                Here(keys=REFINED, says="At most three keywords."),
            ),
        ),
        ParityRow(
            aspect="Text from the web",
            paper="Pages behind the links, refined like documents.",
            where="4.5",
            common="The search service's excerpts, joined into one document.",
            here=(
                Here(keys=GRADED, says="The search service's excerpts, a document each, with their addresses."),
                Here(keys=REFINED, says="The excerpts, refined like documents."),
            ),
        ),
        ParityRow(
            aspect="Irrelevant documents",
            paper="All are thrown away when the action is incorrect; else their irrelevant strips are.",
            where="4.3; 4.4",
            common="Dropped; the relevant ones stay beside the web's.",
            here=(
                Here(keys=GRADED, says="Dropped, and shown as such; the relevant ones stay beside the web's."),
                Here(keys=REFINED, says="As in the paper."),
            ),
        ),
        ParityRow(
            aspect="Check of the answer",
            paper="None.",
            common="None.",
            here=(Here(says="None. A run that needed the web and did not get it says so."),),
        ),
    ),
)
