"""Naive RAG beside the paper that gave retrieval-augmented generation its name."""

from rag_graphs.graphs.parity.row import Here, Parity, ParityRow

TABLE = Parity(
    family="Naive RAG",
    paper="Lewis et al. 2020",
    arxiv="2005.11401",
    rows=(
        ParityRow(
            aspect="Retriever",
            paper="DPR: one encoder for questions, one for passages of about 100 words of Wikipedia.",
            where="2.2",
            common="An embedding model and a vector store.",
            here=(Here(says="Embeddings by the language of the sources, fused by rank with BM25."),),
        ),
        ParityRow(
            aspect="Generator",
            paper="BART-large, given the question and one passage.",
            where="2.3",
            common="A chat model, given the question and all passages in one prompt.",
            here=(Here(says="A chat model or the built-in engine, given numbered documents to cite."),),
        ),
        ParityRow(
            aspect="How several passages count",
            paper="Summed out by their probability: for the whole answer (RAG-Sequence) or for each token (RAG-Token).",
            where="2.1",
            common="They stand one after the other in the prompt.",
            here=(Here(says="They stand one after the other in the prompt."),),
        ),
        ParityRow(
            aspect="Training",
            paper="Question encoder and generator are trained together; the passages' encoder stays as it is.",
            where="2.4",
            common="None.",
            here=(Here(says="None."),),
        ),
        ParityRow(
            aspect="Checks",
            paper="None.",
            common="None.",
            here=(Here(says="None. The other families are about what is missing here."),),
        ),
    ),
)
