"""The audit: whatever is changed behind the journal's back, the first bad record is named."""

import json
import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import OperationalError

from houseway.journal import audit
from houseway.journal.audit import Audit, verify
from houseway.journal.journal import Journal
from houseway.journal.rebuild import differences
from houseway.journal.store import make_engine, open_to_read, read_url
from houseway.refusal import Refused
from tests.journal.bank import Bank, audited, look, pay, sound, tamper
from tests.journal.databases import mostly_on_one_kind

EVENT = "position, stream, version, kind, schema, key, part, actor, at, body, prior, hash"
SEAL = "number, position, at, heads, prior, hash"
TABLES = {
    "event": (EVENT, 1),
    "seal": (SEAL, 1),
    "transfer": ("position, part, debit, credit, amount", 2),
    "account": ("name, debits, credits", 1),
    "stream": ("name, version, hash, state", 1),
}
"""Columns of every table, and how many of them make its key."""

NUMBERS = ("position", "version", "schema", "part", "number", "amount", "debits", "credits")


def write(url: str, commands: int, seal_every: int = 4) -> None:
    """A journal with payments, a refusal and several seals; nothing unsealed."""
    with Journal(url, Bank(), seal_every=seal_every) as journal:
        for number in range(commands):
            purse = ("ann", "bob", "cyd")[number % 3]
            try:
                journal.do(pay(f"k{number}", 7 + number if number != 1 else 0, purse, "eve"))
            except Refused:
                continue


def drop_constraints(url: str) -> None:
    """What the database itself would refuse is no protection: whoever owns it can drop that."""
    engine = make_engine(read_url(url))
    with engine.begin() as connection:
        for table, (columns, _) in TABLES.items():
            connection.execute(text(f"CREATE TABLE bare AS SELECT {columns} FROM {table}"))
            connection.execute(text(f"DROP TABLE {table}"))
            connection.execute(text(f"ALTER TABLE bare RENAME TO {table}"))
            for column in columns.split(", ") if connection.dialect.name == "postgresql" else ():
                if column not in NUMBERS:
                    change = f"ALTER TABLE {table} ALTER COLUMN {column} TYPE TEXT"
                    connection.execute(text(change))
    engine.dispose()


@dataclass
class Forger:
    """A connection that changes rows, has them audited, and takes the change back."""

    connection: Connection
    first: int = 1
    """The event with which an audit begins."""

    def rows(self, table: str) -> list[dict[str, Any]]:
        columns, wide = TABLES[table]
        order = ", ".join(columns.split(", ")[:wide])
        with self.connection.begin():
            found = self.connection.execute(text(f"SELECT {columns} FROM {table} ORDER BY {order}"))
            return [dict(row._mapping) for row in found]

    def change(self, table: str, row: dict[str, Any], column: str, value: Any) -> Audit:
        """The audit with one field of one row changed."""
        keys = TABLES[table][0].split(", ")[: TABLES[table][1]]
        where = " AND ".join(f"{key} = :old_{key}" for key in keys)
        values = {"value": value, **{f"old_{key}": row[key] for key in keys}}
        statement = f"UPDATE {table} SET {column} = :value WHERE {where}"
        with self.connection.begin() as change:
            assert self.connection.execute(text(statement), values).rowcount == 1
            found = verify(self.connection)
            change.rollback()
        return found

    def put(self, **tables: list[dict[str, Any]]) -> Audit:
        """The audit with whole tables replaced."""
        with self.connection.begin() as change:
            for table, rows in tables.items():
                self.connection.execute(text(f"DELETE FROM {table}"))
                columns = TABLES[table][0]
                named = ", ".join(f":{column}" for column in columns.split(", "))
                statement = f"INSERT INTO {table} ({columns}) VALUES ({named})"
                if rows:
                    self.connection.execute(text(statement), rows)
            found = verify(self.connection, first=self.first)
            change.rollback()
        return found


@contextmanager
def forging(url: str) -> Iterator[Forger]:
    drop_constraints(url)
    engine = make_engine(read_url(url))
    try:
        with engine.connect() as connection:
            assert audited(url).holds
            yield Forger(connection)
            assert audited(url).holds
    finally:
        engine.dispose()


# One field.


