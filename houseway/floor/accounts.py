"""Accounts: where money of a progressive stands, and the transfers that move it.

Meters, reserves and overflows are liabilities: players' money in the house's custody. Amounts of
transfers are millionths of a cent.
"""

from collections.abc import Iterator

from houseway.house.meters import MICROCENTS, Award, Contribution, Meter
from houseway.journal.event import Transfer
from houseway.journal.state import State

HOUSE, SEED_FUND, ENVY, PAYOUTS, BANK = "house", "seed_fund", "envy", "payouts", "bank"


def tray(table: str) -> str:
    """The tray of a table."""
    return f"tray:{table}"


def meter_account(link: str, level: str) -> str:
    """What stands on a meter."""
    return f"meter:{link}:{level}"


def reserve_account(link: str, level: str) -> str:
    """What is set aside for the next start of a meter."""
    return f"reserve:{link}:{level}"


def overflow_account(link: str, level: str) -> str:
    """What came in above a cap."""
    return f"overflow:{link}:{level}"


def of_level(link: str, level: str) -> tuple[str, str, str]:
    """Meter, reserve and overflow of a level."""
    return (
        meter_account(link, level),
        reserve_account(link, level),
        overflow_account(link, level),
    )


def payable(link: str) -> str:
    """Awards that are confirmed and not yet paid."""
    return f"payable:{link}"


def meter_of(state: State, link: str, level: str) -> Meter:
    """A meter as its accounts have it."""
    return Meter(
        amount=state.owed(meter_account(link, level)),
        reserve=state.owed(reserve_account(link, level)),
        overflow=state.owed(overflow_account(link, level)),
    )


def moves(*transfers: tuple[str, str, int]) -> Iterator[Transfer]:
    """Transfers (debit, credit, amount), those of nothing left out."""
    for debit, credit, amount in transfers:
        if amount:
            yield Transfer(debit, credit, amount)


def opening(link: str, level: str, meter: Meter) -> list[Transfer]:
    """A new meter takes its meter_seed from the house's fund."""
    return list(
        moves(
            (SEED_FUND, meter_account(link, level), meter.amount),
            (SEED_FUND, overflow_account(link, level), meter.overflow),
        )
    )


def contribution(table: str, link: str, level: str, parts: Contribution) -> list[Transfer]:
    """The parts of wagers that go to a level; what no level takes is the house's."""
    return list(
        moves(
            (tray(table), meter_account(link, level), parts.to_meter),
            (tray(table), reserve_account(link, level), parts.to_reserve),
            (tray(table), overflow_account(link, level), parts.to_overflow),
        )
    )


def award(link: str, level: str, paid: Award) -> list[Transfer]:
    """An award leaves the meter for what is payable; a whole one is started again."""
    meter = meter_account(link, level)
    return list(
        moves(
            (meter, payable(link), paid.paid_cents * MICROCENTS),
            (SEED_FUND, meter, paid.meter_seed_cents * MICROCENTS),
            (reserve_account(link, level), meter, paid.from_reserve),
            (meter, overflow_account(link, level), paid.to_overflow),
        )
    )


def reversed_moves(transfers: list[Transfer]) -> list[Transfer]:
    """The same amounts the other way."""
    return [Transfer(credit, debit, amount) for debit, credit, amount in transfers]
