"""The progressive floor a second time, from the clauses, in dollars as fractions and plain lists.

It shares nothing with `houseway.floor`: no state, no arithmetic, no paytable. A command is either
done, and then the answer is here, or it raises `No`. What stands on meters and in the books after
it can be compared to the last millionth of a cent.
"""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Any

D = Fraction  # dollars
NOTHING = D(0)
PPM = 1_000_000
AT_TABLE, OVER_IT = ("dealer", "supervisor"), ("supervisor", "executive")
WEEK, DAY = timedelta(days=7), timedelta(hours=24)
CAMERA, CHEQUE = 300_000, 500_000
SEEN = ("hand", "wager", "amount", "player")
CAUSES = ("seized", "fault", "other")
CALLS = ("award", "misdeal", "dispute", "fill", "payout", "equipment", "player", "other")

# PGM-19, PNX-19 and PML-12: a share of a meter, or so many dollars for one.
ALL, TENTH = D(1), D(1, 10)
FIVE: dict[str, Any] = {"full_house": 50, "flush": 40, "straight": 30, "three_of_a_kind": 9}
PAYS: dict[str, dict[str, Any]] = {
    "1": {
        "akq_spades": ("single", ALL),
        "akq_other_suit": 500,
        "straight_flush": 70,
        "three_of_a_kind": 60,
        "straight": 6,
    },
    "2": {
        "akq_spades": ("single", ALL),
        "akq_other_suit": 500,
        "straight_flush": 100,
        "three_of_a_kind": 90,
    },
    "01": {
        "royal_flush": ("single", ALL),
        "straight_flush": ("single", TENTH),
        "four_of_a_kind": 300,
        **FIVE,
    },
    "ML01": {
        "royal_flush": ("mega", ALL),
        "straight_flush": ("major", ALL),
        "four_of_a_kind": 300,
        **FIVE,
    },
    "ML03": {
        "royal_flush": ("mega", ALL),
        "straight_flush": ("major", ALL),
        "four_of_a_kind": ("minor", ALL),
        **FIVE,
    },
}
LEVELS = {
    "1": ["single"],
    "2": ["single"],
    "01": ["single"],
    "ML01": ["mega", "major"],
    "ML03": ["mega", "major", "minor"],
}
ENVY = {"akq_spades": 100, "akq_other_suit": 25}
ENVY_PER_DOLLAR = {"royal_flush": 1000, "straight_flush": 300}

# WAC 230-15-695: a display goes down for these, and up for mistakes and gifts of the house.
DOWN = ("won", "display_error", "above_cap", "booked_receipts", "seed_recovered")
UP = ("award_backed_out", "display_error", "house_adds")


class No(Exception):  # noqa: N818 - a word, as in the floor itself
    """The command is not done."""


def cents(dollars: Fraction) -> int:
    """Whole cents, as they are shown and paid."""
    return floor(dollars * 100)