def other_values(value: Any, every: bool) -> Iterator[Any]:
    """Values that differ in one character or byte; more of them when every one is asked for."""
    if isinstance(value, int):
        yield from (value + 1, value - 1, -value - 1)
        yield from (value ^ (1 << bit) for bit in range(31 if every else 0))
        return
    for place, sign in enumerate(value):
        for changed in {chr(ord(sign) ^ (1 << bit)) for bit in (range(7) if every else (0,))}:
            # PostgreSQL keeps no zero byte, so nobody can put one there.
            if changed != "\0":
                yield value[:place] + changed + value[place + 1 :]
        if every:
            yield value[:place] + value[place + 1 :]
            yield value[:place] + sign + value[place:]
    yield from (value + " ", value[:-1], "", value.swapcase() + "\N{BLACK SPADE SUIT}")


def flip_everything(url: str, *, every: bool) -> int:
    flipped = 0
    with forging(url) as forger:
        for table in ("event", "seal"):
            for number, row in enumerate(forger.rows(table), 1):
                for column, value in row.items():
                    for changed in other_values(value, every):
                        found = forger.change(table, row, column, changed)
                        first = number
                        if column == TABLES[table][0].split(", ")[0]:
                            first = min(number, changed)
                        assert found.finding is not None, (table, number, column, changed)
                        assert found.finding.record == f"{table} {first}", (column, changed)
                        flipped += 1
    return flipped


@mostly_on_one_kind
def test_every_changed_character_of_every_record_is_found(database: str) -> None:
    write(database, 2, seal_every=2)
    assert flip_everything(database, every=False) > 1_000


@pytest.mark.soak
def test_every_changed_bit_of_every_record_of_a_longer_journal_is_found(database: str) -> None:
    write(database, 4)
    assert flip_everything(database, every=True) > 20_000


@mostly_on_one_kind
def test_every_changed_field_beside_the_events_is_found(database: str) -> None:
    write(database, 3)
    with forging(database) as forger:
        for table in ("transfer", "account", "stream"):
            columns, wide = TABLES[table]
            keys = columns.split(", ")[:wide]
            for row in forger.rows(table):
                for column, value in row.items():
                    for changed in other_values(value, every=False):
                        after = {**row, column: changed}
                        names = [
                            f"{table} " + " part ".join(str(one[key]) for key in keys)
                            for one in (row, after)
                        ]
                        found = forger.change(table, row, column, changed).finding
                        if column == "state":
                            # What a state means only the model knows: that is for the rebuild.
                            assert found is None
                        else:
                            assert found is not None
                            assert found.record in names


def test_bytes_that_are_no_text_are_found_and_do_not_stop_the_audit(tmp_path: Path) -> None:
    """SQLite keeps anything anywhere."""
    url = f"sqlite:///{tmp_path}/floor.sqlite"
    write(url, 4)
    with forging(url) as forger:
        for table, (columns, wide) in TABLES.items():
            for column in columns.split(", "):
                for wrong in ("x'ff'", "CAST(x'ff00fe' AS TEXT)", "NULL", "1.5", "'word'", "1e300"):
                    if column == "state":
                        continue
                    statement = f"UPDATE {table} SET {column} = {wrong} WHERE rowid = 2"
                    with forger.connection.begin() as change:
                        assert forger.connection.execute(text(statement)).rowcount == 1
                        found = verify(forger.connection).finding
                        change.rollback()
                    assert found is not None, (table, column, wrong)
                    assert table in found.record
                    assert wide in (1, 2)


# Whole records.


def test_a_dropped_record_is_found(database: str) -> None:
    write(database, 6)
    with forging(database) as forger:
        for table in ("event", "seal"):
            rows = forger.rows(table)
            for number in range(len(rows) - (table == "seal")):
                found = forger.put(**{table: rows[:number] + rows[number + 1 :]}).finding
                assert found is not None
                cut_tail = table == "event" and number == len(rows) - 1
                last_seal = len(forger.rows("seal"))
                named = f"seal {last_seal}" if cut_tail else f"{table} {number + 1}"
                assert found.record == named
        for table in ("transfer", "account", "stream"):
            rows = forger.rows(table)
            for number in range(len(rows)):
                found = forger.put(**{table: rows[:number] + rows[number + 1 :]}).finding
                assert found is not None
                assert found.record.startswith(f"{table} ")
                assert "is missing" in found.problem


