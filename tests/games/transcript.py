"""Transcripts: a settled seat as a pit boss would write it down.

    player:  Qs Qd 7h
    dealer:  Kh 9c 4d
    bets:    ante 10, pair-plus 5
    =>       play win +10, ante win +10, pair-plus win +5

Amounts are dollars; a clause may follow an amount, 'play win +10 TCP-07'. Further headings: fold,
deck, decisions, community, meter, other, folded other, own other, paytable, option. A split hand
is written 'blackjack 1' and 'blackjack 2'.
"""

from typing import Any

from houseway import Settlement, settle
from houseway.house.money import dollars_text, parse_amount


def check(game: str, transcript: str) -> Settlement:
    """Settle what the transcript describes and hold it against what it says."""
    headings, expected = _read(transcript)
    result = settle(game, **headings)
    got = [
        f"{line.bet}{'' if line.hand is None else f' {line.hand}'} {line.outcome} "
        f"{_plain(line.net)}"
        for line in result.lines
    ]
    wanted = [" ".join(text.split()) for text in expected]
    cited = [f"{text} {line.clause}" for text, line in zip(got, result.lines, strict=True)]
    assert len(got) == len(wanted), f"settled as {', '.join(cited)}"
    for plain, with_clause, want in zip(got, cited, wanted, strict=True):
        assert want in (plain, with_clause), f"settled as {', '.join(cited)}"
    assert result.net == sum(line.net for line in result.lines)
    return result


def check_all(game: str, transcripts: str) -> None:
    """Check several transcripts with blank lines between."""
    for transcript in transcripts.strip().split("\n\n"):
        check(game, transcript)


def _read(transcript: str) -> tuple[dict[str, Any], list[str]]:
    call: dict[str, Any] = {"options": {}, "paytables": []}
    described, _, outcome = transcript.strip().partition("=>")
    expected = [part.strip() for part in outcome.split(",")]
    for line in described.strip().splitlines():
        text = line.strip()
        heading, _, value = (part.strip() for part in text.partition(":"))
        match heading:
            case "player" | "dealer" | "deck" | "community":
                call[heading] = value
            case "fold" | "play":
                call["decision"] = heading
            case "decisions":
                call["decisions"] = value.split(", ")
            case "bets":
                call["bets"] = dict(_bet(part) for part in value.split(", "))
            case "meter":
                call["meter"] = _meter(value)
            case "other":
                call.setdefault("others", []).append(value)
            case "folded other":
                call.setdefault("folded_others", []).append(value)
            case "own other":
                call.setdefault("own_others", []).append(value)
            case "option":
                name, _, chosen = value.partition("=")
                call["options"][name] = chosen
            case "paytable":
                bet, equals, code = value.partition("=")
                call["paytables"].append((bet, code) if equals else (None, value))
            case _:
                raise ValueError(f"heading {heading!r} is unknown")
    return call, expected


def _bet(text: str) -> tuple[str, int]:
    name, amount = text.strip().split()
    return name, parse_amount(amount)


def _meter(text: str) -> int | dict[str, int]:
    if "=" not in text:
        return parse_amount(text, zero=True)
    return {
        level: parse_amount(amount, zero=True)
        for level, _, amount in (part.strip().partition("=") for part in text.split(", "))
    }


def _plain(cents: int) -> str:
    text = dollars_text(cents, sign=True).replace("$", "").replace(",", "")
    return text.removesuffix(".00")
