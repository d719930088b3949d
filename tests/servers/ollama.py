"""A stand-in for Ollama's own protocol: /api/chat, /api/embed, /api/tags, /api/version, and their errors."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from tests.servers.base import Reply, Request, StandIn
from tests.servers.script import USAGE, Say, Script, log_probabilities, pieces, written


@dataclass
class OllamaServer(StandIn):
    """`formats`: what it takes in `format`: "schema" and "json"."""

    script: Script = field(default_factory=Script)
    models: tuple[str, ...] = ("small",)
    formats: frozenset[str] = frozenset({"schema", "json"})
    counts: bool = True

    def answer(self, request: Request) -> Reply:
        if request.path == "/api/tags":
            return Reply(200, {"models": [{"name": m, "model": m, "size": 1, "digest": "0"} for m in self.models]})
        if request.path == "/api/version":
            return Reply(200, {"version": "0.12.0"})
        if request.body.get("model") not in self.models:
            return error(404, f"model '{request.body.get('model')}' not found")
        if request.path == "/api/embed":
            return Reply(200, {"embeddings": [[float(len(t)), 1.0, 2.0] for t in request.body["input"]]})
        if request.path == "/api/chat":
            return self.chat(request.body)
        return error(404, "not found")

    def chat(self, body: dict[str, Any]) -> Reply:
        asked = body.get("format")
        form = "json" if asked == "json" else "schema" if asked else "words"
        if form != "words" and form not in self.formats:
            return error(400, "this model does not support the given format")
        say = self.script.say(body["messages"])
        lines = self.lines(say, form, body)
        if body.get("stream", True):
            return Reply(
                200, parts=[json.dumps(line).encode() + b"\n" for line in lines], content_type="application/x-ndjson"
            )
        message = {"role": "assistant", "content": written(say, form)}
        return Reply(200, {**lines[-1], "message": message})

    def lines(self, say: Say, form: str, body: dict[str, Any]) -> list[dict[str, Any]]:
        """The objects of a stream, one a line."""
        head = {"model": body["model"], "created_at": "2026-01-01T00:00:00Z"}
        text = "" if say.refusal else written(say, form)
        tokens = log_probabilities(say, form) if body.get("logprobs") and text else []
        each = "".join(t["token"] for t in tokens) == text  # as Ollama does: a line a token, with its probability
        parts = [t["token"] for t in tokens] if each else pieces(text)
        told = [[t] for t in tokens] if each else [tokens]
        sent: list[dict[str, Any]] = [
            {**head, "message": {"role": "assistant", "content": piece}, "done": False} for piece in parts
        ]
        for line, own in zip(sent, told, strict=False):
            line.update({"logprobs": own} if own else {})
        counts = {"prompt_eval_count": USAGE[0], "eval_count": USAGE[1]} if self.counts else {"eval_count": USAGE[1]}
        last = {"role": "assistant", "content": ""}
        return [*sent, {**head, "message": last, "done": True, "done_reason": say.finish, **counts}]


def error(status: int, text: str) -> Reply:
    """An error in Ollama's form."""
    return Reply(status, {"error": text})
