"""Executor: who deals the blocks. Threads, processes or a cluster; the totals are the same."""

import os
import signal
import socket
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from houseway.refusal import Reason, Refused

PATIENCE_SECONDS = 10
LONGEST_GREETING = 1 << 20
RETRIES = 3
MOST_WORKERS = 1024


def cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@contextmanager
def executor(
    workers: int | None = None, *, processes: bool = False, dask: str | None = None
) -> Iterator[tuple[Executor, int]]:
    """An executor and how many tasks it does at a time.

    Threads by default, one for each core: kernels let go of the interpreter while they deal.
    """
    if dask is not None:
        with _cluster(dask) as found:
            yield found
        return
    count = cores() if workers is None else workers
    pool: Executor
    if processes:
        pool = ProcessPoolExecutor(
            count, mp_context=get_context("spawn"), initializer=_leave_interrupts
        )
    else:
        pool = ThreadPoolExecutor(count, thread_name_prefix="houseway-sim")
    try:
        yield pool, count
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _leave_interrupts() -> None:
    """Let who started the workers stop them: a terminal sends an interrupt to all at once."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str) -> Iterator[tuple[Executor, int]]:
    """A Dask cluster at that address."""
    try:
        from distributed import Client
    except ModuleNotFoundError as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"--dask needs module {error.name!r}; install houseway with the extra 'dist'",
        ) from None
    connect: Any = Client
    try:
        _knock(address)
        client = connect(
            address, timeout=PATIENCE_SECONDS, set_as_default=False, direct_to_workers=False
        )
    except (OSError, TimeoutError, ValueError, OverflowError) as error:
        raise Refused(
            Reason.BAD_ARGUMENT,
            f"the scheduler at {address!r} cannot be reached: {_words(error)}; write its address, "
            "such as tcp://127.0.0.1:8786",
        ) from None
    try:
        threads = sum(client.nthreads().values())
        if not threads:
            raise Refused(
                Reason.BAD_ARGUMENT, f"the scheduler at {address!r} has no workers; start some"
            )
        yield client.get_executor(retries=RETRIES, pure=False), threads
    finally:
        client.close()


def _knock(address: str) -> None:
    """Fail where no scheduler listens: a client goes on trying, or waits for ever to be greeted.

    A scheduler greets whoever connects, with the length of what it says first.
    """
    from distributed.comm.addressing import get_address_host_port, parse_address

    place = get_address_host_port(address)
    with socket.create_connection(place, PATIENCE_SECONDS) as door:
        if parse_address(address)[0] != "tcp":
            return
        greeting = door.recv(8, socket.MSG_WAITALL)
        if len(greeting) < 8 or int.from_bytes(greeting, "little") > LONGEST_GREETING:
            raise OSError("what listens there is no scheduler")


def _words(error: BaseException) -> str:
    said = getattr(error, "strerror", None) or str(error)
    text = " ".join(said.split()).rstrip(".")
    return text[:120] or type(error).__name__