def whole_number(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def words(value: Any, most: int = 60) -> str:
    if type(value) is not str or not value.strip() or len(value) > most:
        raise No("no text")
    return value


class SecondModel:
    """Everything that stands on a floor."""

    def __init__(self) -> None:
        self.people: dict[str, dict[str, Any]] = {}
        self.links: dict[str, dict[str, Any]] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.now = datetime.min.replace(tzinfo=UTC)
        # What is owed (or, below 0, held), by account.
        self.books: dict[str, Fraction] = {}

    def do(self, actor: str, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a command, once it is done."""
        found: dict[str, Any] = getattr(self, f"do_{name}")(actor, asked)
        return found

    # Money.

    def pay(self, source: str, to: str, dollars: Fraction) -> None:
        """Owed by the one, owed to the other."""
        self.books[source] = self.books.get(source, D(0)) - dollars
        self.books[to] = self.books.get(to, D(0)) + dollars

    def on(self, kind: str, link: str, level: str) -> Fraction:
        return self.books.get(f"{kind}:{link}:{level}", D(0))

    def put_up(self, source: str, link: str, level: str, dollars: Fraction, cap: Any) -> None:
        """Onto a meter as far as its cap lets it; the rest is kept beside it (685(4))."""
        stands = self.on("meter", link, level)
        room = dollars if cap is None else max(D(0), min(dollars, D(cap, 100) - stands))
        self.pay(source, f"meter:{link}:{level}", room)
        self.pay(source, f"overflow:{link}:{level}", dollars - room)

    # People.

    def administrator(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Nothing without the PIN (430)."""
        return self.with_pin(actor, asked, ("administrator",))

    def with_pin(self, actor: str, asked: dict[str, Any], roles: tuple[str, ...]) -> dict[str, Any]:
        person = self.who(actor, roles)
        if asked.get("pin_held") is not True:
            raise No("no PIN")
        return person

    def signed_by(self, asked: dict[str, Any], roles: tuple[str, ...]) -> dict[str, Any]:
        """Who signs too, with the own PIN."""
        person = self.who(words(asked.get("second")), roles)
        if asked.get("second_pin_held") is not True:
            raise No("no second PIN")
        return person

    def who(self, card: str, roles: tuple[str, ...]) -> dict[str, Any]:
        person = self.people.get(card)
        if person is None or not person["valid"] or person["wrong"] >= 3:
            raise No("no such card, or it is locked")
        if person["role"] not in roles:
            raise No("not by this role")
        return person

    def do_first_administrator(self, _: str, asked: dict[str, Any]) -> dict[str, Any]:
        if self.people:
            raise No("there are people")
        return self.new_card(asked, "administrator")

    def do_issue_card(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        if asked["card"] in self.people:
            raise No("issued")
        return self.new_card(asked, asked["role"])

    def new_card(self, asked: dict[str, Any], role: str) -> dict[str, Any]:
        self.people[asked["card"]] = {
            "name": asked["name"],
            "role": role,
            "wrong": 0,
            "valid": True,
        }
        return {"card": asked["card"], "role": role}

    def do_note_pin(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        every = (
            "dealer",
            "supervisor",
            "executive",
            "cage",
            "auditor",
            "surveillance",
            "administrator",
        )
        person = self.who(actor, every)
        person["wrong"] = 0 if asked["held"] else person["wrong"] + 1
        return {
            "held": asked["held"],
            "tries_left": None if asked["held"] else 3 - person["wrong"],
        }

    def do_unlock_card(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        if asked["card"] not in self.people or asked["card"] == actor:
            raise No("unknown, or the own card")
        self.people[asked["card"]]["wrong"] = 0
        return {"card": asked["card"]}

    # Links.

    def link_of(self, name: Any) -> dict[str, Any]:
        found = self.links.get(words(name))
        if found is None:
            raise No("no such link")
        return found

    def check_rates(self, actor: str, code: str, asked: dict[str, Any]) -> None:
        meters, override = asked["meters"], "second" in asked
        if override:
            # Whoever signs a meter_seed of nothing is an executive and somebody else (PRC-09).
            executive = self.signed_by(asked, ("executive",))
            if executive["name"] == self.people[actor]["name"]:
                raise No("the own second card")
        if type(meters) is not dict or set(meters) != set(LEVELS[code]):
            raise No("not the meters of the paytable")
        for level in meters.values():
            rates = (level["contribution_ppm"], level.get("reserve_ppm", 0))
            if not all(whole_number(rate, 0, PPM) for rate in rates) or sum(rates) > PPM:
                raise No("no rate")
            if not whole_number(level.get("meter_seed_cents", 0), 0, 10**14):
                raise No("no seed")
        if sum(m["contribution_ppm"] + m.get("reserve_ppm", 0) for m in meters.values()) > PPM:
            raise No("more than the wager (PRC-01)")
        if not override and any(m.get("meter_seed_cents", 0) == 0 for m in meters.values()):
            raise No("no seed (PRC-09)")

    def check_posted(self, meters: dict[str, Any], old: dict[str, Any], posted: Any) -> None:
        """A new cap stands at the table before it holds (685(4))."""
        for level, meter in meters.items():
            cap = meter.get("cap_cents")
            new = cap is not None and cap != old.get(level, {}).get("cap_cents")
            if new and posted is not True:
                raise No("no notice")

    def advice(self, code: str, meters: dict[str, Any], all_off: bool) -> list[str]:
        """The clauses that settings go against, one line for each meter."""
        found = []
        if all_off and sum(m["contribution_ppm"] for m in meters.values()) < 700_000:
            found.append("PRC-02")
        largest = max(pay for pay in PAYS[code].values() if type(pay) is int) * 100
        for meter in meters.values():
            seed, reserve = meter.get("meter_seed_cents", 0), meter.get("reserve_ppm", 0)
            found += ["PRC-04"] * (reserve == 0)
            found += ["PRC-06"] * (seed == 0 and reserve > 0)
            found += ["PRC-09"] * (seed == 0) + ["PRC-08"] * (0 < seed < largest)
        return sorted(found)

    def do_make_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        name, code, meters = asked["link"], asked["paytable"], asked["meters"]
        if name in self.links:
            raise No("exists")
        all_off = asked.get("all_from_meter", False)
        self.check_rates(actor, code, asked)
        self.check_posted(meters, {}, asked.get("notice_posted"))
        if asked.get("deposits", "weekly") not in ("weekly", "not_asked"):
            raise No("no such deposits")
        self.links[name] = {
            "code": code,
            "rates": {level: dict(meter) for level, meter in meters.items()},
            "later": {},
            "all_off": all_off,
            "limits": {},
            "tables": [],
            "queue": {level: [] for level in LEVELS[code]},
            "pot": dict.fromkeys(LEVELS[code], 0),
            "pages": 0,
            "slips": 0,
            "closed": "",
            "weekly": asked.get("deposits", "weekly") == "weekly",
            "deposit": self.now,
            "short": 0,
            "seized": False,
            "restored": False,
            "seed": {level: meter.get("meter_seed_cents", 0) for level, meter in meters.items()},
            "recovered": dict.fromkeys(meters, 0),
            "owed": {},
            "cheques": {},
            "slip_cheques": {},
            # The meter of every win page that stands.
            "of_page": {},
        }
        for level, meter in meters.items():
            seed = D(meter.get("meter_seed_cents", 0), 100)
            self.put_up("seed_fund", name, level, seed, meter.get("cap_cents"))
        return {"link": name, "advice": self.advice(code, meters, all_off)}

    def do_set_thresholds(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        link = self.link_of(asked["link"])
        if set(asked["thresholds"]) != set(LEVELS[link["code"]]):
            raise No("other levels")
        if not all(whole_number(limit, 1, 10**14) for limit in asked["thresholds"].values()):
            raise No("no amount")
        link["limits"] = dict(asked["thresholds"])
        return {"thresholds": dict(asked["thresholds"])}

    def do_change_settings(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        link, new = self.link_of(asked["link"]), asked["meters"]
        if any(self.tables[table]["on"] for table in link["tables"]):
            raise No("a game is under way")
        self.check_rates(actor, link["code"], asked)
        self.check_posted(new, link["rates"], asked.get("notice_posted"))
        most = 0
        for level, meter in new.items():
            old, cap = link["rates"][level], meter.get("cap_cents")
            raised = meter["contribution_ppm"] > old["contribution_ppm"]
            if raised and not link["all_off"] and not asked.get("reason", "").strip():
                raise No("raised without a reason (PRC-03)")
            if cap is not None and cap < cents(self.on("meter", asked["link"], level)):
                raise No("a cap below what is shown (685(4))")
            most += max(m["contribution_ppm"] + m.get("reserve_ppm", 0) for m in (old, meter))
        if most > PPM:
            raise No("old and new rates together are more than the wager")
        # Rates and seed wait for the next whole award of their level; a cap does not.
        for level, meter in new.items():
            link["rates"][level]["cap_cents"] = meter.get("cap_cents")
        link["later"] = {level: dict(meter) for level, meter in new.items()}
        return {
            "waits_for": "the next award",
            "advice": self.advice(link["code"], new, link["all_off"]),
        }

    def do_close_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        person = self.who(actor, ("administrator", "supervisor", "executive"))
        if person["role"] == "administrator":
            self.administrator(actor, asked)
        link, cause = self.link_of(asked["link"]), asked.get("cause", "other")
        if cause not in CAUSES or (link["seized"] and cause != "seized"):
            raise No("for nothing known, or the money was seized (715)")
        link["closed"] = words(asked["why"], 400)
        link.update(seized=cause == "seized", restored=False)
        return {"link": asked["link"], "closed": asked["why"]}

    def do_open_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        link = self.link_of(asked["link"])
        if not link["closed"]:
            raise No("it is open")
        if link["seized"] and not link["restored"]:
            raise No("what was seized is not back in the bank (715)")
        link.update(closed="", seized=False)
        return {"link": asked["link"]}

    # The bank.

    def do_record_deposit(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.with_pin(actor, asked, ("cage",))
        link, balance = self.link_of(asked["link"]), asked["balance_cents"]
        if not whole_number(balance, 0, 10**14):
            raise No("no balance")
        reference = words(asked.get("reference"))
        owed = ceil(self.liability(asked["link"]) * 100)
        link.update(deposit=self.now, short=max(0, owed - balance), restored=balance >= owed)
        return {
            "balance_cents": balance,
            "liability_cents": owed,
            "short_cents": link["short"],
            "reference": reference,
        }

    def liability(self, name: str) -> Fraction:
        """All that is the players' (671): on the signs, beside them, and won but not paid."""
        found = self.books.get(f"payable:{name}", D(0))
        for level in self.links[name]["queue"]:
            found += sum(self.on(kind, name, level) for kind in ("meter", "reserve", "overflow"))
        return found

    def locked(self, link: dict[str, Any]) -> bool:
        """No deposit for a week, or one that did not cover what was owed (455)."""
        late = self.now > link["deposit"] + WEEK
        return bool(link["weekly"] and (link["short"] or late))

    def page_of(self, link: dict[str, Any], asked: dict[str, Any]) -> int:
        if not whole_number(asked.get("page"), 1, link["pages"]):
            raise No("no such win page")
        return int(asked["page"])

    def do_hand_cheque(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.with_pin(actor, asked, ("cage",))
        link = self.link_of(asked["link"])
        if asked.get("slip") is None:
            paper, number, promised = "page", self.page_of(link, asked), link["cheques"]
        else:
            paper, number, promised = "slip", asked["slip"], link["slip_cheques"]
        if type(number) is not int or number not in promised:
            raise No("none is promised")
        reference = words(asked.get("reference"))
        dollars, due = promised.pop(number)
        self.pay(f"payable:{asked['link']}", "bank", dollars)
        return {
            paper: number,
            "amount_cents": cents(dollars),
            "reference": reference,
            "late": self.now > due,
        }

    # Adjustments.

    def do_adjust(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        first = self.with_pin(actor, asked, OVER_IT)
        second = self.signed_by(asked, ("cage", "auditor"))
        if first["name"] == second["name"]:
            raise No("two people (PGM-16)")
        name, level = asked["link"], asked["level"]
        link = self.link_of(name)
        change, reason = asked["cents"], asked["reason"]
        if level not in link["queue"] or not whole_number(change, -(10**14), 10**14):
            raise No("no such meter, or no amount")
        if change == 0 or reason not in (DOWN if change < 0 else UP):
            raise No("nothing, or for no listed reason")
        words(asked["text"], 400)
        page = self.page_of(link, asked) if reason in ("won", "award_backed_out") else 0
        if page and link["of_page"].get(page) != level:
            raise No("backed out, or of another meter")
        amount, meter = D(abs(change), 100), f"meter:{name}:{level}"
        beside = f"overflow:{name}:{level}"
        other = {
            "won": f"payable:{name}",
            "seed_recovered": "seed_fund",
            "above_cap": beside,
        }.get(reason, "house")
        if reason == "award_backed_out":
            self.back_out(name, level, page, change)
        elif change > 0:
            self.put_up(other, name, level, amount, link["rates"][level].get("cap_cents"))
        elif reason == "booked_receipts":
            # Funds that are not displayed.
            if amount > self.on("overflow", name, level):
                raise No("not so much is beside the meter")
            self.pay(beside, other, amount)
        else:
            if D(cents(self.on("meter", name, level)), 100) < amount:
                raise No("more than is shown")
            if reason == "seed_recovered" and -change > link["seed"][level]:
                raise No("more than the house has put up")
            if not self.all_paid(name, level, less=amount):
                raise No("somebody waits for it")
            self.pay(meter, other, amount)
        link["slips"] += 1
        if reason == "won":
            link["owed"][link["slips"]] = amount
        if reason == "seed_recovered":
            link["seed"][level] += change
            link["recovered"][level] = link["pages"]
        return {"slip": link["slips"], "after_cents": cents(self.on("meter", name, level))}

    def back_out(self, name: str, level: str, page: int, change: int) -> None:
        """An award as though it had never been confirmed, where nobody has had what came of it."""
        link = self.links[name]
        found = [
            (self.tables[table], award)
            for table in link["tables"]
            for award in self.tables[table]["awards"]
            if award.get("page") == page and award["status"] == "confirmed"
        ]
        if not found:
            raise No("handed over, or put back")
        table, award = found[0]
        if (award["level"], cents(award["dollars"])) != (level, change):
            raise No("not that award")
        if award["whole"] and link["recovered"][level] >= page:
            raise No("its meter_seed was taken back since")
        before = dict(self.books)
        for account, dollars in award["moved"].items():
            self.books[account] -= dollars
        there = all(self.on(kind, name, level) >= 0 for kind in ("reserve", "overflow"))
        if not there or not self.all_paid(name, level):
            self.books = before
            raise No("later awards have had, or wait for, what it started again with")
        if award["whole"]:
            link["seed"][level] = 0
        seat = award["seat"]
        del link["of_page"][page]
        table["awards"].remove(award)
        self.forget(table, seat)
        table["envy"] = [(to, of) for to, of in table["envy"] if of != seat]

    def forget(self, table: dict[str, Any], seat: int) -> None:
        """Another hand at a spot, or none: what was seen of the one before does not count."""
        table["seen"] = {(to, of, due) for to, of, due in table["seen"] if of != seat}

    def do_pay_adjustment(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, (*OVER_IT, "cage"), on=None)
        slip = asked.get("slip")
        if type(slip) is not int or slip not in link["owed"]:
            raise No("nothing is owed on it")
        reference, method = words(asked.get("reference")), asked.get("method", "chips")
        due, looks = cents(link["owed"][slip]), None
        if method not in ("chips", "cheque") or (method == "cheque" and due <= CHEQUE):
            raise No("neither chips nor a cheque that may be asked for")
        if due > CAMERA:
            # Surveillance stands beside it (320(4)).
            if self.signed_by(asked, ("surveillance",))["name"] == self.people[actor]["name"]:
                raise No("the own second card")
            if any(asked.get("seen", {}).get(it) is not True for it in SEEN):
                raise No("not all of it was seen")
            looks = asked["second"]
        dollars = link["owed"].pop(slip)
        answer = {
            "slip": slip,
            "table": table["name"],
            "amount_cents": due,
            "reference": reference,
            "method": method,
            "verified_by": looks,
        }
        if method == "cheque":
            until = self.now + DAY
            link["slip_cheques"][slip] = (dollars, until)
            return {**answer, "due": until.isoformat(timespec="microseconds")}
        self.pay(f"payable:{table['link']}", f"tray:{table['name']}", dollars)
        return answer

    # Who waits for a meter: first those that J-POT has logged, then by the time of choosing.

    def start_again(self, link: dict[str, Any], level: str) -> tuple[Fraction, Any]:
        begins = link["later"].get(level, link["rates"][level])
        return D(begins.get("meter_seed_cents", 0), 100), begins.get("cap_cents")

    def left_after(
        self, link: dict[str, Any], level: str, stands: Fraction, reserve: Fraction, one: Any
    ) -> tuple[Fraction, Fraction]:
        """A meter and its reserve after an award (PGM-04, PGM-08, PRC-05)."""
        stands -= one["dollars"]
        if not one["whole"]:
            return stands, reserve
        seed, cap = self.start_again(link, level)
        fresh = stands + seed + reserve
        return (fresh if cap is None else max(stands, min(fresh, D(cap, 100)))), D(0)

    def all_paid(
        self,
        name: str,
        level: str,
        less: Fraction = NOTHING,
        less_reserve: Fraction = NOTHING,
        queue: Any = None,
    ) -> bool:
        """Whether everybody who waits can still be paid, one after the other."""
        link = self.links[name]
        stands = self.on("meter", name, level) - less
        reserve = self.on("reserve", name, level) - less_reserve
        if stands < 0 or reserve < 0:
            return False
        for one in link["queue"][level] if queue is None else queue:
            if one["dollars"] > stands:
                return False
            stands, reserve = self.left_after(link, level, stands, reserve, one)
        return True

    def price_from(self, name: str, level: str, queue: list[Any], first: int) -> None:
        """What each award from a place on is worth, as the meter stands now (A-16 to A-19)."""
        link = self.links[name]
        stands, reserve = self.on("meter", name, level), self.on("reserve", name, level)
        for place, one in enumerate(queue):
            if place >= first:
                share = PAYS[link["code"]][one["hand"]][1]
                share = self.share(self.tables[one["table"]], one["seat"], share)
                one["dollars"] = D(floor(cents(stands) * share), 100)
            stands, reserve = self.left_after(link, level, stands, reserve, one)

    def share(self, table: dict[str, Any], seat: int, share: Fraction) -> Fraction:
        """The share of a meter; by house rule it grows with the dollars bet, up to all of it."""
        if table["rules"].get("percent_pay_scaling") != "per_wager_unit":
            return share
        dollars: Fraction = table["lit"][seat]["dollars"]
        return min(D(1), share * dollars)

    def queue_up(self, table: dict[str, Any]) -> None:
        """Bring the queues of a table's link in line with the hands that are chosen there."""
        name = table["link"]
        link = self.links[name]
        chosen = [a for a in table["awards"] if a["level"] and a["status"] == "chosen"]
        chosen.sort(key=lambda award: award["seat"], reverse=table["right_first"])
        for level, before in link["queue"].items():
            mine = [a for a in chosen if a["level"] == level]
            after: list[Any] = []
            for one in before:
                if one["table"] != table["name"] or one["logged"]:
                    after.append(one)
                elif mine:
                    # A table keeps its places; its awards fill them in the order they are paid.
                    after.append(self.waits(table, mine.pop(0)))
            after += [self.waits(table, award) for award in mine]
            keep = 0
            while keep < min(len(before), len(after)) and all(
                before[keep][what] == after[keep][what] for what in ("table", "seat", "hand")
            ):
                after[keep] = before[keep]
                keep += 1
            self.price_from(name, level, after, keep)
            self.settle(name, level, after)

    def waits(self, table: dict[str, Any], award: dict[str, Any]) -> dict[str, Any]:
        return {
            "table": table["name"],
            "seat": award["seat"],
            "hand": award["hand"],
            "whole": award["whole"],
            "dollars": award["dollars"],
            "logged": False,
            "award": award,
        }

    def fix(self, table: dict[str, Any], award: dict[str, Any], log: bool) -> list[Any]:
        """The queue with an award logged, or first of all to leave; refused where that cheats."""
        name, level = table["link"], award["level"]
        old = self.links[name]["queue"][level]
        place = next(n for n, one in enumerate(old) if one["award"] is award)
        # Amounts are tried on copies; the awards themselves keep theirs until it is done.
        queue = [dict(one) for one in old]
        later = table["rules"].get("award_amount_fixed") == "at_confirmation"
        if later and award["status"] == "chosen":
            again = [dict(one) for one in old]
            self.price_from(name, level, again, place)
            if again[place]["dollars"] != old[place]["dollars"]:
                queue = again
        own = queue.pop(place)
        own["logged"] = log
        queue.insert(sum(one["logged"] for one in queue) if log else 0, own)
        if not self.all_paid(name, level, queue=queue):
            raise No("somebody in front could not be paid")
        return queue

    def settle(self, name: str, level: str, queue: list[Any]) -> None:
        """A queue as it is from now on, and the amounts of its awards."""
        self.links[name]["queue"][level] = queue
        for one in queue:
            one["award"]["dollars"] = one["dollars"]

    # Tables.

    def do_make_table(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        name, rules = asked["table"], asked.get("options", {})
        if name in self.tables:
            raise No("exists")
        self.tables[name] = {
            "name": name,
            "game": asked["game"],
            "seats": asked.get("positions", 7),
            "rules": rules,
            "right_first": rules.get("meter_pay_order", "right_to_left") == "right_to_left",
            "link": "",
            "round": 0,
            "calls": {},
        }
        self.sweep(self.tables[name])
        return {"table": name}

    def sweep(self, table: dict[str, Any]) -> None:
        table.update(on=False, lit={}, spot=0, awards=[], key="run")
        # Who was called for something else is still wanted.
        table["calls"].pop("award", None)
        table.update(envy=[], moved=[], pots={}, seen=set())

    def do_join_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        table, link = self.tables.get(asked["table"]), self.link_of(asked["link"])
        if table is None or table["link"] or table["on"]:
            raise No("no such table, or it is busy")
        if any(self.tables[t]["game"] != table["game"] for t in link["tables"]):
            raise No("another game (PGM-19)")
        link["tables"].append(table["name"])
        table["link"] = asked["link"]
        return {"table": asked["table"], "link": asked["link"]}

    def do_leave_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        table = self.tables.get(asked["table"])
        if table is None or not table["link"] or table["on"]:
            raise No("cannot leave")
        if any(light["carried"] for light in table["lit"].values()):
            raise No("its wagers are on the meters (A-15)")
        self.links[table["link"]]["tables"].remove(table["name"])
        table["link"] = ""
        return {"table": asked["table"]}

    def at(
        self, actor: str, asked: dict[str, Any], roles: tuple[str, ...], on: bool | None = True
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.who(actor, roles)
        table = self.tables.get(asked["table"]) if type(asked.get("table")) is str else None
        if table is None or not table["link"]:
            raise No("no such table, or it plays for no link")
        if on is not None and table["on"] is not on:
            raise No("not in this phase")
        return table, self.links[table["link"]]

    def system(self, table: dict[str, Any]) -> str:
        if len(self.links[table["link"]]["code"]) > 1:
            return "link"
        return str(table["rules"].get("award_profile", "nexus"))

    def seat(self, table: dict[str, Any], asked: dict[str, Any], lit: bool = True) -> int:
        seat = asked.get("position")
        if not whole_number(seat, 1, table["seats"]) or (lit and seat not in table["lit"]):
            raise No("no such spot, or it is dark")
        return int(seat or 0)

    def award_at(self, table: dict[str, Any], seat: int) -> dict[str, Any] | None:
        return next((a for a in table["awards"] if a["seat"] == seat), None)

    def do_light(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, AT_TABLE, on=False)
        seat = self.seat(table, asked, lit=False)
        player = words(asked["player"])
        if asked.get("base_wager") is not True:
            raise No("a base wager first (PGM-05)")
        if not whole_number(asked["cents"], 1, 100_000):
            return {"quarantined": True}
        if seat in table["lit"]:
            raise No("lit")
        table["lit"][seat] = {
            "dollars": D(asked["cents"], 100),
            "player": player,
            "folded": False,
            "carried": False,
        }
        return {"lit": seat, "quarantined": False}

    def do_unlight(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, AT_TABLE, on=False)
        seat = self.seat(table, asked)
        if table["lit"][seat]["carried"]:
            raise No("carried over")
        del table["lit"][seat]
        return {"unlit": seat}

    def do_start_game(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, AT_TABLE, on=False)
        if link["closed"] or set(link["limits"]) != set(link["queue"]):
            raise No("closed, or a threshold is missing (A-24)")
        if self.locked(link):
            raise No("the bank does not cover it (455)")
        tray, name = f"tray:{table['name']}", table["link"]
        taken = sum((x["dollars"] for x in table["lit"].values() if not x["carried"]), D(0))
        before = dict(self.books)
        for level, rates in link["rates"].items():
            self.put_up(
                tray, name, level, taken * D(rates["contribution_ppm"], PPM), rates.get("cap_cents")
            )
            part = taken * D(rates.get("reserve_ppm", 0), PPM)
            self.pay(tray, f"reserve:{name}:{level}", part)
            taken_in = {
                kind: self.on(kind, name, level) - before.get(f"{kind}:{name}:{level}", D(0))
                for kind in ("meter", "reserve", "overflow")
            }
            table["moved"].append((level, taken_in))
        kept = sum((sum(parts.values()) for _, parts in table["moved"]), D(0))
        self.pay(tray, "house", taken - kept)
        table.update(on=True, round=table["round"] + 1, house=taken - kept)
        table["pots"] = dict(link["pot"])
        return {
            "round": table["round"],
            "lit": sorted(table["lit"]),
            "meters": {level: cents(self.on("meter", name, level)) for level in link["rates"]},
        }

    def do_fold(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, AT_TABLE)
        seat = self.seat(table, asked)
        if self.award_at(table, seat):
            raise No("a hand is chosen there")
        table["lit"][seat]["folded"] = True
        return {"folded": seat}

    def do_choose_spot(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, AT_TABLE)
        if self.system(table) == "game_manager":
            raise No("hand buttons only")
        table["spot"] = self.seat(table, asked)
        return {"spot": table["spot"]}

    def do_press_hand(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, AT_TABLE)
        if self.system(table) == "game_manager":
            seat = self.seat(table, asked)
        else:
            seat = table["spot"]
            if not seat:
                raise No("the spot first (PNX-12)")
        hand, before = asked["hand"], self.award_at(table, seat)
        pays = PAYS[link["code"]].get(hand)
        if pays is None or (before and before["status"] != "chosen"):
            raise No("pays nothing, or only an adjustment backs it out (PGM-16)")
        if any(hit == seat for _, hit in table["envy"]):
            raise No("envy was paid for it")
        light = table["lit"][seat]
        folds_lose = table["rules"].get("folded_hand_progressive", "not_eligible")
        if light["folded"] and folds_lose == "not_eligible":
            raise No("folded (PGM-07)")
        table["spot"] = 0
        table["awards"] = [a for a in table["awards"] if a["seat"] != seat]
        self.forget(table, seat)
        if before and before["hand"] == hand:
            self.queue_up(table)
            return {"position": seat, "on": False}
        off_meter = type(pays) is tuple
        award = {
            "seat": seat,
            "hand": hand,
            "level": pays[0] if off_meter else "",
            "whole": off_meter and (pays[1] == 1 or self.share(table, seat, pays[1]) == 1),
            # "For 1": the pay is all there is, the wager is gone (PML-13).
            "dollars": D(0) if off_meter else D(cents(pays * light["dollars"]), 100),
            "status": "chosen",
            "by": actor,
        }
        table["awards"].append(award)
        self.queue_up(table)
        paid = cents(award["dollars"])
        return {"position": seat, "hand": hand, "amount_cents": paid, "on": True}

    def do_call_supervisor(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table = self.any_table(actor, asked, AT_TABLE)
        why, text = asked.get("reason", "award"), asked.get("text", "")
        if why not in CALLS or why in table["calls"]:
            raise No("no such reason, or called for it already")
        if why == "award" and not table["awards"]:
            raise No("no hand is chosen")
        if type(text) is not str or len(text) > 400 or (why == "other" and not text.strip()):
            raise No("no text")
        table["calls"][why] = (text.strip(), actor)
        return {"called": True}

    def do_answer_call(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table = self.any_table(actor, asked, OVER_IT)
        named = [asked["reason"]] if "reason" in asked else list(table["calls"])
        if len(named) != 1 or named[0] not in CALLS or named[0] not in table["calls"]:
            raise No("not called for that, or for more than one thing")
        if named[0] == "award" and self.turn_of(table):
            raise No("an award waits for it")
        del table["calls"][named[0]]
        return {"table": table["name"], "reason": named[0]}

    def any_table(
        self, actor: str, asked: dict[str, Any], roles: tuple[str, ...]
    ) -> dict[str, Any]:
        """A table that plays for a link or for none."""
        self.who(actor, roles)
        if asked["table"] not in self.tables:
            raise No("no such table")
        return self.tables[asked["table"]]

    def turn_of(self, table: dict[str, Any]) -> dict[str, Any] | None:
        """Whose award of a meter comes next: the logged one, else by the order (PGM-10)."""
        waiting = [a for a in table["awards"] if a["level"] and a["status"] in ("chosen", "logged")]
        waiting.sort(key=lambda award: award["seat"], reverse=table["right_first"])
        logged = [award for award in waiting if award["status"] == "logged"]
        found: dict[str, Any] | None = (*logged, *waiting, None)[0]
        return found

    def approve(
        self, actor: str, table: dict[str, Any], asked: dict[str, Any], log: bool
    ) -> tuple[dict[str, Any], list[Any]]:
        """The award that is confirmed, when this person may and everything is done for it."""
        award = self.award_at(table, self.seat(table, asked, lit=False))
        if award is None or not award["level"] or award is not self.turn_of(table):
            raise No("not that one, or not yet")
        if award["status"] != "chosen" or "award" not in table["calls"]:
            raise No("logged, or nobody was called")
        queue = self.fix(table, award, log)
        amount = next(one["dollars"] for one in queue if one["award"] is award)
        person, chose = self.people[actor], self.people[award["by"]]
        if asked.get("pin_held") is not True or person["name"] == chose["name"]:
            raise No("no PIN, or the own choice")
        large = cents(amount) >= self.links[table["link"]]["limits"][award["level"]]
        if large and person["role"] != "executive":
            raise No("an executive's (PNX-14)")
        needed = {"hand_seen", "wager_lit", "amount", "deck_counted"}
        needed |= {"surveillance"} if large else set()
        if any(asked.get("checklist", {}).get(check) is not True for check in needed):
            raise No("not everything is checked")
        return award, queue

    def off_the_meter(
        self, actor: str, table: dict[str, Any], award: dict[str, Any]
    ) -> dict[str, Any]:
        """The award leaves the meter, which starts again after a whole one."""
        name, level = table["link"], award["level"]
        link = self.links[name]
        link["queue"][level] = [x for x in link["queue"][level] if x["award"] is not award]
        before = dict(self.books)
        self.pay(f"meter:{name}:{level}", f"payable:{name}", award["dollars"])
        if award["whole"]:
            seed, cap = self.start_again(link, level)
            reserve = self.on("reserve", name, level)
            # Both come in together; a cap cuts what is too much.
            self.pay("seed_fund", f"reserve:{name}:{level}", seed)
            self.put_up(f"reserve:{name}:{level}", name, level, seed + reserve, cap)
            link["pot"][level] += 1
            link["seed"][level] = cents(seed)
            if level in link["later"]:
                link["rates"][level] = link["later"].pop(level)
        link["pages"] += 1
        link["of_page"][link["pages"]] = level
        moved = {x: now - before.get(x, D(0)) for x, now in self.books.items()}
        name_of_actor = self.people[actor]["name"]
        award.update(status="confirmed", page=link["pages"], moved=moved, confirmed=name_of_actor)
        return {
            "position": award["seat"],
            "amount_cents": cents(award["dollars"]),
            "page": link["pages"],
        }

    def do_confirm_award(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, OVER_IT)
        if self.system(table) == "game_manager":
            raise No("by the key")
        award, queue = self.approve(actor, table, asked, log=False)
        self.settle(table["link"], award["level"], queue)
        return self.off_the_meter(actor, table, award)

    def do_turn_key(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, OVER_IT)
        to = asked["to"]
        if self.system(table) != "game_manager" or asked.get("pin_held") is not True:
            raise No("no key here, or no PIN")
        if to not in ("jph", "run") or to == table["key"]:
            raise No("not that way")
        award = self.turn_of(table)
        leaves = to == "run" and award is not None and award["status"] == "logged"
        if award is not None and leaves:
            self.fix(table, award, log=False)
        table["key"] = to
        if award is not None and leaves:
            return {"key": "run", **self.off_the_meter(actor, table, award)}
        return {"key": to}

    def do_press_jackpot(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, OVER_IT)
        if table["key"] != "jph":
            raise No("the key first (PGM-13)")
        award, queue = self.approve(actor, table, asked, log=True)
        self.settle(table["link"], award["level"], queue)
        award["status"] = "logged"
        return {"position": award["seat"], "amount_cents": cents(award["dollars"])}

    # Over $3,000 surveillance looks first (320(4)).

    def unseen(self, table: dict[str, Any]) -> set[tuple[int, int, int]]:
        """Payments of the round that nobody has verified: to a spot, for a spot, of so much."""
        due = {(x["seat"], x["seat"], cents(x["dollars"])) for x in table["awards"]}
        due |= {(x["position"], x["from"], x["cents"]) for x in self.envy_of(table)}
        return {one for one in due if one[2] > CAMERA and one not in table["seen"]}

    def do_check_on_camera(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, ("surveillance",))
        self.with_pin(actor, asked, ("surveillance",))
        seat = self.seat(table, asked, lit=False)
        of, looked = asked.get("from", seat), asked.get("seen", {})
        found = {one for one in self.unseen(table) if one[:2] == (seat, of)}
        if type(of) is not int or not found or any(looked.get(it) is not True for it in SEEN):
            raise No("nothing to verify, or not all of it was seen")
        confirmed = self.award_at(table, of)
        if confirmed and confirmed["level"] and "confirmed" not in confirmed:
            raise No("not confirmed yet")
        if confirmed and confirmed.get("confirmed") == self.people[actor]["name"]:
            raise No("the own confirmation")
        table["seen"] |= found
        return {"position": seat, "from": of, "cents": found.pop()[2]}

    def do_pay_award(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, (*OVER_IT, "cage"), on=None)
        award = self.award_at(table, self.seat(table, asked, lit=False))
        if award is None or award["status"] != "confirmed":
            raise No("nothing to pay")
        due, method = cents(award["dollars"]), asked.get("method", "chips")
        if (award["seat"], award["seat"], due) in self.unseen(table):
            raise No("not verified on camera")
        answer = {
            "position": award["seat"],
            "amount_cents": due,
            "reference": words(asked["reference"]),
            "method": method,
        }
        if method == "chips":
            self.pay(f"payable:{table['link']}", f"tray:{table['name']}", award["dollars"])
        elif method == "cheque" and due > CHEQUE:
            # It stays owed until the cage hands it over (050).
            until = self.now + DAY
            link["cheques"][award["page"]] = (award["dollars"], until)
            answer["due"] = until.isoformat(timespec="microseconds")
        else:
            raise No("neither chips nor a cheque that may be asked for")
        award["status"] = "paid"
        return answer

    def envy_of(self, table: dict[str, Any]) -> list[dict[str, int]]:
        """What others are owed for hands at this table (PGM-17, PNX-17, PML-13, A-27, A-45, 46)."""
        rules, system = table["rules"], self.system(table)
        own_too = rules.get("envy_own_other_hand", "by_profile")
        paid_too = own_too == "yes" or (own_too == "by_profile" and system == "game_manager")
        lines = []
        for seat in sorted(table["lit"]):
            light = table["lit"][seat]
            if light["folded"] and rules.get("envy_when_folded", "paid") == "not_paid":
                continue
            for award in sorted(table["awards"], key=lambda award: int(award["seat"])):
                own = table["lit"][award["seat"]]["player"] == light["player"]
                if award["seat"] == seat or (own and not paid_too):
                    continue
                if system == "link":
                    due = ENVY_PER_DOLLAR.get(award["hand"], 0) * light["dollars"]
                else:
                    due = D(ENVY.get(award["hand"], 0))
                if due and (seat, award["seat"]) not in table["envy"]:
                    lines.append({"position": seat, "from": award["seat"], "cents": cents(due)})
        return lines

    def do_pay_envy(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.at(actor, asked, AT_TABLE)
        lines = self.envy_of(table)
        if not lines or self.turn_of(table) is not None:
            raise No("none is due, or not yet")
        if any(to != of for to, of, _ in self.unseen(table)):
            raise No("not verified on camera")
        total = sum(line["cents"] for line in lines)
        self.pay("envy", f"tray:{table['name']}", D(total, 100))
        table["envy"] += [(line["position"], line["from"]) for line in lines]
        return {"lines": lines, "cents": total}

    def do_end_game(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, AT_TABLE)
        if self.turn_of(table) is not None or self.envy_of(table) or table["key"] != "run":
            raise No("something is not done (PGM-15)")
        if any(award["status"] == "confirmed" for award in table["awards"]):
            raise No("a prize is not handed over (PGM-20)")
        if self.unseen(table):
            raise No("a fixed pay is not verified on camera")
        tray, fixed, short = f"tray:{table['name']}", [], 0
        for award in table["awards"]:
            if award["level"]:
                continue
            due = cents(award["dollars"])
            fixed.append({"position": award["seat"], "hand": award["hand"], "amount_cents": due})
            given = 0
            if link["all_off"]:
                level = LEVELS[link["code"]][-1]
                given = self.most_given(table["link"], level, due)
                self.pay(f"meter:{table['link']}:{level}", tray, D(given, 100))
                short += due - given
            self.pay("payouts", tray, D(due - given, 100))
        answer = {"round": table["round"], "fixed": fixed, "meter_was_short_cents": short}
        self.sweep(table)
        return answer

    def most_given(self, name: str, level: str, due: int) -> int:
        """Most cents of a pay that a meter gives with everybody else still paid (PRC-01)."""
        least, most = 0, due + 1
        while most - least > 1:
            middle = (least + most) // 2
            if self.all_paid(name, level, less=D(middle, 100)):
                least = middle
            else:
                most = middle
        return least

    def do_void_game(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, OVER_IT)
        reason = words(asked["reason"], 400)
        if table["envy"] or any(award["status"] != "chosen" for award in table["awards"]):
            raise No("something was logged or paid")
        carried = table["rules"].get("void_progressive") == "carry_to_next_round"
        lit, name, moved = table["lit"], table["link"], table["moved"]
        pots, house = table["pots"], table["house"]
        table["awards"] = []
        self.queue_up(table)
        self.sweep(table)
        answer = {"round": table["round"], "reason": reason, "carried": carried, "kept": []}
        if carried:
            table["lit"] = {
                seat: {**x, "carried": True, "folded": False} for seat, x in lit.items()
            }
            return {**answer, "refunds": {}}
        tray = f"tray:{table['name']}"
        for level, parts in moved:
            # What was won since, or somebody waits for, the house makes good.
            there = self.all_paid(name, level, parts["meter"], parts["reserve"])
            there = there and self.on("overflow", name, level) >= parts["overflow"]
            there = there and link["pot"][level] == pots[level]
            if not there and sum(parts.values()):
                answer["kept"].append(level)
            for kind, dollars in parts.items():
                self.pay(f"{kind}:{name}:{level}" if there else "house", tray, dollars)
        self.pay("house", tray, house)
        return {**answer, "refunds": {str(seat): cents(lit[seat]["dollars"]) for seat in lit}}
