"""Add the columns that the list of runs shows and searches: when a run was stored, its calls, star, parent and words."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

runs = sa.table(
    "runs",
    *(sa.column(name) for name in ("id", "started", "ended", "kept", "llm_calls", "parent", "words", "question")),
)
events = sa.table("events", sa.column("run_id"), sa.column("number"), sa.column("event", sa.JSON))


def upgrade() -> None:
    op.add_column("runs", sa.Column("kept", sa.Float, nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("llm_calls", sa.Integer, nullable=False, server_default="0"))
    op.add_column("runs", sa.Column("starred", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("runs", sa.Column("parent", sa.String(64), nullable=False, server_default=""))
    op.add_column("runs", sa.Column("words", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_runs_owner_kept", "runs", ["owner", "kept"])
    _fill(op.get_bind())


def _fill(db: sa.Connection) -> None:
    """Fill the new columns from the stored events, one run at a time: a database may hold more than fits into memory."""
    for run in db.execute(sa.select(runs.c.id, runs.c.started, runs.c.question)).all():
        run_events = [e for e in db.execute(sa.select(events.c.event).where(events.c.run_id == run.id)).scalars() if e]
        answers = [str(e.get("answer", "")) for e in run_events if e.get("kind") == "run_finished"]
        values = {
            "kept": _seconds(run.started),
            "llm_calls": sum(e.get("kind") == "model_called" for e in run_events),
            "parent": _parent(run_events),
            "words": "\n".join([run.question, *answers]).casefold(),
        }
        db.execute(runs.update().where(runs.c.id == run.id).values(**values))


def _seconds(started: str) -> float:
    try:
        return datetime.fromisoformat(started).timestamp()
    except ValueError:
        return 0.0


def _parent(run_events: list[dict[str, Any]]) -> str:
    return next((str(e.get("parent", ""))[:64] for e in run_events if e.get("kind") == "run_started"), "")
