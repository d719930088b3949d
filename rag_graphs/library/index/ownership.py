"""A lock on the folder of a vector index: a second process on the same folder would hang or damage it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from rag_graphs.errors import LibraryError

if TYPE_CHECKING:
    from filelock import FileLock

_held: dict[Path, FileLock] = {}  # the system gives the locks back when the process ends
_lock = threading.RLock()  # as in vectors.py: clean-up may come at any moment


def own(folder: Path) -> None:
    """Lock a folder until this process ends. Raises LibraryError if another process has locked it."""
    from filelock import FileLock, Timeout

    with _lock:
        if folder in _held:
            return
        # the whole process owns the folder, so any thread may release the lock
        lock = FileLock(folder / "owner.lock", blocking=False, thread_local=False)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            lock.acquire()
        except Timeout as error:
            raise LibraryError(
                f"Another process uses the library in {folder}. Stop it, or choose another folder with RAG_DATA_DIR."
            ) from error
        except OSError as error:
            raise LibraryError(
                f"The folder {folder} cannot be written to ({error.strerror}). Choose another with RAG_DATA_DIR."
            ) from error
        _held[folder] = lock


def release(folder: Path) -> None:
    """Release a folder, before it is deleted."""
    with _lock:
        lock = _held.pop(folder, None)
    if lock is not None:
        lock.release()
