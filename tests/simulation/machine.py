"""Machine: time that passes, and a clock that people set, rightly or not."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from houseway.journal.timekeeper import time_text
from tests.floor.room import MONDAY

ZERO = timedelta()


@dataclass
class Machine:
    """The clocks of a simulated machine."""

    begun: datetime = MONDAY
    true: timedelta = ZERO
    """How much time has passed."""
    error: timedelta = ZERO
    """How far the clock is off."""
    slewed: timedelta = ZERO
    """How far small steps have moved the clock, in all."""
    sets: int = 0
    """How often somebody has moved the clock."""

    def shown(self) -> str:
        """What the clock shows."""
        return time_text(self.begun + self.true + self.error)

    def elapsed(self) -> float:
        """Seconds that have passed."""
        return self.true.total_seconds()

    def wait(self, time: timedelta) -> None:
        """Let time pass."""
        self.true += time

    def slew(self, by: timedelta) -> None:
        """Move the clock by a little, as what keeps it right does."""
        self.sets, self.slewed, self.error = self.sets + 1, self.slewed + abs(by), self.error + by

    def set(self, by: timedelta) -> None:
        """Set the clock to something else."""
        self.sets, self.error = self.sets + 1, self.error + by
