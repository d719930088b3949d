"""A stand-in for OpenAI's protocol: chat completions (whole and streamed), embeddings, models, and their errors."""

from __future__ import annotations

import base64
import json
import struct
from dataclasses import dataclass, field
from typing import Any

from tests.servers.base import Reply, Request, StandIn
from tests.servers.script import USAGE, Say, Script, log_probabilities, pieces, written


@dataclass
class OpenAIServer(StandIn):
    """`url` + "/v1" is its base URL. `formats`: the response formats that it takes; `refuses`: parameters that it does not."""

    script: Script = field(default_factory=Script)
    key: str = ""
    models: tuple[str, ...] = ("small",)
    formats: frozenset[str] = frozenset({"json_schema", "json_object"})
    refuses: frozenset[str] = frozenset()

    @property
    def base_url(self) -> str:
        return f"{self.url}/v1"

    def answer(self, request: Request) -> Reply:
        if self.key and request.headers.get("authorization") != f"Bearer {self.key}":
            return error(
                401, f"Incorrect API key provided: {request.headers.get('authorization', '')}.", "invalid_api_key"
            )
        if request.path == "/v1/models":
            data = [{"id": m, "object": "model", "created": 0, "owned_by": "test"} for m in self.models]
            return Reply(200, {"object": "list", "data": data})
        if request.body.get("model") not in self.models:
            return error(404, f"The model `{request.body.get('model')}` does not exist.", "model_not_found")
        if request.path == "/v1/embeddings":
            return embeddings(request.body)
        if request.path == "/v1/chat/completions":
            return self.chat(request.body)
        return error(404, "Not found", None)

    def chat(self, body: dict[str, Any]) -> Reply:
        kind = (body.get("response_format") or {}).get("type", "words")
        if kind != "words" and kind not in self.formats:
            text = f"Invalid parameter: 'response_format' of type '{kind}' is not supported with this model."
            return error(400, text, None)
        for name in self.refuses & set(body):
            return error(
                400, f"Unsupported parameter: '{name}' is not supported with this model.", "unsupported_parameter"
            )
        form = {"json_schema": "schema", "json_object": "json"}.get(kind, "words")
        say = self.script.say(body["messages"])
        if body.get("stream"):
            parts = [f"data: {json.dumps(c)}\n\n".encode() for c in chunks(say, form, body)]
            return Reply(200, parts=[*parts, b"data: [DONE]\n\n"], content_type="text/event-stream")
        return Reply(200, completion(say, form, body))


def completion(say: Say, form: str, body: dict[str, Any]) -> dict[str, Any]:
    """A whole chat completion."""
    content = None if say.refusal else written(say, form)
    tokens = log_probabilities(say, form) if body.get("logprobs") else []
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": content, "refusal": say.refusal},
        "logprobs": {"content": tokens, "refusal": None} if tokens else None,
        "finish_reason": say.finish,
    }
    return {**_head("chat.completion", body), "choices": [choice], "usage": usage()}


def chunks(say: Say, form: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """A chat completion in the chunks of a stream, the last with the usage where it was asked for."""
    head = _head("chat.completion.chunk", body)
    deltas: list[dict[str, Any]] = [{"role": "assistant", "content": ""}]
    deltas += [{"content": piece} for piece in pieces(written(say, form))]
    sent = [{**head, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    sent.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": say.finish}]})
    if (body.get("stream_options") or {}).get("include_usage"):
        sent.append({**head, "choices": [], "usage": usage()})
    return sent


def usage() -> dict[str, int]:
    return {"prompt_tokens": USAGE[0], "completion_tokens": USAGE[1], "total_tokens": sum(USAGE)}


def _head(kind: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"id": "chatcmpl-1", "object": kind, "created": 0, "model": body["model"]}


def embeddings(body: dict[str, Any]) -> Reply:
    """Vectors of three numbers, in base64 where that was asked for, as OpenAI's client does."""
    texts = body["input"] if isinstance(body["input"], list) else [body["input"]]
    data = []
    for index, text in enumerate(texts):
        vector: Any = [float(len(text)), 1.0, 2.0]
        if body.get("encoding_format") == "base64":
            vector = base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
        data.append({"object": "embedding", "index": index, "embedding": vector})
    total = {"prompt_tokens": len(texts), "total_tokens": len(texts)}
    return Reply(200, {"object": "list", "data": data, "model": body["model"], "usage": total})


def error(status: int, text: str, code: str | None) -> Reply:
    """An error in OpenAI's form."""
    return Reply(status, {"error": {"message": text, "type": "error", "param": None, "code": code}})