@mostly_on_one_kind
def test_a_record_that_stands_twice_is_found(database: str) -> None:
    write(database, 6)
    with forging(database) as forger:
        for table, (_, wide) in TABLES.items():
            rows = forger.rows(table)
            for number, row in enumerate(rows):
                for twice in (row, {**row, "position": len(rows) + 1}):
                    if wide == 1 and table in ("account", "stream") and twice is not row:
                        continue
                    found = forger.put(**{table: [*rows, twice]}).finding
                    assert found is not None, (table, number)
                    assert found.record.startswith(table)


@mostly_on_one_kind
def test_a_moved_event_is_found_and_its_place_is_named(database: str) -> None:
    """Its number goes with it or the numbers are made right again: neither helps."""
    write(database, 6)
    with forging(database) as forger:
        events = forger.rows("event")
        for start in range(len(events)):
            for end in range(len(events)):
                moved = [*events[:start], *events[start + 1 :]]
                moved.insert(end, events[start])
                numbered = [{**row, "position": n} for n, row in enumerate(moved, 1)]
                found = forger.put(event=numbered).finding
                assert (found is None) == (start == end)
                if found is not None:
                    assert found.record == f"event {min(start, end) + 1}"


@mostly_on_one_kind
def test_two_events_of_one_stream_that_change_places_are_found(database: str) -> None:
    """Positions, versions and parts stay in order: only what happened changes places."""
    write(database, 6)
    with forging(database) as forger:
        events = forger.rows("event")
        eve = [number for number, row in enumerate(events) if row["stream"] == "purse:eve"]
        for first, second in pairwise(eve):
            changed = list(events)
            for here, there in ((first, second), (second, first)):
                kept = {name: events[here][name] for name in ("position", "version", "prior")}
                changed[here] = {**events[there], **kept}
            found = forger.put(event=changed).finding
            assert found is not None
            assert found.record == f"event {first + 1}"


@mostly_on_one_kind
def test_an_event_that_is_put_in_is_found(database: str) -> None:
    write(database, 6)
    with forging(database) as forger:
        events = forger.rows("event")
        for place in range(len(events) + 1):
            before = [row for row in events[:place] if row["stream"] == "purse:eve"]
            head: dict[str, Any] = before[-1] if before else {"version": 0, "hash": "0" * 64}
            forged = hashed(
                {
                    **events[0],
                    "position": place + 1,
                    "stream": "purse:eve",
                    "version": head["version"] + 1,
                    "prior": head["hash"],
                    "key": "forged",
                    "at": events[max(0, place - 1)]["at"],
                }
            )
            later = [{**row, "position": row["position"] + 1} for row in events[place:]]
            found = forger.put(event=[*events[:place], forged, *later]).finding
            assert found is not None
            # It holds by itself; what follows it, or the money, does not.
            beside = place == len(events)
            named = "transfer" if beside else ("event ", "seal ")
            assert found.record.startswith(named), (place, found)


@mostly_on_one_kind
def test_a_tail_that_was_cut_off_is_found_by_the_seal(database: str) -> None:
    """Also when heads, balances and transfers were made to fit."""
    write(database, 6)
    with forging(database) as forger:
        events, seals = forger.rows("event"), forger.rows("seal")
        for left in range(len(events)):
            fitted = beside(events[:left])
            found = forger.put(event=events[:left], **fitted).finding
            first = next(seal["number"] for seal in seals if seal["position"] > left)
            assert found is not None
            assert found.record == f"seal {first}"
            assert found.problem.endswith(f"events and the journal has {left}")


def test_what_nobody_sealed_yet_is_counted(database: str) -> None:
    journal = Journal(database, Bank())
    for number in range(3):
        journal.do(pay(f"{number}"))
    found = audited(database)
    assert (found.holds, found.unsealed, found.seals, found.last_seal) == (True, 6, 0, None)
    journal.close()
    assert audited(database).unsealed == 0


