"""Calls side by side: a bounded pool that hands over each result as it lands, and a memory so that none is made twice."""

from __future__ import annotations

import contextvars
from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from functools import partial
from threading import Lock
from typing import Generic, TypeVar

from rag_graphs.engines.llm.service_errors import FATAL
from rag_graphs.errors import ServiceError, SpendingCapReached

T = TypeVar("T")
MOST_AT_ONCE = 10


def side_by_side(calls: Sequence[Callable[[], T]]) -> Iterator[tuple[int, T]]:
    """(index, result) of each call as it lands. The first exception ends it; calls that have not begun are dropped then,
    and also when the caller stops reading. Where one is refused because enough was spent, those under way, which are paid
    for, still land before that is raised."""
    if not calls:
        return
    refused: SpendingCapReached | None = None
    pool = ThreadPoolExecutor(min(MOST_AT_ONCE, len(calls)), thread_name_prefix="grade")
    try:
        # each call in a copy of this context: without it the handler that counts model calls is not found
        futures = {pool.submit(contextvars.copy_context().run, call): i for i, call in enumerate(calls)}
        for future in as_completed(futures):
            try:
                result = future.result()
            except SpendingCapReached as error:
                refused = error
            else:
                yield futures[future], result
        if refused:
            raise refused
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def settled(calls: Sequence[Callable[[], T]], instead: Callable[[int, ServiceError], T]) -> Iterator[tuple[int, T]]:
    """As `side_by_side`, but a call that failed at the service gives what `instead` makes of its index and its failure, after
    all others. Where every call failed there is nothing to go on with, and the first failure is raised; one that no other
    call will escape is raised at once."""
    failed: dict[int, ServiceError] = {}
    for index, result in side_by_side([partial(_or_failure, call) for call in calls]):
        if isinstance(result, ServiceError):
            failed[index] = result
        else:
            yield index, result
    if failed and len(failed) == len(calls):
        raise next(iter(failed.values()))
    for index, error in failed.items():
        yield index, instead(index, error)


def _or_failure(call: Callable[[], T]) -> T | ServiceError:
    try:
        return call()
    except ServiceError as error:
        if error.kind in FATAL:
            raise
        return error


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
