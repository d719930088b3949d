"""What Alembic runs: the revisions, on the connection that it is handed, inside the transaction that is open on it."""

from alembic import context

context.configure(connection=context.config.attributes["connection"])
context.run_migrations()
