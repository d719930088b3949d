"""Which conversation a run belongs to, how its question was understood, and what it answered."""

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
    """The answers of the kept runs, run by run: a database may hold more than fits into memory. None of them has been part
    of a conversation."""
    for run_id in db.execute(sa.select(runs.c.id)).scalars().all():
        query = sa.select(events.c.event).where(events.c.run_id == run_id).order_by(events.c.number)
        if answer := _answer([e for e in db.execute(query).scalars() if e]):
            db.execute(runs.update().where(runs.c.id == run_id).values(answer=answer))


def _answer(found: list[dict[str, Any]]) -> str:
    """The last one that a node wrote, or that someone put in its place."""
    updates = [e.get("update") or {} for e in found if e.get("kind") in ("node_finished", "edited")]
    return next((str(u["answer"]) for u in reversed(updates) if "answer" in u), "").replace("\0", "")