@mostly_on_one_kind
def test_from_a_record_on_the_rest_is_read_and_what_was_before_is_believed(database: str) -> None:
    """What is changed is found by every reading that begins there or before, by no later one."""
    write(database, 6)
    with forging(database) as forger:

        def put(first: int, **tables: list[dict[str, Any]]) -> Audit:
            forger.first = first
            return forger.put(**tables)

        rows = forger.rows("event")
        for first in range(1, len(rows) + 1):
            sound = verify(forger.connection, first=first)
            assert (sound.holds, sound.events, sound.first) == (True, len(rows), first)
            forger.connection.rollback()
        for bad, row in enumerate(rows, 1):
            for column in ("actor", "body", "hash"):
                forged = [{**r, column: r[column] + "x"} if r is row else r for r in rows]
                for first in {1, bad, min(bad + 1, len(rows))}:
                    found = put(first, event=forged)
                    if first <= bad:
                        assert found.finding is not None
                        assert found.finding.record == f"event {bad}", (first, column)
                    elif column != "hash":
                        # What was signed for stands: hashes before are believed, not made anew.
                        assert found.holds, (first, bad, column, found.finding)
        # A record that is gone, a transfer and a head that were changed show from any record on.
        last = len(rows)
        assert not put(3, event=[*rows[:3], *rows[4:]]).holds
        assert not put(last, event=rows[:-1]).holds
        moved = forger.rows("transfer")
        assert not put(2, transfer=[*moved[:-1], {**moved[-1], "amount": 1}]).holds
        heads = forger.rows("stream")
        assert not put(last, stream=[{**heads[0], "hash": "x"}, *heads[1:]]).holds


# Forgery.


def hashed(event: dict[str, Any]) -> dict[str, Any]:
    """An event with the hash that its fields lead to, as the description has it."""
    fields = [event[column] for column in EVENT.split(", ")[:10]]
    content = event["prior"] + json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return {**event, "hash": sha256(content.encode()).hexdigest()}


