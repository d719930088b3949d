"""What is kept between starts: runs with their events, and each visitor's library and choices. A database, by SQLAlchemy."""

from rag_graphs.store.conversations import ConversationRow, TurnRow
from rag_graphs.store.history import RunRow
from rag_graphs.store.store import Store

__all__ = ["ConversationRow", "RunRow", "Store", "TurnRow"]
