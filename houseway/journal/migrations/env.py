"""Where Alembic finds the connection and the tables."""

from alembic import context

from houseway.journal.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