def rehashed(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All events with all hashes made anew."""
    heads: dict[str, str] = {}
    made = []
    for event in events:
        made.append(hashed({**event, "prior": heads.get(event["stream"], "0" * 64)}))
        heads[event["stream"]] = made[-1]["hash"]
    return made


def beside(events: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """What stands beside the events, made to fit them."""
    transfers, heads = [], {}
    sides: dict[str, dict[str, Any]] = {}
    for event in events:
        heads[event["stream"]] = event
        for part, (debit, credit, amount) in enumerate(json.loads(event["body"])["transfers"]):
            place = {"position": event["position"], "part": part}
            transfers.append({**place, "debit": debit, "credit": credit, "amount": amount})
            for name, side in ((debit, "debits"), (credit, "credits")):
                one = sides.setdefault(name, {"name": name, "debits": 0, "credits": 0})
                one[side] += amount
    streams = [
        {"name": name, "version": head["version"], "hash": head["hash"], "state": "{}"}
        for name, head in heads.items()
    ]
    return {"transfer": transfers, "account": [*sides.values()], "stream": streams}


def resealed(seals: list[dict[str, Any]], events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All seals made anew."""
    made, prior = [], "0" * 64
    for seal in seals:
        heads = {row["stream"]: row for row in events[: seal["position"]]}
        listed = [[name, row["version"], row["hash"]] for name, row in sorted(heads.items())]
        digest = sha256(json.dumps(listed, separators=(",", ":")).encode()).hexdigest()
        fields = [seal["number"], seal["position"], seal["at"], digest]
        content = prior + json.dumps(fields, separators=(",", ":"))
        found = sha256(content.encode()).hexdigest()
        made.append({**seal, "heads": digest, "prior": prior, "hash": found})
        prior = found
    return made


def with_amount(event: dict[str, Any], amount: int) -> dict[str, Any]:
    document = json.loads(event["body"])
    document["data"]["amount"] = amount
    for moved in document["transfers"]:
        moved[2] = amount
    return {**event, "body": json.dumps(document, sort_keys=True, separators=(",", ":"))}


def test_the_description_is_enough_to_make_every_hash(database: str) -> None:
    write(database, 6)
    with forging(database) as forger:
        events, seals = forger.rows("event"), forger.rows("seal")
        assert rehashed(events) == events
        assert resealed(seals, events) == seals


@mostly_on_one_kind
def test_a_forged_event_with_a_hash_of_its_own_is_found(database: str) -> None:
    """The next event of its stream shows it, or the next seal where there is none."""
    write(database, 6)
    with forging(database) as forger:
        events, seals = forger.rows("event"), forger.rows("seal")
        for number, event in enumerate(events):
            if event["stream"] == "refusals":
                continue
            forged = hashed(with_amount(event, 1_000_000))
            changed = [*events[:number], forged, *events[number + 1 :]]
            found = forger.put(event=changed, **beside(changed)).finding
            follows = [r for r in events[number + 1 :] if r["stream"] == event["stream"]]
            seal = next(seal for seal in seals if seal["position"] > number)
            assert found is not None
            if follows and follows[0]["position"] <= seal["position"]:
                assert found.record == f"event {follows[0]['position']}"
                assert found.problem == f"does not follow the event before it in {event['stream']}"
            else:
                assert found.record == f"seal {seal['number']}"


@mostly_on_one_kind
def test_a_forged_stream_with_all_its_hashes_made_anew_is_found_by_the_seals(
    database: str,
) -> None:
    write(database, 6)
    with forging(database) as forger:
        events, seals = forger.rows("event"), forger.rows("seal")
        for number, event in enumerate(events):
            if event["stream"] == "refusals":
                continue
            changed = list(events)
            changed[number] = with_amount(event, 1_000_000)
            changed = rehashed(changed)
            found = forger.put(event=changed, **beside(changed)).finding
            first = next(seal["number"] for seal in seals if seal["position"] > number)
            assert found is not None
            assert found.record == f"seal {first}"
            assert found.problem == "does not match the streams as they stood"
            # With the heads of that seal made to fit, the seal itself does not hold any more.
            made = resealed(seals, changed)
            for one in (made[first - 1], {**seals[first - 1], "heads": made[first - 1]["heads"]}):
                patched = [*seals[: first - 1], one, *seals[first:]]
                found = forger.put(event=changed, seal=patched, **beside(changed)).finding
                if first < len(seals) or one["hash"] == seals[first - 1]["hash"]:
                    assert found is not None
                    assert found.record.startswith("seal ")


def test_who_kept_the_last_seal_sees_that_everything_was_forged(database: str) -> None:
    """Nothing within a database shows that all of it was made anew; its last seal does."""
    write(database, 6)
    kept = sound(database).last_seal
    assert kept is not None
    with forging(database) as forger:
        events, seals = forger.rows("event"), forger.rows("seal")
        changed = rehashed([with_amount(events[0], 1_000_000), *events[1:]])
        made = resealed(seals, changed)
        found = forger.put(event=changed, seal=made, **beside(changed))
        assert found.holds
        assert found.last_seal != kept


@mostly_on_one_kind
def test_what_does_not_fit_is_found_under_a_good_hash(database: str) -> None:
    """Somebody who makes hashes anew may still write what cannot have happened."""
    unreadable = "has no transfers that can be read"
    wrong = [
        (0, "body", "word", unreadable),
        (0, "body", "[]", unreadable),
        (0, "body", '{"data":{}}', unreadable),
        (0, "body", '{"transfers":7}', unreadable),
        (0, "body", '{"transfers":[["a","b"]]}', unreadable),
        (0, "body", '{"transfers":[["a","b",0]]}', "moves 0 from b to a"),
        (0, "body", '{"transfers":[["a","b",-5]]}', "moves -5 from b to a"),
        (0, "body", '{"transfers":[["a","b",1.5]]}', "moves 1.5 from b to a"),
        (0, "body", '{"transfers":[["a","b",true]]}', "moves True from b to a"),
        (0, "body", '{"transfers":[["a","b","5"]]}', "moves 5 from b to a"),
        (0, "body", '{"transfers":[["a","a",5]]}', "moves 5 from a to a"),
        (1, "at", "1999-12-31T23:59:59.000000+00:00", "is dated 1999"),
        (1, "key", "", "is part 1 of key ''"),
        (1, "key", "other", "is part 1 of key 'other'"),
        (1, "part", 2, "is part 2 of key 'k0'"),
        (1, "part", -1, "is part -1 of key 'k0'"),
        (1, "part", 0, "is part 0 of key 'k0'"),
    ]
    write(database, 2)
    with forging(database) as forger:
        events = forger.rows("event")
        for number, column, value, problem in wrong:
            changed = list(events)
            changed[number] = {**events[number], column: value}
            found = forger.put(event=rehashed(changed)).finding
            assert found is not None
            assert found.record == f"event {number + 1}"
            assert found.problem.startswith(problem)


# The file.


def damage(path: Path, tries: int, seed: int) -> int:
    """Flip bytes of a file, each in a copy; how many flips the audit found.

    A byte may be one that nothing is kept in: then every record reads as before, in any order.
    """
    url, copy = f"sqlite:///{path}", path.with_name("damaged.sqlite")
    content, chance, found = path.read_bytes(), random.Random(seed), 0
    wanted = {
        table: sorted(look(url, f"SELECT {columns.removesuffix(', state')} FROM {table}"))
        for table, (columns, _) in TABLES.items()
    }
    for _ in range(tries):
        place, bit = chance.randrange(len(content)), 1 << chance.randrange(8)
        copy.write_bytes(content[:place] + bytes([content[place] ^ bit]) + content[place + 1 :])
        try:
            holds = audited(f"sqlite:///{copy}").holds
        except (Refused, OperationalError):
            # Where the tables themselves cannot be found, whoever asked is told that.
            holds = False
        if not holds:
            found += 1
            continue
        # The state of a stream is not the audit's to know.
        with sqlite3.connect(copy) as plain:
            for table, rows in wanted.items():
                kept = TABLES[table][0].removesuffix(", state")
                assert sorted(plain.execute(f"SELECT {kept} FROM {table}")) == rows, (place, bit)
        plain.close()
    return found


def prepared_file(tmp_path: Path, commands: int) -> Path:
    path = tmp_path / "floor.sqlite"
    write(f"sqlite:///{path}", commands)
    # One file and no log beside it, so that a copy of it is all there is.
    with sqlite3.connect(path) as plain:
        plain.execute("PRAGMA journal_mode=DELETE")
        plain.execute("VACUUM")
    plain.close()
    return path


def test_a_damaged_file_is_found_or_reads_as_before(tmp_path: Path) -> None:
    assert damage(prepared_file(tmp_path, 30), 150, seed=1) > 30


@pytest.mark.soak
def test_many_damaged_files_are_found_or_read_as_before(tmp_path: Path) -> None:
    assert damage(prepared_file(tmp_path, 100), 4_000, seed=2) > 1_000


def test_a_damaged_index_is_found_though_every_record_reads_well(tmp_path: Path) -> None:
    """By the index of its key a command is found again: without it, it would be done twice."""
    path = prepared_file(tmp_path, 30)
    content, records = path.read_bytes(), []
    # The last key stands in two events and in two entries of the index.
    for place in [n for n in range(len(content)) if content[n : n + 3] == b"k29"]:
        path.write_bytes(content[:place] + b"x" + content[place + 1 :])
        found = audited(f"sqlite:///{path}").finding
        assert found is not None
        records.append(found.record)
    assert sorted(records) == ["event 58", "event 59", "the file", "the file"]


# Rebuilding.


def rebuilt_differences(url: str) -> list[str]:
    engine = open_to_read(url)
    try:
        with engine.connect() as connection:
            return list(differences(connection, Bank()))
    finally:
        engine.dispose()


def test_a_sound_journal_is_rebuilt_without_a_difference(database: str) -> None:
    with Journal(database, Bank()) as journal:
        assert rebuilt_differences(database) == []
        for number in range(30):
            journal.submit(pay(f"{number}", number))
    assert look(database, "SELECT version FROM stream WHERE name = 'refusals'") == [(1,)]
    assert rebuilt_differences(database) == []


def test_a_projection_that_was_changed_shows_in_the_rebuild(database: str) -> None:
    write(database, 6)
    [(ann,)] = look(database, "SELECT state FROM stream WHERE name = 'purse:ann'")
    # Each change and what it is told as; and, but for the last, how it is taken back.
    changes = [
        ("UPDATE stream SET state = '[]' WHERE name = 'purse:ann'", "stream purse:ann is not",
         f"UPDATE stream SET state = '{ann}' WHERE name = 'purse:ann'"),
        ("UPDATE stream SET name = 'purse:fay' WHERE name = 'purse:eve'", "stream purse:eve is not",
         "UPDATE stream SET name = 'purse:eve' WHERE name = 'purse:fay'"),
        ("UPDATE stream SET version = version + 1 WHERE name = 'refusals'", "stream refusals is",
         "UPDATE stream SET version = version - 1 WHERE name = 'refusals'"),
        ("INSERT INTO stream VALUES ('purse:fay', 1, '', '[]')", "stream purse:fay is not",
         "DELETE FROM stream WHERE name = 'purse:fay'"),
        ("UPDATE account SET debits = debits + 1 WHERE name = 'purse:eve'", "account purse:eve is",
         "UPDATE account SET debits = debits - 1 WHERE name = 'purse:eve'"),
        ("INSERT INTO account VALUES ('purse:fay', 0, 0)", "account purse:fay is (0, 0) and by",
         "DELETE FROM account WHERE name = 'purse:fay'"),
        ("DELETE FROM account WHERE name = 'purse:ann'", "account purse:ann is None and by", ""),
    ]  # fmt: skip
    for change, told, back in changes:
        assert rebuilt_differences(database) == []
        assert tamper(database, change.replace(":", "\\:")) == 1
        assert rebuilt_differences(database)[0].startswith(told)
        if back:
            assert tamper(database, back.replace(":", "\\:")) == 1


def test_a_changed_event_shows_in_the_rebuild(database: str) -> None:
    write(database, 6)
    body = look(database, "SELECT body FROM event WHERE position = 1")[0][0]
    assert tamper(
        database,
        "UPDATE event SET body = :body WHERE position = 1",
        body=body.replace("7", "8"),
    )
    told = rebuilt_differences(database)
    assert told[0] == "stream purse:ann is not what its events lead to"
    assert told[1].startswith("account purse:ann is (0, ")


def test_rebuilding_goes_on_over_pages(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("houseway.journal.rebuild.PAGE", 3)
    write(database, 12)
    assert rebuilt_differences(database) == []


def test_the_audit_as_a_document(database: str) -> None:
    write(database, 4)
    document = audited(database).to_json()
    assert document["holds"] is True
    assert (document["events"], document["seals"], document["unsealed"]) == (7, 2, 0)
    assert (document["record"], document["problem"]) == (None, None)
    assert len(document["last_seal"]) == 64
    tamper(database, "UPDATE event SET actor = 'nobody' WHERE position = 4")
    document = audited(database).to_json()
    assert document["holds"] is False
    assert (document["record"], document["problem"]) == ("event 4", "does not match its hash")
    assert replace(audited(database), finding=None).holds


@pytest.mark.parametrize(
    "body",
    [
        '{"data":{"a":[1,{}]},"transfers":[["a","b",1],["c","d",2]]}',
        '{"transfers":[["a","b",1]],"transfers":[]}',
        '{"data":{"transfers":[["a","b",1]]}}',
        '{"transfers":[["a","b",1.0]]}',
        '{"transfers":[["a","b",1000000000000000000000000000000]]}',
        '{"data":NaN,"transfers":[["a","b",1]]}',
        '{"data":"\\ud800","transfers":[["\\ud800","b",1]]}',
        '{"data":"\udc80","transfers":[["a","b",1]]}',
        *('{"transfers":{}}', '{"transfers":"ab"}', '{"transfers":null}', '{"transfers":7}'),
        *("[1]", "", "7", "{}", '{"transfers":[]} x', '{"transfers":[[]]}', "[" * 100_000),
        *('{"x":[1,,2],"transfers":[]}', '{"x":\'y\',"transfers":[]}', '{"transfers":[]'),
        '{"x":01,"transfers":[]}',
    ],
)
def test_transfers_are_read_as_python_reads_them(body: str) -> None:
    """Quickly, and passing over the rest; but what is no JSON is not passed over."""

    def told(read: Callable[[str], Any]) -> Any:
        try:
            return [*read(body)]
        except (ValueError, KeyError, TypeError, RecursionError):
            return "cannot be read"

    assert told(audit._moved) == told(lambda text: json.loads(text)["transfers"])
