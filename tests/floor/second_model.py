"""The progressive floor a second time, from the clauses, in dollars as fractions and plain lists.

It shares nothing with `houseway.floor`: no state, no arithmetic, no paytable. A command is either
done, and then the answer is here, or it raises `No`. What stands on meters and in the books after
it can be compared to the last millionth of a cent.

It reads no cards: whoever makes a deck tells it which hand each packet of it makes.
"""

import re
from collections.abc import Callable
from copy import deepcopy
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
WAGERS = ("ante", "pair-plus", "six-card-bonus", "progressive")

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
# How often each hand comes, by the textbook: of 22,100 hands of three cards, with A-K-Q apart from
# the other straight flushes, and of 2,598,960 hands of five.
THREE_CARDS = {
    "akq_spades": D(1, 22_100),
    "akq_other_suit": D(3, 22_100),
    "straight_flush": D(44, 22_100),
    "three_of_a_kind": D(52, 22_100),
    "straight": D(720, 22_100),
}
FIVE_CARDS = {
    "royal_flush": D(4, 2_598_960),
    "straight_flush": D(36, 2_598_960),
    "four_of_a_kind": D(624, 2_598_960),
    "full_house": D(3_744, 2_598_960),
    "flush": D(5_108, 2_598_960),
    "straight": D(10_200, 2_598_960),
    "three_of_a_kind": D(54_912, 2_598_960),
}


def preset(contribution_percent: int, seed_dollars: int) -> dict[str, int]:
    return {
        "contribution_ppm": contribution_percent * 10_000,
        "reserve_ppm": 10_000,
        "meter_seed_cents": seed_dollars * 100,
    }


# PRC-07: what the house has pre-configured.
PRESETS = {
    "1": {"single": preset(11, 1_000)},
    "2": {"single": preset(17, 1_000)},
    "01": {"single": preset(15, 20_000)},
    "ML01": {"mega": preset(7, 10_000), "major": preset(5, 2_000)},
    "ML03": {"mega": preset(6, 10_000), "major": preset(6, 1_000), "minor": preset(5, 100)},
}

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


def dollars_of(due: int) -> str:
    return f"{due // 100}.{due % 100:02d}".removesuffix(".00")


def share(rules: dict[str, Any], part: Fraction, wager: Fraction) -> Fraction:
    """The share of a meter; by house rule it grows with the dollars bet, up to all of it."""
    return min(D(1), part * wager) if rules.get("percent_pay_scaling") == "per_wager_unit" else part


