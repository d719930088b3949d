"""The current tables. The revisions in `migrations/versions` lead to the same ones; a test compares the two."""

from __future__ import annotations

from sqlalchemy import JSON, Boolean, Column, Float, Index, Integer, MetaData, String, Table, Text, false

metadata = MetaData()

runs = Table(
    "runs",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("owner", String(64), index=True, nullable=False),
    Column("strategy", String(64), nullable=False),
    Column("question", Text, nullable=False),
    Column("started", String(32), nullable=False),
    Column("ended", String(32), nullable=False, default=""),
    Column("seconds", Float),
    Column("kept", Float, nullable=False, server_default="0"),
    Column("llm_calls", Integer, nullable=False, server_default="0"),
    Column("starred", Boolean, nullable=False, server_default=false()),
    Column("parent", String(64), nullable=False, server_default=""),
    Column("words", Text, nullable=False, server_default=""),
    Column("conversation", String(64), nullable=False, server_default=""),
    Column("condensed", Text, nullable=False, server_default=""),
    Column("answer", Text, nullable=False, server_default=""),
)
"""`ended`: why a run ended, empty while it runs. `kept`: Unix time at which it was stored. `words`: the text that a search
looks in, casefolded here because databases fold only some letters. `condensed`: the question in words that can be understood
without the earlier turns, empty if it needed none."""
Index("ix_runs_owner_kept", runs.c.owner, runs.c.kept)
Index("ix_runs_owner_conversation", runs.c.owner, runs.c.conversation, runs.c.kept)

events = Table(
    "events",
    metadata,
    Column("run_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("event", JSON, nullable=False),
)

visitors = Table(
    "visitors",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("sources", JSON, nullable=False),
    Column("choices", JSON, nullable=False),
)
