"""Processes that write to a journal, to be killed: `python -m tests.journal.clients URL`.

It reads lines 'RUN THREADS COUNT' and starts a process for each by forking, so that only the first
one pays for loading the program. Every process has THREADS clients that each do COUNT payments
with keys 'RUN-THREAD-NUMBER' and print 'RUN ack KEY PAID' once they have the answer. The first line
of a run is 'RUN is PROCESS' and the last 'RUN ended STATUS', whichever way it ended.
"""

import os
import signal
import sys
import time
from threading import Thread

from houseway.journal.journal import Journal
from houseway.refusal import Reason, Refused
from tests.journal.bank import Bank, payment


def say(*words: object) -> None:
    """One line in one piece, whoever else writes to the same pipe."""
    os.write(1, (" ".join(map(str, words)) + "\n").encode())


def client(journal: Journal, run: str, thread: int, count: int) -> None:
    for number in range(count):
        key = f"{run}-{thread}-{number}"
        while True:
            try:
                paid = journal.do(payment(key))["paid"]
            except Refused as refused:
                if refused.reason is not Reason.JOURNAL_UNAVAILABLE:
                    raise
                # As it says: the same command again with the same key.
                time.sleep(0.01)
            else:
                say(run, "ack", key, paid)
                break


def work(url: str, run: str, threads: int, count: int) -> None:
    with Journal(url, Bank(), seal_every=50) as journal:
        clients = [Thread(target=client, args=(journal, run, n, count)) for n in range(threads)]
        for one in clients:
            one.start()
        for one in clients:
            one.join()


def watch(url: str, run: str, threads: int, count: int) -> None:
    """Start the process of a run and see it end."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    worker = os.fork()
    if worker == 0:
        work(url, run, threads, count)
    else:
        say(run, "is", worker)
        say(run, "ended", os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1]))


def main() -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while line := sys.stdin.readline():
        run, threads, count = line.split()
        if os.fork() == 0:
            try:
                watch(sys.argv[1], run, int(threads), int(count))
            except BaseException as error:
                say(run, "failed", repr(error))
                os._exit(1)
            os._exit(0)


if __name__ == "__main__":
    main()
