"""Naive RAG beside the paper that gave retrieval-augmented generation its name."""

from rag_graphs.parity.row import Here, Parity, Row

TABLE = Parity(
    family="Naive RAG",
    paper="Lewis et al. 2020",
    arxiv="2005.11401",
    rows=(
        Row(
            aspect="Retriever",
            paper="DPR: one encoder for questions, one for passages of about 100 words of Wikipedia.",
            where="2.2",
            common="An embedding model and a vector store.",
            here=(Here(says="Embeddings by the language of the sources, fused by rank with BM25."),),
        ),
        Row(
            aspect="Generator",
            paper="BART-large, given the question and one passage.",
            where="2.3",
            common="A chat model, given the question and all passages in one prompt.",
            here=(Here(says="A chat model or the built-in engine, given numbered documents to cite."),),
        ),
        Row(
            aspect="How several passages count",
            paper="Summed out by their probability: for the whole answer (RAG-Sequence) or for each token (RAG-Token).",
            where="2.1",
            common="They stand one after the other in the prompt.",
            here=(Here(says="They stand one after the other in the prompt."),),
        ),
        Row(
            aspect="Training",
            paper="Question encoder and generator are trained together; the passages' encoder stays as it is.",
            where="2.4",
            common="None.",
            here=(Here(says="None."),),
        ),
        Row(
            aspect="Checks",
            paper="None.",
            common="None.",
            here=(Here(says="None. The other families are about what is missing here."),),
        ),
    ),
)
