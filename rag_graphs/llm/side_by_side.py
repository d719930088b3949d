"""Calls side by side: a bounded pool that hands over each result as it lands, and a memory so that none is made twice."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")
MOST_AT_ONCE = 10


def side_by_side(calls: Sequence[Callable[[], T]]) -> Iterator[tuple[int, T]]:
    """(index, result) of each call as it lands. The first exception ends it; calls that have not begun are dropped then,
    and also when the caller stops reading."""
    if not calls:
        return
    pool = ThreadPoolExecutor(min(MOST_AT_ONCE, len(calls)), thread_name_prefix="grade")
    try:
        # each call in a copy of this context: without it the handler that counts model calls is not found
        futures = {pool.submit(contextvars.copy_context().run, call): i for i, call in enumerate(calls)}
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


class Once(Generic[T]):
    """Makes each call once: whoever asks for the same again, also at the same moment, gets the same result. A call that
    raised is made again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._made: dict[Hashable, Future[T]] = {}

    def __call__(self, key: Hashable, call: Callable[[], T]) -> T:
        with self._lock:
            known = self._made.get(key)
            future = known or self._made.setdefault(key, Future())
        if known:
            return known.result()
        try:
            result = call()
        except BaseException as error:
            with self._lock:
                del self._made[key]
            future.set_exception(error)
            raise
        future.set_result(result)
        return result