class SecondModel:
    """Everything that stands on a floor."""

    def __init__(self) -> None:
        self.people: dict[str, dict[str, Any]] = {}
        self.links: dict[str, dict[str, Any]] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.now = datetime.min.replace(tzinfo=UTC)
        # The machine's clock, which may have jumped, and how often nobody has said why.
        self.machine = self.now
        self.alarms = 0
        self.actor = ""
        # What is owed (or, below 0, held), by account.
        self.books: dict[str, Fraction] = {}
        # The hands of a shuffle, by its text and by how many positions are dealt to.
        self.decks: dict[str, dict[int, list[str]]] = {}

    def do(self, actor: str, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        """The answer to a command, once it is done."""
        self.actor = actor
        command = getattr(self, f"do_{name}", None)
        if command is None:
            raise No("no such command")
        found: dict[str, Any] = command(actor, asked)
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
        namesakes = [one for one in self.people.values() if one["name"] == asked["name"]]
        if "same_person_as" in asked:
            return self.new_card(asked, asked["role"], asked["same_person_as"])
        if namesakes and not asked.get("another_person"):
            raise No("one person or two")
        return self.new_card(asked, asked["role"])

    def new_card(self, asked: dict[str, Any], role: str, same: str = "") -> dict[str, Any]:
        self.people[asked["card"]] = {
            "name": asked["name"],
            # A person is known by the first card.
            "person": self.people[same]["person"] if same else asked["card"],
            "role": role,
            "wrong": 0,
            "valid": True,
        }
        return {"card": asked["card"], "role": role}

    def do_note_pin(self, _: str, asked: dict[str, Any]) -> dict[str, Any]:
        every = (
            "dealer",
            "supervisor",
            "executive",
            "cage",
            "auditor",
            "surveillance",
            "administrator",
        )
        person = self.who(words(asked.get("card")), every)
        person["wrong"] = 0 if asked["held"] else person["wrong"] + 1
        return {
            "held": asked["held"],
            "tries_left": None if asked["held"] else 3 - person["wrong"],
        }

    def do_unlock_card(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        if asked["card"] not in self.people or asked["card"] == actor:
            raise No("unknown, or the own card")
        words(asked.get("pin_hash"))
        self.people[asked["card"]]["wrong"] = 0
        return {"card": asked["card"]}

    # Time.

    def do_acknowledge_clock(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        words(asked.get("text"), 400)
        if not self.alarms:
            raise No("no jump waits")
        jumps, self.alarms = self.alarms, 0
        return {"jumps": jumps}

    def do_correct_time(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        first = self.administrator(actor, asked)
        second = self.signed_by(asked, ("executive",))
        if first["name"] == second["name"]:
            raise No("the own second card")
        words(asked.get("reason"), 400)
        right = self.machine
        if "time" in asked:
            try:
                right = datetime.fromisoformat(words(asked["time"]))
            except ValueError:
                raise No("no moment") from None
            if not 2000 <= right.year <= 2199:
                raise No("not of these years")
            right = right.astimezone(UTC)
        if abs(right - self.now) < timedelta(seconds=1):
            raise No("it is that already")
        self.now, self.alarms, ahead = right, 0, self.now - right
        for link in self.links.values() if ahead > timedelta() else ():
            if link["deposit"] > right:
                link["deposit"] -= ahead
            for promised in (link["cheques"], link["slip_cheques"]):
                for number, (dollars, until) in promised.items():
                    # It was asked for a day before it is due.
                    if until - DAY > right:
                        promised[number] = (dollars, until - ahead)
        return {"time": right.isoformat(timespec="microseconds")}

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
            if executive["person"] == self.people[actor]["person"]:
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
        found = ["PRC-03"] * (self.hold(code, meters, all_off) < 0)
        if all_off and sum(m["contribution_ppm"] for m in meters.values()) < 700_000:
            found.append("PRC-02")
        largest = max(pay for pay in PAYS[code].values() if type(pay) is int) * 100
        for level, meter in meters.items():
            seed, reserve = meter.get("meter_seed_cents", 0), meter.get("reserve_ppm", 0)
            usual = PRESETS[code][level]
            above = meter["contribution_ppm"] > usual["contribution_ppm"]
            found += ["PRC-03"] * (above and not all_off)
            found += ["PRC-07"] * (seed != usual["meter_seed_cents"])
            found += ["PRC-04"] * (reserve == 0)
            found += ["PRC-06"] * (seed == 0 and reserve > 0)
            found += ["PRC-09"] * (seed == 0) + ["PRC-08"] * (0 < seed < largest)
        return sorted(found)

    def hold(self, code: str, meters: dict[str, Any], all_off: bool) -> Fraction:
        """What the house keeps of a dollar in the long run at a table of six lit hands."""
        kept = D(1)
        for level, meter in meters.items():
            kept -= D(meter["contribution_ppm"] + meter.get("reserve_ppm", 0), PPM)
            whole = next(hand for hand, pay in PAYS[code].items() if pay == (level, ALL))
            kept -= self.chance(code, whole) * D(meter.get("meter_seed_cents", 0), 100)
        for hand, pay in PAYS[code].items():
            envy = ENVY if code in ("1", "2") else ENVY_PER_DOLLAR
            kept -= 5 * self.chance(code, hand) * envy.get(hand, 0)
            if type(pay) is int and not all_off:
                kept -= self.chance(code, hand) * pay
        return kept

    def edge(self, code: str, dollars: dict[str, Fraction]) -> Fraction:
        """What a dollar loses on average with so much on the meters."""
        back = NOTHING
        for hand, pay in PAYS[code].items():
            paid = pay if type(pay) is int else pay[1] * dollars[pay[0]]
            back += self.chance(code, hand) * paid
        return 1 - back

    def chance(self, code: str, hand: str) -> Fraction:
        return (THREE_CARDS if code in ("1", "2") else FIVE_CARDS)[hand]

    def figures(
        self, code: str, meters: dict[str, Any], now: dict[str, Fraction], all_off: bool
    ) -> dict[str, str]:
        """What an administrator is shown of settings, as text."""
        seeds = {level: D(meter.get("meter_seed_cents", 0), 100) for level, meter in meters.items()}
        return {
            "edge_at_seed": str(self.edge(code, seeds)),
            "edge_at_meter": str(self.edge(code, now)),
            "hold": str(self.hold(code, meters, all_off)),
        }

    def do_make_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        name, code = asked["link"], asked["paytable"]
        meters = asked.get("meters") or PRESETS[code]
        asked = {**asked, "meters": meters}
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
            # Who signed a slip for a winner.
            "signed": {},
            # Win pages for which a slip has found more.
            "topped_up": set(),
            # The meter of every win page that stands.
            "of_page": {},
        }
        for level, meter in meters.items():
            seed = D(meter.get("meter_seed_cents", 0), 100)
            self.put_up("seed_fund", name, level, seed, meter.get("cap_cents"))
        seeds = {level: D(meter.get("meter_seed_cents", 0), 100) for level, meter in meters.items()}
        return {
            "link": name,
            "before": None,
            "after": self.figures(code, meters, seeds, all_off),
            "advice": self.advice(code, meters, all_off),
        }

    def do_set_thresholds(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        link = self.link_of(asked["link"])
        if any(self.tables[table]["taken"] for table in link["tables"]):
            raise No("a game is under way")
        if set(asked["thresholds"]) != set(LEVELS[link["code"]]):
            raise No("other levels")
        if not all(whole_number(limit, 1, 10**14) for limit in asked["thresholds"].values()):
            raise No("no amount")
        link["limits"] = dict(asked["thresholds"])
        return {"thresholds": dict(asked["thresholds"])}

    def do_change_settings(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        link, new = self.link_of(asked["link"]), asked["meters"]
        if any(self.tables[table]["taken"] for table in link["tables"]):
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
        shown = {level: D(cents(self.on("meter", asked["link"], level)), 100) for level in new}
        before = self.figures(link["code"], link["rates"], shown, link["all_off"])
        # Rates and seed wait for the next whole award of their level; a cap does not.
        for level, meter in new.items():
            link["rates"][level]["cap_cents"] = meter.get("cap_cents")
        link["later"] = {level: dict(meter) for level, meter in new.items()}
        return {
            "waits_for": "the next award",
            "before": before,
            "after": self.figures(link["code"], new, shown, link["all_off"]),
            "advice": self.advice(link["code"], new, link["all_off"]),
        }

    def do_close_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.with_pin(actor, asked, ("administrator", "supervisor", "executive"))
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
        if first["person"] == second["person"]:
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
            link["topped_up"].add(page)
            link["owed"][link["slips"]] = amount
            link["signed"][link["slips"]] = {first["person"], second["person"]}
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
            if award["page"] == page
        ]
        if not found:
            raise No("handed over, or put back")
        table, award = found[0]
        if page in link["topped_up"]:
            raise No("more was found for it; it stays won")
        if (award["level"], cents(award["dollars"])) != (level, change):
            raise No("not that award")
        game = table["game_on"]
        on = game and game["started"] and award["round"] == table["number"]
        if on:
            order = self.off_meter(table)
            behind = order[order.index(award["seat"]) + 1 :]
            paid = [seat for seat in behind if seat in game["settled"]]
            if any(self.pay_of(table, seat)[0] == level for seat in paid):
                raise No("another was priced behind it (A-17)")
        if award["status"] == "recorded":
            self.unrecord(table, award)
        else:
            self.move_back(link, name, award)
            if on and award["whole"]:
                # For this round its meter has not started again.
                table["pots"][level] += 1
        del link["of_page"][page]
        table["awards"].remove(award)
        if on:
            # The round is not over: the hand is dark again, to be pressed or made void.
            game["settled"].discard(award["seat"])
            game["pressed"].discard(award["seat"])
            game["steps"].append(None)

    def unrecord(self, table: dict[str, Any], award: dict[str, Any]) -> None:
        """Between J-POT and RUN nothing has moved; those behind it are priced again."""
        name, level = table["link"], award["level"]
        old = self.links[name]["queue"][level]
        own = (table["name"], award["seat"])
        queue = [dict(one) for one in old if (one["table"], one["seat"]) != own]
        if not self.all_paid(name, level, queue=[one for one in queue if one["logged"]]):
            raise No("J-POT has recorded another after it")
        self.price_from(name, level, queue, sum(one["logged"] for one in queue))
        self.links[name]["queue"][level] = queue

    def move_back(self, link: dict[str, Any], name: str, award: dict[str, Any]) -> None:
        level = award["level"]
        if award["whole"] and link["recovered"][level] >= award["page"]:
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

    def do_pay_adjustment(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, (*OVER_IT, "cage"))
        self.with_pin(actor, asked, (*OVER_IT, "cage"))
        slip = asked.get("slip")
        if type(slip) is not int or slip not in link["owed"]:
            raise No("nothing is owed on it")
        reference, method = words(asked.get("reference")), asked.get("method", "chips")
        due, looks = cents(link["owed"][slip]), None
        if method not in ("chips", "cheque") or (method == "cheque" and due <= CHEQUE):
            raise No("neither chips nor a cheque that may be asked for")
        if due > CAMERA:
            # Surveillance stands beside it (320(4)).
            own = {self.people[actor]["person"], *link["signed"][slip]}
            if self.signed_by(asked, ("surveillance",))["person"] in own:
                raise No("the own second card")
            if any(asked.get("seen", {}).get(it) is not True for it in SEEN):
                raise No("not all of it was seen")
            looks = asked["second"]
        elif "second" in asked:
            raise No("nobody signs with it")
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

    # Who waits for a meter: first those that J-POT has recorded, then by the time of pressing.

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
                part = PAYS[link["code"]][one["hand"]][1]
                part = share(self.tables[one["table"]]["rules"], part, one["wager"])
                one["dollars"] = D(floor(cents(stands) * part), 100)
            stands, reserve = self.left_after(link, level, stands, reserve, one)

    def queue_up(self, table: dict[str, Any], actor: str) -> None:
        """Bring the queues of a table's link in line with the hands that are pressed there."""
        name = table["link"]
        pressed = [seat for seat in self.unpaid(table) if seat in table["game_on"]["pressed"]]
        for level, before in self.links[name]["queue"].items():
            mine = [seat for seat in pressed if self.pay_of(table, seat)[0] == level]
            known = {one["seat"]: one for one in before if one["table"] == table["name"]}
            after: list[Any] = []
            for one in before:
                if one["table"] != table["name"] or one["logged"]:
                    after.append(dict(one))
                elif mine:
                    # A table keeps its places; its awards fill them in the order they are paid.
                    after.append(self.waits(table, mine.pop(0), known, actor))
            after += [self.waits(table, seat, known, actor) for seat in mine]
            keep = 0
            while keep < min(len(before), len(after)) and all(
                before[keep][what] == after[keep][what] for what in ("table", "seat", "hand")
            ):
                after[keep] = before[keep]
                keep += 1
            self.price_from(name, level, after, keep)
            self.links[name]["queue"][level] = after

    def waits(
        self, table: dict[str, Any], seat: int, known: dict[int, Any], actor: str
    ) -> dict[str, Any]:
        if seat in known:
            return dict(known[seat])
        wager = D(table["game_on"]["bets"][seat]["progressive"], 100)
        part = self.pay_of(table, seat)[1]
        return {
            "table": table["name"],
            "seat": seat,
            "hand": table["game_on"]["hands"][seat],
            "whole": part == 1 or share(table["rules"], part, wager) == 1,
            "wager": wager,
            "dollars": D(0),
            "logged": False,
            "by": actor,
        }

    def fix(self, table: dict[str, Any], seat: int, log: bool) -> tuple[Any, list[Any]]:
        """What waits for a spot, and the queue with it recorded, or first of all to leave."""
        name, level = table["link"], self.pay_of(table, seat)[0]
        old = self.links[name]["queue"][level]
        own = (table["name"], seat)
        place = next(n for n, one in enumerate(old) if (one["table"], one["seat"]) == own)
        queue = [dict(one) for one in old]
        later = table["rules"].get("award_amount_fixed") == "at_confirmation"
        if later and not old[place]["logged"]:
            again = [dict(one) for one in old]
            self.price_from(name, level, again, place)
            if again[place]["dollars"] != old[place]["dollars"]:
                queue = again
        one = queue.pop(place)
        one["logged"] = log or one["logged"]
        queue.insert(sum(other["logged"] for other in queue) if log else 0, one)
        if not self.all_paid(name, level, queue=queue):
            raise No("somebody in front could not be paid")
        return one, queue

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
            "link": "",
            "number": 0,
            # The round that is under way, and what the last one has left.
            "game_on": None,
            "carried": {},
            "last_deck": "",
            # Awards with a win page that are not handed over.
            "awards": [],
            "calls": {},
        }
        self.sweep(self.tables[name])
        return {"table": name}

    def sweep(self, table: dict[str, Any]) -> None:
        """The display is cleared: no progressive wagers are in play."""
        table.update(taken=False, key="run", seen=set(), envy=D(0))
        # Who was called for something else is still wanted.
        table["calls"].pop("award", None)
        table.update(moved=[], pots={}, house=D(0))

    def do_join_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        table, link = self.tables.get(asked["table"]), self.link_of(asked["link"])
        if table is None or table["link"] or table["game_on"]:
            raise No("no such table, or it is busy")
        if any(self.tables[t]["game"] != table["game"] for t in link["tables"]):
            raise No("another game (PGM-19)")
        link["tables"].append(table["name"])
        table["link"] = asked["link"]
        # Tables of its days play Three Card Poker, whose sources have a progressive.
        return {"table": asked["table"], "link": asked["link"], "reading": None}

    def do_leave_link(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.administrator(actor, asked)
        table = self.tables.get(asked["table"])
        if table is None or not table["link"] or table["game_on"]:
            raise No("cannot leave")
        if table["awards"]:
            raise No("a prize is not handed over (PGM-20)")
        if any(table["carried"].values()):
            raise No("its wagers are on the meters (A-15)")
        self.links[table["link"]]["tables"].remove(table["name"])
        table["link"] = ""
        return {"table": asked["table"]}

    def table_of(self, asked: dict[str, Any]) -> dict[str, Any]:
        found = self.tables.get(words(asked.get("table")))
        if found is None:
            raise No("no such table")
        return found

    def at(
        self, actor: str, asked: dict[str, Any], roles: tuple[str, ...]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        self.who(actor, roles)
        table = self.table_of(asked)
        if not table["link"]:
            raise No("it plays for no link")
        return table, self.links[table["link"]]

    def in_play(
        self, actor: str, asked: dict[str, Any], roles: tuple[str, ...]
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """A table between START GAME and the end of its round, with the round."""
        table, _ = self.at(actor, asked, roles)
        if not table["game_on"] or not table["game_on"]["started"]:
            raise No("no game is under way")
        return table, table["game_on"]

    def system(self, table: dict[str, Any]) -> str:
        if len(self.links[table["link"]]["code"]) > 1:
            return "link"
        return str(table["rules"].get("award_profile", "nexus"))

    def seat(self, table: dict[str, Any], asked: dict[str, Any], name: str = "position") -> int:
        seat = asked.get(name)
        if not whole_number(seat, 1, table["seats"]):
            raise No("no such spot")
        return int(seat or 0)

    # The round: who has won is in the hands that the deck was told to make.

    def lit(self, game: dict[str, Any]) -> list[int]:
        return sorted(seat for seat, bets in game["bets"].items() if "progressive" in bets)

    def counts(self, table: dict[str, Any], seat: int) -> bool:
        """Whether the hand at a spot plays for the progressive: folded ones do by house rule."""
        eligible = table["rules"].get("folded_hand_progressive", "not_eligible") == "eligible"
        return eligible or seat not in table["game_on"]["folded"]

    def pay_of(self, table: dict[str, Any], seat: int) -> Any:
        """A meter and a share of it, or dollars for one; None where a hand wins nothing."""
        game = table["game_on"]
        if seat not in self.lit(game) or not game["dealer_shown"] or not self.counts(table, seat):
            return None
        return PAYS[self.links[table["link"]]["code"]].get(game["hands"][seat])

    def off_meter(self, table: dict[str, Any]) -> list[int]:
        """Who wins a share of a meter, in the order they are paid (PGM-10)."""
        game = table["game_on"]
        winners = [s for s in self.lit(game) if type(self.pay_of(table, s)) is tuple]
        if table["rules"].get("meter_pay_order", "right_to_left") == "right_to_left":
            return winners[::-1]
        return [seat for seat in game["order"] if seat in winners]

    def unpaid(self, table: dict[str, Any]) -> list[int]:
        """The same without those that were recorded or confirmed."""
        return [s for s in self.off_meter(table) if s not in table["game_on"]["settled"]]

    def unpressed(self, table: dict[str, Any]) -> list[int]:
        game = table["game_on"]
        won = [seat for seat in self.lit(game) if self.pay_of(table, seat)]
        return [seat for seat in won if seat not in game["pressed"]]

    def fixed(self, table: dict[str, Any]) -> list[tuple[int, int]]:
        """Fixed pays of settled hands: to whom, and how many cents."""
        game, found = table["game_on"], []
        for seat in self.lit(game):
            pays = self.pay_of(table, seat)
            if type(pays) is int and seat in game["shown"]:
                # "For 1": the pay is all there is, the wager is gone (PML-13).
                found.append((seat, pays * game["bets"][seat]["progressive"]))
        return found

    def envy_of(self, table: dict[str, Any]) -> list[tuple[int, int, int]]:
        """What others are owed for hands at this table (PGM-17, PNX-17, PML-13, A-27, A-45, 46)."""
        rules, system, game = table["rules"], self.system(table), table["game_on"]
        own_too = rules.get("envy_own_other_hand", "by_profile")
        paid_too = own_too == "yes" or (own_too == "by_profile" and system == "game_manager")
        lines = []
        for seat in [] if game["envy_paid"] else self.lit(game):
            if seat in game["folded"] and rules.get("envy_when_folded", "paid") == "not_paid":
                continue
            for other in self.lit(game):
                own = game["players"][seat] and game["players"][seat] == game["players"][other]
                if other == seat or (own and not paid_too):
                    continue
                if other not in game["shown"] or not self.counts(table, other):
                    continue
                hand = game["hands"][other]
                if system == "link":
                    due = ENVY_PER_DOLLAR.get(hand, 0) * game["bets"][seat]["progressive"]
                else:
                    due = ENVY.get(hand, 0) * 100
                if due:
                    lines.append((seat, other, due))
        return lines

    def do_open_round(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.who(actor, AT_TABLE)
        table = self.table_of(asked)
        if table["game_on"]:
            raise No("a round is under way")
        table["number"] += 1
        table["game_on"] = {
            "phase": "betting",
            "bets": {},
            "players": {},
            "deck": None,
            "started": False,
            "order": [],
            "wait": [],
            "dealt": 0,
            "hands": {},
            "community": False,
            "decided": set(),
            "folded": set(),
            "collected": set(),
            "gone": set(),
            "dealer_shown": False,
            "shown": set(),
            "pressed": set(),
            # Spots whose award was recorded or confirmed.
            "settled": set(),
            "envy_paid": False,
            # What a supervisor has to rule on, and what was seen of the cards.
            "reported": False,
            "exposed": set(),
            # The round before each step that may be taken back; None for other steps.
            "steps": [],
        }
        return {"round": f"{table['number']:06d}"}

    def do_end_earlier_game(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.at(actor, asked, OVER_IT)
        self.with_pin(actor, asked, OVER_IT)
        raise No("no earlier program was here")

    def do_undo(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.who(actor, AT_TABLE)
        table = self.table_of(asked)
        game = table["game_on"]
        if not game or not game["steps"] or game["steps"][-1] is None or game["reported"]:
            raise No("nothing to take back")
        text, before = game["steps"].pop()
        if before["phase"] != game["phase"]:
            game["steps"].append((text, before))
            raise No("the phase is over")
        table["game_on"] = {**before, "steps": game["steps"]}
        return {"undone": text}

    def do_round(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table = self.table_of(asked)
        game = table["game_on"]
        if not game:
            raise No("no round is under way")
        text = words(asked.get("text"), 1000)
        known = [(re.fullmatch(way, text), step, roles) for way, step, roles in self.steps()]
        fits = [(found.groups(), step, roles) for found, step, roles in known if found]
        if not fits:
            raise No("no step of a round, or not for people to say")
        parts, step, roles = fits[0]
        self.who(actor, roles)
        kind = text.split()[0]
        if kind in ("void", "rule"):
            self.with_pin(actor, asked, roles)
        if game["reported"] and kind not in ("rule", "void"):
            raise No("a supervisor rules first")
        if kind == "shuffle" and asked.get("from_shuffler", False) is not True:
            raise No("a deck of one's own (ACE-01)")
        before = None
        if kind in ("bets", "decide"):
            before = deepcopy({name: x for name, x in game.items() if name != "steps"})
        written = step(table, *parts) or text
        game["steps"].append(before and (written, before))
        phase = game["phase"]
        if phase in ("closed", "void"):
            table["last_deck"] = game["deck"][0] if game["deck"] else table["last_deck"]
            table["game_on"] = None
        return {"round": f"{table['number']:06d}", "phase": phase}

    def steps(self) -> list[tuple[str, Callable[..., Any], tuple[str, ...]]]:
        """How each step of a round is written, what it does, and who says it."""
        spot = "([1-9][0-9]?)"
        reasons = "(wrong_card_count|exposed_card|late_wager|shuffler_fault|ruling)"
        return [
            (f"bets {spot}(?: by ([^:]+))?: (.+)", self.step_bets, AT_TABLE),
            ("no more bets", self.step_no_more_bets, AT_TABLE),
            ("start game(?:: (.+))?", self.step_start, AT_TABLE),
            (
                "(shuffle ([0-9a-zA-Z]+) by ([^:]+), packets of ([0-9]): (.+))",
                self.step_shuffle,
                AT_TABLE,
            ),
            (f"deliver(?: ({spot[1:-1]}|dealer))?", self.step_deliver, AT_TABLE),
            (f"decide {spot}: ([a-z]+)", self.step_decide, AT_TABLE),
            ("collect forfeits", self.step_collect, AT_TABLE),
            ("reveal (dealer|community)", self.step_reveal, AT_TABLE),
            (f"reconcile(?: {spot})?", self.step_reconcile, AT_TABLE),
            (f"press {spot}: ([a-z_]+)", self.step_press, AT_TABLE),
            ("pay envy", self.step_envy, AT_TABLE),
            ("close", self.step_close, AT_TABLE),
            (f"void {reasons}: ?.*", self.step_void, OVER_IT),
            (f"exposed ({spot[1:-1]}|dealer): card {spot}", self.step_exposed, AT_TABLE),
            ("rule (play_on|void): (.+)", self.step_rule, OVER_IT),
        ]

    def phase(self, game: dict[str, Any], *phases: str) -> None:
        if game["phase"] not in phases:
            raise No("not in this phase")

    def step_bets(self, table: dict[str, Any], spot: str, player: str | None, said: str) -> str:
        game = table["game_on"]
        self.phase(game, "betting")
        seat, player = int(spot), player or ""
        if seat > table["seats"]:
            raise No("no such spot")
        bets: dict[str, int] = {}
        for part in [] if said == "none" else said.split(","):
            name, _, amount = part.strip().rpartition(" ")
            if name in bets or name not in WAGERS:
                raise No("no such bet, or twice")
            if not re.fullmatch(r"\d{1,9}(\.\d\d?)?", amount) or not D(amount):
                raise No("no amount")
            bets[name] = int(D(amount) * 100)
        rules = table["rules"]
        alone = "ante" in bets or ("pair-plus" in bets and rules.get("ante_mandatory") != "on")
        if bets and not alone:
            raise No("a base wager first (PGM-05)")
        if rules.get("table_maximum") == "progressive=10" and bets.get("progressive", 0) > 1_000:
            raise No("above the maximum (TCP-12)")
        if "progressive" in bets:
            if not table["link"]:
                raise No("no meter could pay it")
            if bets["progressive"] < table["carried"].get(seat, 0):
                raise No("less than was carried over (A-15)")
        if player and bets:
            held = [s for s, name in game["players"].items() if name == player and s != seat]
            two = rules.get("two_adjacent_positions") == "on"
            if held and (not two or len(held) > 1 or abs(held[0] - seat) != 1):
                raise No("one player, one spot (TCP-16)")
        game["bets"].pop(seat, None)
        game["players"].pop(seat, None)
        if bets:
            game["bets"][seat], game["players"][seat] = bets, player
        who = f" by {player}" if player else ""
        written = ", ".join(f"{name} {dollars_of(due)}" for name, due in bets.items())
        return f"bets {seat}{who}: {written or 'none'}"

    def step_no_more_bets(self, table: dict[str, Any]) -> None:
        game = table["game_on"]
        self.phase(game, "betting")
        if not game["bets"]:
            raise No("nobody has bet")
        game["phase"] = "no more bets"

    def step_start(self, table: dict[str, Any], said: str | None) -> None:
        game = table["game_on"]
        self.phase(game, "no more bets")
        order: list[int] = []
        for part in (said or "").split(", "):
            name, _, rest = part.partition(" ")
            if name == "pay":
                if not all(re.fullmatch("[0-9]+", one) for one in rest.split()):
                    raise No("no order")
                order = [int(one) for one in rest.split()]
            elif part and name not in ("single", "mega", "major", "minor"):
                raise No("no meter")
        if not table["link"]:
            raise No("no meter could pay it")
        link, lit = self.links[table["link"]], self.lit(game)
        if link["closed"] or set(link["limits"]) != set(link["queue"]):
            raise No("closed, or a threshold is missing (A-24)")
        if self.locked(link):
            raise No("the bank does not cover it (455)")
        controls = table["rules"].get("meter_pay_order") == "internal_controls"
        if not lit or game["started"] or sorted(order) != (lit if controls else []):
            raise No("nobody to start for, started, or not that order")
        game.update(started=True, order=order)
        self.take_wagers(table, link, game)

    def take_wagers(
        self, table: dict[str, Any], link: dict[str, Any], game: dict[str, Any]
    ) -> None:
        """What was carried over is on the meters already (A-15)."""
        tray, name, carried = f"tray:{table['name']}", table["link"], table["carried"]
        wagers = {seat: game["bets"][seat]["progressive"] for seat in self.lit(game)}
        taken = D(sum(bet - min(bet, carried.get(s, 0)) for s, bet in wagers.items()), 100)
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
        table.update(taken=True, house=taken - kept, pots=dict(link["pot"]))

    def step_shuffle(
        self,
        table: dict[str, Any],
        text: str,
        name: str,
        by: str,
        size: str,
        cards: str,
    ) -> None:
        game = table["game_on"]
        self.phase(game, "betting", "no more bets")
        if len(cards.split()) != 52 or len(set(cards.split())) != 52:
            raise No("no whole deck (ACE-06)")
        if by != "automatic" or size != "3" or name == table["last_deck"]:
            raise No("not shuffled for this round (TSB-01)")
        game["deck"] = (name, self.decks[text])

    def step_deliver(self, table: dict[str, Any], to: str | None) -> None:
        game = table["game_on"]
        self.phase(game, "no more bets", "dealing")
        if (self.lit(game) and not game["started"]) or not game["deck"]:
            raise No("START GAME and a deck first")
        playing = sorted(game["bets"])
        dealing = game["phase"] == "dealing"
        wait = game["wait"] if dealing else [*map(str, playing), "dealer"]
        if to is not None and to != wait[0]:
            raise No("not next")
        now = wait if to is None else wait[:1]
        game.update(phase="dealing", wait=wait[len(now) :], dealt=game["dealt"] + len(now))
        if game["wait"]:
            return
        game["hands"] = dict(zip(playing, game["deck"][1][len(playing)], strict=True))
        game["community"] = bool(self.lit(game)) and self.system(table) == "link"
        asked = any("ante" in bets for bets in game["bets"].values())
        game["phase"] = "decisions" if asked else "reveal"

    def step_decide(self, table: dict[str, Any], spot: str, what: str) -> None:
        game = table["game_on"]
        self.phase(game, "decisions")
        seat = int(spot)
        if what not in ("play", "fold") or "ante" not in game["bets"].get(seat, ()):
            raise No("nothing to decide")
        if seat in game["decided"]:
            raise No("that stands")
        game["decided"].add(seat)
        if what == "fold":
            game["folded"].add(seat)
        asked = {seat for seat, bets in game["bets"].items() if "ante" in bets}
        if game["decided"] == asked:
            game["phase"] = "reveal"

    def step_collect(self, table: dict[str, Any]) -> None:
        game = table["game_on"]
        self.phase(game, "reveal")
        taken = game["folded"] - game["collected"]
        if not taken:
            raise No("no forfeits")
        game["collected"] |= taken
        for seat in taken:
            bets = game["bets"][seat]
            plays_on = "progressive" in bets and self.counts(table, seat)
            stays = table["rules"].get("pair_plus_after_fold") == "stays"
            plays_on |= "six-card-bonus" in bets or (stays and "pair-plus" in bets)
            if not plays_on:
                game["gone"].add(seat)

    def step_reveal(self, table: dict[str, Any], what: str) -> None:
        game = table["game_on"]
        self.phase(game, "reveal")
        if game["folded"] - game["collected"]:
            raise No("forfeits first")
        if game["dealer_shown"] is (what == "dealer"):
            raise No("shown, or the dealer first (PML-09)")
        game["dealer_shown"] = True
        if what == "community" or not game["community"]:
            game["phase"] = "reconcile"
            game["wait"] = [s for s in sorted(game["bets"], reverse=True) if s not in game["gone"]]

    def step_reconcile(self, table: dict[str, Any], spot: str | None) -> None:
        game = table["game_on"]
        self.phase(game, "reconcile")
        if not game["wait"] or (spot is not None and int(spot) != game["wait"][0]):
            raise No("nobody waits, or not next")
        now = game["wait"] if spot is None else game["wait"][:1]
        game["wait"] = game["wait"][len(now) :]
        game["shown"] |= set(now)

    def step_press(self, table: dict[str, Any], spot: str, hand: str) -> None:
        game = table["game_on"]
        seat = int(spot)
        if not game["started"] or seat not in game["shown"]:
            raise No("not settled yet")
        pays = self.pay_of(table, seat)
        if pays is None or game["hands"][seat] != hand:
            raise No("the cards say otherwise")
        if seat in game["pressed"] and seat in game["settled"]:
            raise No("only an adjustment backs it out (PGM-16)")
        game["pressed"] ^= {seat}
        self.queue_up(table, self.actor)

    def all_done(self, table: dict[str, Any], game: dict[str, Any]) -> None:
        """Every hand settled, every winner pressed, every award recorded or confirmed."""
        self.phase(game, "reconcile")
        if game["wait"] or (game["started"] and (self.unpressed(table) or self.unpaid(table))):
            raise No("something is not done (PGM-15)")

    def step_envy(self, table: dict[str, Any]) -> None:
        game = table["game_on"]
        self.all_done(table, game)
        lines = self.envy_of(table) if game["started"] else []
        if not lines:
            raise No("none is due")
        if any(to != of for to, of, _ in self.unseen(table)):
            raise No("not verified on camera")
        table["envy"] = D(sum(due for _, _, due in lines), 100)
        self.pay("envy", f"tray:{table['name']}", table["envy"])
        game["envy_paid"] = True

    def step_close(self, table: dict[str, Any]) -> None:
        game = table["game_on"]
        self.all_done(table, game)
        if game["started"]:
            if self.envy_of(table) or table["key"] != "run":
                raise No("envy, or the key (PGM-14)")
            if self.unseen(table):
                raise No("a fixed pay is not verified on camera")
            self.pay_fixed(table, self.links[table["link"]])
            self.sweep(table)
            # What was carried over is used up where it was played.
            table["carried"] = {
                s: due for s, due in table["carried"].items() if s not in self.lit(game)
            }
        game["phase"] = "closed"

    def pay_fixed(self, table: dict[str, Any], link: dict[str, Any]) -> None:
        """From the tray, or off the meter where all pays are (PGM-09, PRC-01)."""
        tray, level = f"tray:{table['name']}", LEVELS[link["code"]][-1]
        for _, due in self.fixed(table):
            given = 0
            if link["all_off"]:
                given = self.most_given(table["link"], level, due)
                self.pay(f"meter:{table['link']}:{level}", tray, D(given, 100))
            self.pay("payouts", tray, D(due - given, 100))

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

    def step_void(self, table: dict[str, Any], reason: str) -> None:
        game = table["game_on"]
        if reason == "wrong_card_count" and not game["dealt"]:
            raise No("no cards were dealt")
        if game["settled"]:
            raise No("something was recorded or confirmed")
        if game["started"]:
            self.void_wagers(table, game)
        game["phase"] = "void"

    def void_wagers(self, table: dict[str, Any], game: dict[str, Any]) -> None:
        """Wagers back, or carried over by option; envy comes back in any case (A-15)."""
        name, tray = table["link"], f"tray:{table['name']}"
        link, moved, pots = self.links[name], table["moved"], table["pots"]
        game["pressed"] = set()
        self.queue_up(table, "")
        self.pay(tray, "envy", table["envy"])
        if table["rules"].get("void_progressive") == "carry_to_next_round":
            for seat in self.lit(game):
                table["carried"][seat] = game["bets"][seat]["progressive"]
            self.sweep(table)
            return
        for level, parts in moved:
            # What was won since, or somebody waits for, the house makes good.
            there = self.all_paid(name, level, parts["meter"], parts["reserve"])
            there = there and self.on("overflow", name, level) >= parts["overflow"]
            there = there and link["pot"][level] == pots[level]
            for kind, dollars in parts.items():
                self.pay(f"{kind}:{name}:{level}" if there else "house", tray, dollars)
        self.pay("house", tray, table["house"])
        self.sweep(table)

    def step_exposed(self, table: dict[str, Any], place: str, card: str) -> None:
        game = table["game_on"]
        dealt = [*map(str, sorted(game["bets"])), "dealer"][: game["dealt"]]
        up = game["dealer_shown"] if place == "dealer" else int(place) in game["shown"]
        if place not in dealt or int(card) > 3 or up or (place, card) in game["exposed"]:
            raise No("no such card lies there face down")
        game["exposed"].add((place, card))
        game["reported"] = True

    def step_rule(self, table: dict[str, Any], ruling: str, why: str) -> None:
        game = table["game_on"]
        if not game["reported"] or not why.strip():
            raise No("nothing to rule on, or no reason")
        if ruling == "void":
            self.step_void(table, "ruling")
        game["reported"] = False

    # Awards: confirmed by card, or recorded by J-POT and taken off by the key.

    def do_call_supervisor(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.who(actor, AT_TABLE)
        table = self.table_of(asked)
        why, text = asked.get("reason", "award"), asked.get("text", "")
        if why not in CALLS or why in table["calls"]:
            raise No("no such reason, or called for it already")
        game = table["game_on"]
        if why == "award" and not (game and game["started"] and game["pressed"]):
            raise No("no hand is pressed")
        if type(text) is not str or len(text) > 400 or (why == "other" and not text.strip()):
            raise No("no text")
        table["calls"][why] = (text.strip(), actor)
        return {"called": True}

    def do_answer_call(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        self.who(actor, OVER_IT)
        table = self.table_of(asked)
        named = [asked["reason"]] if "reason" in asked else list(table["calls"])
        if len(named) != 1 or named[0] not in CALLS or named[0] not in table["calls"]:
            raise No("not called for that, or for more than one thing")
        game = table["game_on"]
        waits = game and game["started"] and set(self.unpaid(table)) & game["pressed"]
        if named[0] == "award" and waits:
            raise No("an award waits for it")
        del table["calls"][named[0]]
        return {"table": table["name"], "reason": named[0]}

    def approve(
        self, actor: str, table: dict[str, Any], asked: dict[str, Any], log: bool
    ) -> tuple[dict[str, Any], list[Any]]:
        """What is confirmed, when this person may and everything is done for it."""
        game, seat = table["game_on"], self.seat(table, asked)
        if game["reported"] or game["phase"] != "reconcile" or seat not in game["pressed"]:
            raise No("not that one, or not yet")
        if self.unpaid(table)[:1] != [seat]:
            raise No("not its turn")
        if "award" not in table["calls"]:
            raise No("nobody was called")
        one, queue = self.fix(table, seat, log)
        person, chose = self.people[actor], self.people[one["by"]]
        if asked.get("pin_held") is not True or person["person"] == chose["person"]:
            raise No("no PIN, or the own choice")
        limit = self.links[table["link"]]["limits"][self.pay_of(table, seat)[0]]
        # Game Manager knows the key only.
        large = not log and cents(one["dollars"]) >= limit
        if large and person["role"] != "executive":
            raise No("an executive's (PNX-14)")
        needed = {"hand_seen", "wager_lit", "amount", "deck_counted"}
        needed |= {"surveillance"} if large else set()
        checks = asked.get("checklist", {})
        if type(checks) is not dict or any(checks.get(check) is not True for check in needed):
            raise No("not everything is checked")
        return one, queue

    def page_for(
        self, actor: str, table: dict[str, Any], one: dict[str, Any], status: str
    ) -> dict[str, Any]:
        link, level = self.links[table["link"]], self.pay_of(table, one["seat"])[0]
        link["pages"] += 1
        link["of_page"][link["pages"]] = level
        award = {
            "page": link["pages"],
            "round": table["number"],
            "seat": one["seat"],
            "hand": one["hand"],
            "level": level,
            "whole": one["whole"],
            "dollars": one["dollars"],
            "status": status,
            "confirmed": self.people[actor]["person"],
            "verified": False,
        }
        table["awards"].append(award)
        table["game_on"]["settled"].add(one["seat"])
        table["game_on"]["steps"].append(None)
        return award

    def off_the_meter(self, table: dict[str, Any], award: dict[str, Any]) -> None:
        """The award leaves the meter, which starts again after a whole one."""
        name, level = table["link"], award["level"]
        link, own = self.links[name], (table["name"], award["seat"])
        link["queue"][level] = [
            one for one in link["queue"][level] if (one["table"], one["seat"]) != own
        ]
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
        moved = {x: now - before.get(x, D(0)) for x, now in self.books.items()}
        award.update(status="confirmed", moved=moved)

    def told(self, award: dict[str, Any]) -> dict[str, Any]:
        return {
            "position": award["seat"],
            "amount_cents": cents(award["dollars"]),
            "page": award["page"],
        }

    def do_confirm_award(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.in_play(actor, asked, OVER_IT)
        if self.system(table) == "game_manager":
            raise No("by the key")
        one, queue = self.approve(actor, table, asked, log=False)
        award = self.page_for(actor, table, one, "confirmed")
        self.links[table["link"]]["queue"][award["level"]] = queue
        self.off_the_meter(table, award)
        return self.told(award)

    def do_press_jackpot(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.in_play(actor, asked, OVER_IT)
        if self.system(table) != "game_manager" or table["key"] != "jph":
            raise No("the key first (PGM-13)")
        if any(award["status"] == "recorded" for award in table["awards"]):
            raise No("RUN first (PGM-14)")
        one, queue = self.approve(actor, table, asked, log=True)
        award = self.page_for(actor, table, one, "recorded")
        self.links[table["link"]]["queue"][award["level"]] = queue
        return self.told(award)

    def do_turn_key(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, _ = self.in_play(actor, asked, OVER_IT)
        to = asked["to"]
        if self.system(table) != "game_manager" or asked.get("pin_held") is not True:
            raise No("no key here, or no PIN")
        if to not in ("jph", "run") or to == table["key"]:
            raise No("not that way")
        waits = [award for award in table["awards"] if award["status"] == "recorded"]
        if to == "jph" or not waits:
            table["key"] = to
            return {"key": to}
        self.fix(table, waits[0]["seat"], log=False)
        table["key"] = to
        self.off_the_meter(table, waits[0])
        return {"key": "run", **self.told(waits[0])}

    # Over $3,000 surveillance looks first (320(4)).

    def unseen(self, table: dict[str, Any]) -> list[tuple[int, int, int]]:
        """Payments of the round that nobody has verified: to a spot, for a spot, of so much."""
        game = table["game_on"]
        if not game or not game["started"]:
            return []
        due = [*self.envy_of(table), *((seat, seat, won) for seat, won in self.fixed(table))]
        return sorted(one for one in due if one[2] > CAMERA and one not in table["seen"])

    def do_check_on_camera(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        table, link = self.at(actor, asked, ("surveillance",))
        self.with_pin(actor, asked, ("surveillance",))
        looked = asked.get("seen", {})
        if type(looked) is not dict or any(looked.get(it) is not True for it in SEEN):
            raise No("not all of it was seen")
        if "page" in asked:
            return self.award_seen(actor, table, self.page_of(link, asked))
        table, _ = self.in_play(actor, asked, ("surveillance",))
        seat = self.seat(table, asked)
        of = self.seat(table, asked, "from") if "from" in asked else seat
        found = [one for one in self.unseen(table) if one[:2] == (seat, of)]
        if not found:
            raise No("nothing to verify")
        table["seen"] |= set(found)
        return {"page": 0, "position": seat, "from": of, "cents": found[0][2]}

    def award_seen(self, actor: str, table: dict[str, Any], page: int) -> dict[str, Any]:
        found = [award for award in table["awards"] if award["page"] == page]
        if not found or found[0]["verified"] or cents(found[0]["dollars"]) <= CAMERA:
            raise No("nothing to verify")
        award = found[0]
        if award["confirmed"] == self.people[actor]["person"]:
            raise No("the own confirmation")
        award["verified"] = True
        award["looked"] = self.people[actor]["person"]
        return {
            "link": table["link"],
            "page": page,
            "position": award["seat"],
            "from": award["seat"],
            "cents": cents(award["dollars"]),
        }

    def do_pay_award(self, actor: str, asked: dict[str, Any]) -> dict[str, Any]:
        """Also long after its round."""
        table, link = self.at(actor, asked, (*OVER_IT, "cage"))
        self.with_pin(actor, asked, (*OVER_IT, "cage"))
        page = self.page_of(link, asked)
        found = [x for x in table["awards"] if x["page"] == page and x["status"] == "confirmed"]
        if not found:
            raise No("nothing to pay")
        award, method = found[0], asked.get("method", "chips")
        due = cents(award["dollars"])
        if due > CAMERA and not award["verified"]:
            raise No("not verified on camera")
        if award.get("looked") == self.people[actor]["person"]:
            raise No("the own verification")
        answer = {
            "link": table["link"],
            "page": page,
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
            link["cheques"][page] = (award["dollars"], until)
            answer["due"] = until.isoformat(timespec="microseconds")
        else:
            raise No("neither chips nor a cheque that may be asked for")
        table["awards"].remove(award)
        return answer
