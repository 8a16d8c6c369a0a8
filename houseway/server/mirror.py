"""Mirror: the committed state of the floor, from which every page is made.

The journal's writer tells what it has committed; the mirror takes it over in the server's own
thread, so a page never shows what is not on the disk.
"""

from collections import deque

from houseway.journal.event import Event
from houseway.journal.journal import Commit
from houseway.journal.state import State

RECENT = 2000
"""Events that are kept at hand for streams that come back."""


class Mirror:
    """What pages are made from. Only the thread that serves touches it."""

    def __init__(self) -> None:
        self.state = State()
        self.recent: deque[Event] = deque(maxlen=RECENT)

    def take(self, commit: Commit) -> None:
        """Go on to what was committed."""
        if commit.whole:
            self.state.streams.clear()
            self.state.accounts.clear()
            self.state.heads.clear()
            self.recent.clear()
        self.state.streams.update(commit.streams)
        self.state.accounts.update(commit.accounts)
        self.state.heads.update(commit.heads)
        self.state.position = commit.position
        self.state.at = commit.at
        self.recent.extend(commit.events)

    def since(self, position: int) -> list[Event] | None:
        """The events after a position, where they are all at hand."""
        if position >= self.state.position:
            return []
        if not self.recent or self.recent[0].position > position + 1:
            return None
        return [event for event in self.recent if event.position > position]
