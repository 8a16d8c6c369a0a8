"""Session: who is signed in, kept in the database by the hash of a token that only the browser has.

Every process that serves the floor finds the same sessions, and a session that is ended is ended
for all of them.
"""

import secrets
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pyotp
from sqlalchemy import Engine, delete, insert, select, update

from houseway.journal import schema

HOURS = 12
"""How long a session lasts: longer than a shift."""
REMEMBERED_SECONDS = 5.0
"""How long a process believes what it has read of a session; so late may a revocation reach it."""
ISSUER = "Houseway"


@dataclass(frozen=True, slots=True)
class Session:
    """Somebody who is signed in."""

    card: str
    csrf: str
    ends_at: str


def token_hash(token: str) -> str:
    """What the database knows of a token."""
    return sha256(token.encode()).hexdigest()


class Sessions:
    """All sessions of a floor."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[str, tuple[float, Session | None]] = {}

    def open(self, card: str) -> tuple[str, Session]:
        """A new session, with the token that goes to the browser."""
        token, csrf = secrets.token_urlsafe(32), secrets.token_urlsafe(24)
        ends = (datetime.now(UTC) + timedelta(hours=HOURS)).isoformat(timespec="seconds")
        row = {"token": token_hash(token), "card": card, "csrf": csrf, "ends_at": ends}
        with self._engine.begin() as connection:
            connection.execute(delete(schema.session).where(schema.session.c.ends_at < _now()))
            connection.execute(insert(schema.session), [row])
        return token, Session(card, csrf, ends)

    def find(self, token: str) -> Session | None:
        """The session of a token, while it lasts."""
        hashed = token_hash(token)
        known = self._known.get(hashed)
        if known is not None and time.monotonic() - known[0] < REMEMBERED_SECONDS:
            found = known[1]
        else:
            found = self._read(hashed)
            if len(self._known) > 10_000:
                self._known.clear()
            self._known[hashed] = (time.monotonic(), found)
        return found if found is not None and found.ends_at >= _now() else None

    def _read(self, hashed: str) -> Session | None:
        table = schema.session
        with self._engine.connect() as connection:
            row = connection.execute(select(table).where(table.c.token == hashed)).first()
        return None if row is None else Session(row.card, row.csrf, row.ends_at)

    def close(self, token: str) -> None:
        """End a session."""
        self._end(schema.session.c.token == token_hash(token))

    def revoke(self, card: str) -> None:
        """End every session of a card."""
        self._end(schema.session.c.card == card)

    def _end(self, which: object) -> None:
        with self._engine.begin() as connection:
            connection.execute(delete(schema.session).where(which))  # type: ignore[arg-type]
        self._known.clear()

    # The second factor.

    def secret_of(self, card: str) -> str | None:
        """The secret that a card's codes are made with; None where there is none yet."""
        with self._engine.connect() as connection:
            row = connection.execute(
                select(schema.second_factor.c.secret).where(schema.second_factor.c.card == card)
            ).first()
        return None if row is None else str(row.secret)

    def with_second_factor(self) -> frozenset[str]:
        """The cards that have a second factor."""
        with self._engine.connect() as connection:
            return frozenset(connection.execute(select(schema.second_factor.c.card)).scalars())

    def enrol(self, card: str, secret: str) -> None:
        """Keep the secret of a card."""
        with self._engine.begin() as connection:
            connection.execute(
                delete(schema.second_factor).where(schema.second_factor.c.card == card)
            )
            row = {"card": card, "secret": secret, "step": 0}
            connection.execute(insert(schema.second_factor), [row])

    def forget(self, card: str) -> None:
        """Let go of the secret of a card."""
        with self._engine.begin() as connection:
            connection.execute(
                delete(schema.second_factor).where(schema.second_factor.c.card == card)
            )

    def code_holds(self, card: str, code: str) -> bool:
        """True for the present code of a card, which then holds no second time."""
        secret = self.secret_of(card)
        if secret is None or not code.isdecimal():
            return False
        totp = pyotp.TOTP(secret)
        now = datetime.now(UTC)
        table = schema.second_factor
        for off in (0, -1, 1):
            if totp.verify(code, now + timedelta(seconds=off * totp.interval), valid_window=0):
                step = totp.timecode(now) + off
                with self._engine.begin() as connection:
                    used = connection.execute(
                        update(table)
                        .where(table.c.card == card, table.c.step < step)
                        .values(step=step)
                    )
                return used.rowcount == 1
        return False


def new_secret() -> str:
    """A secret for a second factor."""
    return pyotp.random_base32()


def secret_uri(card: str, secret: str) -> str:
    """What an authenticator reads from a picture."""
    return pyotp.TOTP(secret).provisioning_uri(name=card, issuer_name=ISSUER)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
