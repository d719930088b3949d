"""Add the columns for conversations: the one that a run belongs to, its condensed question, and its answer."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

runs = sa.table("runs", sa.column("id"), sa.column("answer"))
events = sa.table("events", sa.column("run_id"), sa.column("number"), sa.column("event", sa.JSON))


def upgrade() -> None:
    op.add_column("runs", sa.Column("conversation", sa.String(64), nullable=False, server_default=""))
    op.add_column("runs", sa.Column("condensed", sa.Text, nullable=False, server_default=""))
    op.add_column("runs", sa.Column("answer", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_runs_owner_conversation", "runs", ["owner", "conversation", "kept"])
    _fill(op.get_bind())


def _fill(db: sa.Connection) -> None:
    """Fill in the answers of the stored runs, one run at a time: a database may hold more than fits into memory. None of these
    runs belongs to a conversation."""
    for run_id in db.execute(sa.select(runs.c.id)).scalars().all():
        query = sa.select(events.c.event).where(events.c.run_id == run_id).order_by(events.c.number)
        if answer := _answer([e for e in db.execute(query).scalars() if e]):
            db.execute(runs.update().where(runs.c.id == run_id).values(answer=answer))


def _answer(run_events: list[dict[str, Any]]) -> str:
    """Return the last answer that a node wrote or that was edited in."""
    updates = [e.get("update") or {} for e in run_events if e.get("kind") in ("node_finished", "edited")]
    return next((str(u["answer"]) for u in reversed(updates) if "answer" in u), "").replace("\0", "")
