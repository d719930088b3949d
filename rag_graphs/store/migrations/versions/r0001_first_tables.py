"""Runs with their events, and visitors."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("owner", sa.String(64), nullable=False),
        sa.Column("strategy", sa.String(64), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("started", sa.String(32), nullable=False),
        sa.Column("ended", sa.String(32), nullable=False),
        sa.Column("seconds", sa.Float),
    )
    op.create_index("ix_runs_owner", "runs", ["owner"])
    op.create_table(
        "events",
        sa.Column("run_id", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True),
        sa.Column("event", sa.JSON, nullable=False),
    )
    op.create_table(
        "visitors",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("sources", sa.JSON, nullable=False),
        sa.Column("choices", sa.JSON, nullable=False),
    )
