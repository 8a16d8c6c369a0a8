"""Choice: the dealer shows who has won, and takes it back."""

from dataclasses import asdict

from houseway.floor import request
from houseway.floor.line import in_line
from houseway.floor.link import Pending
from houseway.floor.live_round import round_of
from houseway.floor.post import Post, lit_at
from houseway.floor.table import Award, Light, in_order, read_hand, share_of, table_stream
from houseway.games.base import Outcome, net_cents
from houseway.games.progressive import award as judged
from houseway.games.progressive import describe, judge, starts_again
from houseway.journal.event import Command, Draft, Entry
from houseway.journal.state import State
from houseway.refusal import Reason, Refused


def choose_spot(state: State, command: Command) -> Entry:
    """The spot is chosen before the hand (PNX-12, PML-11)."""
    post = Post(state, command)
    post.started()
    if not post.profile.spot_first:
        raise Refused(
            Reason.WRONG_PHASE,
            f"{post.profile.name} has hand buttons only",
            post.profile.hand_clause,
        )
    position = request.position(command, post.table.positions)
    lit_at(post, position)
    return Entry(
        events=[post.draft("spot_chosen", {"position": position})], answer={"spot": position}
    )


def press_hand(state: State, command: Command) -> Entry:
    """The hand is pressed; pressed again it is taken back (PGM-11, PNX-12, PML-11)."""
    post = Post(state, command)
    post.started()
    if post.profile.spot_first:
        position = post.table.spot
        if not position:
            raise Refused(Reason.OUT_OF_ORDER, "no spot is chosen; choose the spot first", "PNX-12")
    else:
        position = request.position(command, post.table.positions)
    light = lit_at(post, position)
    hand = read_hand(command.arguments.get("hand"), post.paytable)
    name = str(command.arguments["hand"])
    before = post.table.award_at(position)
    if before is not None and before.status != "chosen":
        raise Refused(
            Reason.WRONG_PHASE,
            f"the award at position {position} is {before.status}; only a manual adjustment can "
            "back it out",
            post.profile.adjust_clause,
        )
    if any(hit == position for _, hit in post.table.envy_paid):
        raise Refused(
            Reason.WRONG_PHASE,
            f"envy was paid for the hand at position {position}; it stays",
            post.profile.envy_clause,
        )
    _check_cards(post, position, hand)
    verdict = judged(hand, post.paytable, post.options, folded=light.folded)
    if verdict.outcome is Outcome.FORFEIT:
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"position {position} folded, and here a folded hand does not win the progressive",
            verdict.clause,
        )
    if before is not None and before.hand == name:
        return _clear(post, position)
    share = share_of(name, post.paytable)
    chosen = Award(
        position=position,
        hand=name,
        level=None if share is None else share.level,
        whole=share is not None and starts_again(share, light.cents, post.options),
        amount_cents=0 if share is not None else _fixed_cents(post, hand, light),
        by=command.actor,
    )
    others = [award for award in post.table.awards if award.position != position]
    waits = waiting(post, [*others, chosen])
    own = _own_amounts(post, waits).get(position, chosen.amount_cents)
    data = {
        "position": position,
        "hand": name,
        "level": chosen.level,
        "whole": chosen.whole,
        "amount_cents": own,
        "by": command.actor,
    }
    return Entry(
        events=[post.draft("hand_chosen", data), *changes(post, waits)],
        answer={"position": position, "hand": name, "amount_cents": own, "on": True},
    )


def _check_cards(post: Post, position: int, hand: int) -> None:
    """Refuse a hand that the cards of a live round do not make, or before they are settled."""
    under_way = round_of(post.table)
    if under_way is None or under_way.over:
        return
    seat = under_way.seat(position)
    if not seat.settled("progressive"):
        raise Refused(
            Reason.WRONG_PHASE,
            f"the cards of position {position} are not settled yet; settle them first",
            post.profile.hand_clause,
        )
    if judge(seat.cards, under_way.community, post.paytable) != hand:
        made = describe(seat.cards, under_way.community, post.paytable)
        raise Refused(
            Reason.DECISION_NOT_ALLOWED,
            f"the cards at position {position} are {made}; choose that hand or none",
            post.profile.hand_clause,
        )


def _clear(post: Post, position: int) -> Entry:
    """Take a chosen hand back: what it would have won is free again."""
    others = [award for award in post.table.awards if award.position != position]
    return Entry(
        events=[
            post.draft("hand_cleared", {"position": position}),
            *changes(post, waiting(post, others)),
        ],
        answer={"position": position, "on": False},
    )


def _fixed_cents(post: Post, hand: int, light: Light) -> int:
    verdict = judged(hand, post.paytable, post.options, folded=light.folded)
    return net_cents(verdict, light.cents) + light.cents


def waiting(post: Post, awards: list[Award]) -> list[Pending]:
    """What waits on the link once these are the awards of the table."""
    chosen = in_order(
        post.table, [a for a in awards if a.level is not None and a.status == "chosen"]
    )
    found: list[Pending] = []
    for level in post.paytable.levels:
        wanted = [
            Pending(
                table=post.table.name,
                round=post.table.round,
                position=award.position,
                level=level,
                hand=award.hand,
                wager_cents=post.table.lights[award.position].cents,
                amount_cents=award.amount_cents,
                whole=award.whole,
            )
            for award in chosen
            if award.level == level
        ]
        found += in_line(post.state, post.link, level, post.table.name, wanted)
    return found


def _own_amounts(post: Post, waits: list[Pending]) -> dict[int, int]:
    return {p.position: p.amount_cents for p in waits if p.table == post.table.name}


def changes(post: Post, waits: list[Pending]) -> list[Draft]:
    """What is written when other awards wait than before, at each table whose amounts change."""
    if tuple(waits) == post.link.pending:
        return []
    before = {(p.table, p.position): p.amount_cents for p in post.link.pending}
    amounts: dict[str, dict[str, int]] = {}
    for pending in waits:
        was = before.get((pending.table, pending.position))
        if was is not None and was != pending.amount_cents:
            of_table = amounts.setdefault(pending.table, {})
            of_table[str(pending.position)] = pending.amount_cents
    drafts = [
        Draft(
            stream=table_stream(table),
            kind="amounts_changed",
            data={"amounts": changed, "through": post.table.name},
        )
        for table, changed in sorted(amounts.items())
    ]
    data = {"through": post.table.name, "pending": [asdict(pending) for pending in waits]}
    return [*drafts, post.link_draft("award_waits", data)]


DECIDERS = {
    "choose_spot": choose_spot,
    "press_hand": press_hand,
}
