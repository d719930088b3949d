"""One process owns a vector index: a second one on the same folder would hang or damage it."""

from __future__ import annotations

import os
import sys
import threading
from pathlib import Path

from rag_graphs.errors import LibraryError

_held: dict[Path, int] = {}  # open file descriptors; the system gives the locks back when the process ends
_lock = threading.RLock()  # as in vectors.py: clean-up may come at any moment


def own(folder: Path) -> None:
    """Claim a folder until this process ends. Raises LibraryError when another process has it."""
    with _lock:
        if folder in _held:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            handle = os.open(folder / "owner.lock", os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise LibraryError(
                f"The folder {folder} cannot be written to ({error.strerror}). Choose another with RAG_DATA_DIR."
            ) from error
        try:
            _claim(handle)
        except OSError as error:
            os.close(handle)
            raise LibraryError(
                f"Another process uses the library in {folder}. Stop it, or choose another folder with RAG_DATA_DIR."
            ) from error
        _held[folder] = handle


def release(folder: Path) -> None:
    """Give a folder up, before it is deleted."""
    with _lock:
        handle = _held.pop(folder, None)
    if handle is not None:
        os.close(handle)


def _claim(handle: int) -> None:
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
