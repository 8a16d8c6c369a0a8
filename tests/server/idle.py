"""A process that stands in for one that deals: quick to start, and busy without any work."""

from multiprocessing.connection import Connection

FEW = 10_000
"""So many rounds are done at once; more are never done."""


def sit(line: Connection) -> None:
    """Take tasks as the real process does, without dealing a round."""
    while True:
        try:
            _, asked = line.recv()
        except EOFError:
            return
        done = asked["rounds"] <= FEW
        dealt = {"rounds": asked["rounds"] if done else 1, "of": asked["rounds"], "rate": 1}
        line.send(("done" if done else "known", dealt))
