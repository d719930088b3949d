"""Self-RAG beside its paper."""

from rag_graphs.graphs.parity.row import Here, Parity, ParityRow

GRADED = ("self-rag", "self-rag-web")
CRITIQUE = ("self-rag-critique",)

TABLE = Parity(
    family="Self-RAG",
    paper="Asai et al. 2023",
    arxiv="2310.11511",
    rows=(
        ParityRow(
            aspect="When to retrieve",
            paper="Before each sentence the model emits the token Retrieve (yes, no, continue). Retrieved if the normalised "
            "probability of yes exceeds a threshold, 0.2 in most experiments.",
            where="Table 1; 3.3; 4.3",
            common="Always, once, at the start.",
            here=(
                Here(
                    keys=CRITIQUE,
                    says="Once, before the answer: P(yes) / (P(yes) + P(no)) > 0.2, or the plain verdict where the model tells "
                    "no probabilities.",
                ),
                Here(
                    keys=("self-rag",),
                    says="Always, unless the gate is on: from the question, or from a first attempt.",
                ),
                Here(keys=("self-rag-web",), says="Always, once, at the start."),
            ),
        ),
        ParityRow(
            aspect="Relevance (ISREL)",
            paper="A token for each passage: relevant or irrelevant.",
            where="Table 1",
            common="A grader says yes or no to each document; those with a no are dropped.",
            here=(
                Here(
                    keys=GRADED, says="Yes or no with its reason; lenient or strict. Rejected documents stay in sight."
                ),
                Here(keys=CRITIQUE, says="Judged with the draft from that document, and weighed in its score."),
            ),
        ),
        ParityRow(
            aspect="Support (ISSUP)",
            paper="Three levels: fully supported, partially supported, no support.",
            where="Table 1",
            common="Yes or no for the whole answer, called a check for hallucinations.",
            here=(
                Here(keys=GRADED, says="Yes or no for the whole answer; what was wrong is told to the next attempt."),
                Here(keys=CRITIQUE, says="Three levels for each draft."),
            ),
        ),
        ParityRow(
            aspect="Usefulness (ISUSE)",
            paper="Five levels, whatever the passages say.",
            where="Table 1",
            common="Yes or no.",
            here=(Here(keys=GRADED, says="Yes or no."), Here(keys=CRITIQUE, says="Five levels for each draft.")),
        ),
        ParityRow(
            aspect="What is ranked",
            paper="Continuations of a sentence, one from each passage, by their probability plus a weighted sum of the three "
            "critique scores, with weights 1.0, 1.0 and 0.5.",
            where="3.3; equations 3 and 4; 4.3",
            common="Nothing: a failed check leads back.",
            here=(
                Here(
                    keys=CRITIQUE,
                    says="Whole drafts, one from each of five documents, by the same sum; the probability of the text itself "
                    "is off unless it is given a weight.",
                ),
                Here(keys=GRADED, says="Nothing: a failed check leads back."),
            ),
        ),
        ParityRow(
            aspect="Decoding",
            paper="Sentence by sentence, a beam over them of width 2.",
            where="3.3; Algorithm 1; 4.3",
            common="One answer at a time.",
            here=(Here(says="One answer, or one draft from each document; no beam over sentences."),),
        ),
        ParityRow(
            aspect="Training",
            paper="A critic learns the judgements of GPT-4 and writes them into the training texts; the generator learns to "
            "emit them as tokens.",
            where="3.2",
            common="None: a chat model is asked for each judgement.",
            here=(Here(says="None: a chat model is asked, or the built-in engine measures."),),
        ),
        ParityRow(
            aspect="Loops and budget",
            paper="None: nothing is searched for again in other words.",
            common="Rewrites and regenerates without end, until LangGraph's recursion limit breaks the run off.",
            here=(
                Here(
                    keys=("self-rag",),
                    says="At most 3 rewrites and 2 regenerations, then it gives up with what it has.",
                ),
                Here(keys=("self-rag-web",), says="At most 2 web searches and 2 regenerations, then it gives up."),
                Here(keys=CRITIQUE, says="No loop, as in the paper."),
            ),
        ),
    ),
)
