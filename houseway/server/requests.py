"""Requests: what a screen may send, one strict model for each command.

Shapes only: what may be done, and by whom, is for the floor to say.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from houseway.floor.card_stock import Material, Size

LARGEST = 10**15


def _whole(value: Any) -> Any:
    """JSON has one kind of number: 7.0 is the whole number 7."""
    return int(value) if type(value) is float and value.is_integer() else value


WHOLE = BeforeValidator(_whole)
Cents = Annotated[int, Field(ge=-LARGEST, le=LARGEST, description="Cents."), WHOLE]
Position = Annotated[int, Field(ge=0, le=99, description="From 1 at the dealer's far left."), WHOLE]
Count = Annotated[int, Field(ge=0, le=LARGEST), WHOLE]
WinPage = Annotated[int, Field(ge=1, le=10**9, description="The number of a win page."), WHOLE]
STEERING = r"\x00-\x1f\x7f-\x9f"
"""Characters that steer a terminal, or that a database cannot hold."""
UNSEEN = r"\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
"""Characters that nobody sees, or that turn the direction of the text around them."""
PLAIN = f"^[^{STEERING}{UNSEEN}]*$"
BLANK = r"\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
"""Letters without ink: with one behind it a name looks like another's, and is not the same."""
NAMED = f"^[^{STEERING}{UNSEEN}{BLANK}]*$"
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=NAMED)]
Words = Annotated[str, Field(max_length=400, pattern=PLAIN)]
Card = Annotated[
    str, Field(min_length=1, max_length=60, pattern=NAMED, description="The number of a card.")
]
Pin = Annotated[str, Field(min_length=1, max_length=12, pattern=PLAIN)]
Key = Annotated[
    str,
    Field(
        min_length=8,
        max_length=90,
        pattern=r"^[!-~]+$",
        description="Made by the sender before the first try, and the same for every try.",
    ),
]
Checks = Annotated[dict[Name, bool], Field(max_length=10)]


class Body(BaseModel):
    """Nothing unknown, nothing converted."""

    model_config = ConfigDict(strict=True, extra="forbid")


class SignIn(Body):
    """Card, PIN, and the code of the second factor where one is asked for."""

    card: Card
    pin: Pin
    code: Annotated[str, Field(max_length=10)] = ""


class SetUp(Body):
    """The first administrator."""

    token: Annotated[str, Field(max_length=100)]
    card: Card
    name: Name
    pin: Pin


class OfTable(Body):
    """For a table."""

    table: Name


class OfPosition(OfTable):
    """For a spot of a table."""

    position: Position


class OfLink(Body):
    """For a link."""

    link: Name


class OfCard(Body):
    """For a card."""

    card: Card


class CallSupervisor(OfTable):
    """A supervisor who is called to a table, and what for; `other` says it in its text."""

    reason: Name = "award"
    text: Words = ""


class AnswerCall(OfTable):
    """A call that is answered; without a reason the only one that is open."""

    reason: Name | None = None


class Confirm(OfPosition):
    """An award, with what was checked."""

    checklist: Checks


class TurnKey(OfTable):
    """The key of a Game Manager."""

    to: Literal["jph", "run"]


class Camera(OfTable):
    """A large payment as surveillance has seen it: the award of a page, or a pay of the round."""

    page: WinPage | None = None
    position: Position | None = None
    of: Position | None = Field(default=None, alias="from")
    seen: Checks


class PayAward(OfTable):
    """The prize of a win page that is handed over."""

    page: WinPage
    reference: Name
    method: Literal["chips", "cheque"] = "chips"


class Reasoned(OfTable):
    """Something that takes a reason."""

    reason: Words


class Round(OfTable):
    """A line of a round file."""

    text: Annotated[str, Field(min_length=1, max_length=1000, pattern=PLAIN)]
    replacement: Name | None = Field(
        default=None, description="The shuffler that comes, by serial, with step 3 of seven_steps."
    )
    broken: Name | None = Field(
        default=None, description="The shuffler that goes, where more than one stands there."
    )


class IssueCard(OfCard):
    """A card for a person; for a known name, whether it is the same person's or another's."""

    name: Name
    role: Name
    new_pin: Pin
    same_person_as: Card | None = Field(
        default=None, description="A card that the same person holds already."
    )
    another_person: bool = Field(
        default=False, description="True for somebody else of a name that is known."
    )


class UnlockCard(OfCard):
    """A card that is locked, with a new PIN: another than before."""

    new_pin: Pin


class MeterSettings(Body):
    """How a meter grows and starts again."""

    contribution_ppm: Count
    reserve_ppm: Count = 0
    meter_seed_cents: Count = 0
    cap_cents: Count | None = None


Meters = Annotated[dict[Name, MeterSettings], Field(max_length=5)]
Options = Annotated[dict[Name, Words], Field(max_length=100)]
Paytables = Annotated[dict[Name, Name], Field(max_length=20)] | Name
"""Codes by bet, or a designator that stands for several."""


class MakeLink(OfLink):
    """A link with its meters."""

    progressive: Name
    paytable: Name
    meters: Annotated[Meters, Field(description="As pre-configured where none are given.")] = {}
    options: Options = {}
    all_from_meter: bool = False
    deposits: Literal["weekly", "not_asked"] = "weekly"
    notice_posted: bool = False
    second: Card | None = None


class ChangeSettings(OfLink):
    """New settings for the meters of a link."""

    meters: Meters
    options: Options = {}
    reason: Words = ""
    notice_posted: bool = False
    second: Card | None = None


class LinkPriceAsked(Body):
    """Settings of a link that are not yet sent: of one that stands, or of one to be made."""

    link: Name | None = None
    progressive: Name = ""
    paytable: Name = ""
    meters: Meters
    all_from_meter: bool = False


class AcknowledgeClock(Body):
    """A jump of the machine's clock that an administrator has seen."""

    text: Words


class CorrectTime(Body):
    """The floor's time set right; to the machine's clock unless a time is given."""

    reason: Words
    second: Card
    time: Annotated[str, Field(max_length=40, pattern=PLAIN)] | None = None


class Thresholds(OfLink):
    """From which amount an executive confirms."""

    thresholds: Annotated[dict[Name, Cents], Field(max_length=5)]


class MakeTable(OfTable):
    """A table of a game."""

    game: Name
    positions: Position = 7
    options: Options = {}
    paytables: Paytables = {}
    deck: Literal["virtual", "physical"] = "virtual"


class ChangeTable(OfTable):
    """New options and paytables of a closed table."""

    options: Options = {}
    paytables: Paytables = {}


class JoinLink(OfTable):
    """A table that is to play for a link."""

    link: Name


class CloseLink(OfLink):
    """Why a link takes no wagers."""

    cause: Literal["seized", "fault", "other"] = "other"
    why: Words


class Deposit(OfLink):
    """The balance in the bank."""

    balance_cents: Cents
    reference: Name


class OfPage(OfLink):
    """A win page."""

    page: Count


class Cheque(OfLink):
    """A cheque that is handed over, for a win page or for a slip."""

    page: Count | None = None
    slip: Count | None = None
    reference: Name


class Adjust(OfLink):
    """A manual adjustment of a meter."""

    level: Name
    cents: Cents
    reason: Name
    text: Words
    second: Card
    page: Count | None = None


class PayAdjustment(OfTable):
    """The amount that an adjustment found for a winner."""

    slip: Count
    reference: Name
    method: Literal["chips", "cheque"] = "chips"
    second: Card | None = None
    seen: Checks = {}


Day = Annotated[str, Field(max_length=10, pattern=PLAIN, description="Such as 2024-01-31.")]


class Paper(Body):
    """An approval or a licence: its reference, its first day, and its last where it has one."""

    reference: Name
    day: Day
    until: Annotated[Day, Field(description="The last day; empty where it has none.")] = ""


class RecordPaper(Paper):
    """A paper of the jurisdiction."""

    paper: Name


class ApproveRules(Paper):
    """The rules that a table plays now, or those to come once waiting settings begin."""

    table: Name
    waiting: Annotated[
        bool, Field(description="True for the rules with the settings that wait at the link.")
    ] = False


class RecordMaker(Body):
    """A maker with its licences."""

    maker: Name
    state: Paper | None = None
    tribe: Paper | None = None


Version = Annotated[
    str, Field(max_length=60, pattern=PLAIN, description="Such as 6.6 build 520 or 6.5.6SP.")
]


class Display(Body):
    """A progressive display: whether it can be on a network, and whether it takes input."""

    name: Name
    network: bool
    input: bool


class ApproveModel(Paper):
    """A model that the Commission has approved; `until` is its last day, where it has one."""

    kind: Literal["shuffler", "progressive", "layout"]
    maker: Name
    model: Name
    until: Day = ""


class RecordEquipment(Body):
    """A piece of equipment."""

    serial: Name
    kind: Literal["shuffler", "progressive", "layout"]
    model: Name
    maker: Name
    sold: Day
    version: Version = ""
    parts: Annotated[dict[Name, Version], Field(max_length=20)] = {}
    display: Display | None = None
    notes: Words = ""


class RecordRepair(Body):
    """Equipment that was out of service and works again."""

    serial: Name
    reference: Name


class OpenTable(OfTable):
    """A table that opens, with its equipment."""

    equipment: Annotated[list[Name], Field(max_length=6)] = []


class ChangeCards(OfTable):
    """New cards at a table."""

    material: Material
    size: Size
    reason: Words


Pieces = Annotated[
    dict[Annotated[str, Field(pattern=r"^[0-9]{1,7}$")], Count],
    Field(max_length=30, description="Pieces by denomination in cents."),
]


class Counted(Body):
    """Chips by denomination, and what they come to."""

    count: Pieces
    total_cents: Cents


class CountTray(Counted, OfTable):
    """The opener or closer of a table, with who signs beside the sender."""

    second: Card
    reason: Words = ""


class RequestSlip(Counted, OfTable):
    """Chips for a table, or from it."""

    kind: Literal["fill", "credit"]


class OfSlip(Body):
    """A slip, and who signs beside the sender where two do."""

    slip: Count
    second: Card | None = None


class VoidSlip(Body):
    """A slip that comes to nothing."""

    slip: Count
    second: Card
    reason: Words


class DropBox(OfTable):
    """The box of a table, with who carries it beside the sender."""

    second: Card


class CountDrop(Counted):
    """The count of a box, with the person who counted beside the sender."""

    box: Count
    second: Card


class Shift(Body):
    """A part of the day."""

    name: Name
    begins: Name


class SetClock(Body):
    """Where the floor is, and how it divides its time."""

    time_zone: Name
    day_begins: Name
    shifts: Annotated[list[Shift], Field(max_length=6)] = []


class SetPace(Body):
    """Rounds an hour that are looked for in a game."""

    game: Name
    low: Count
    high: Count


class Alert(Body):
    """An alert that somebody has seen."""

    alert: Annotated[str, Field(min_length=1, max_length=200, pattern=PLAIN)]
    note: Words = ""


class Nothing(Body):
    """No arguments."""


ARGUMENTS: dict[str, type[Body]] = {
    "open_round": OfTable,
    "shuffle": OfTable,
    "round": Round,
    "undo": OfTable,
    "call_supervisor": CallSupervisor,
    "answer_call": AnswerCall,
    "confirm_award": Confirm,
    "turn_key": TurnKey,
    "press_jackpot": Confirm,
    "check_on_camera": Camera,
    "pay_award": PayAward,
    "end_earlier_game": Reasoned,
    "adjust": Adjust,
    "pay_adjustment": PayAdjustment,
    "record_deposit": Deposit,
    "hand_cheque": Cheque,
    "reprint_page": OfPage,
    "issue_card": IssueCard,
    "unlock_card": UnlockCard,
    "withdraw_card": OfCard,
    "make_link": MakeLink,
    "set_thresholds": Thresholds,
    "change_settings": ChangeSettings,
    "close_link": CloseLink,
    "open_link": OfLink,
    "make_table": MakeTable,
    "change_table": ChangeTable,
    "open_table": OpenTable,
    "close_table": OfTable,
    "change_cards": ChangeCards,
    "acknowledge_clock": AcknowledgeClock,
    "correct_time": CorrectTime,
    "record_paper": RecordPaper,
    "approve_rules": ApproveRules,
    "record_maker": RecordMaker,
    "approve_model": ApproveModel,
    "record_equipment": RecordEquipment,
    "record_repair": RecordRepair,
    "join_link": JoinLink,
    "leave_link": OfTable,
    "count_opener": CountTray,
    "count_closer": CountTray,
    "request_slip": RequestSlip,
    "send_slip": OfSlip,
    "receive_slip": OfSlip,
    "void_slip": VoidSlip,
    "drop_box": DropBox,
    "count_drop": CountDrop,
    "set_clock": SetClock,
    "set_pace": SetPace,
    "set_checkpoint": Nothing,
    "acknowledge": Alert,
}
"""The commands that a screen may send, with their arguments."""


class PeriodAsked(BaseModel):
    """Of which days something is; nothing is the present day."""

    model_config = ConfigDict(extra="forbid")

    first: Annotated[str, Field(max_length=10, pattern=PLAIN)] = ""
    last: Annotated[str, Field(max_length=10, pattern=PLAIN)] = ""
    table: Annotated[str, Field(max_length=60, pattern=PLAIN)] = ""
    shift: Annotated[str, Field(max_length=20, pattern=PLAIN)] = ""
    group: Annotated[str, Field(max_length=20, pattern=PLAIN)] = ""


class ReportAsked(PeriodAsked):
    """A report, on a screen or as a file."""

    format: Literal["json", "csv", "jsonl", "parquet", "pdf"] = "json"


class ChartAsked(PeriodAsked):
    """A report as a picture."""

    theme: Literal["light", "dark"] = "light"


class Asked(Body):
    """The fields of every command: a key, and PINs where they are asked for."""

    name: str
    arguments: Body
    key: Key
    expects: Annotated[
        dict[Name, Count],
        Field(max_length=20, description="Versions of tables and links that the sender has seen."),
    ] = {}
    pin: Pin | None = None
    second_pin: Pin | None = None

    def given(self) -> dict[str, Any]:
        """The arguments as the floor takes them; what was not said is left out."""
        return self.arguments.model_dump(by_alias=True, exclude_none=True)


def _model(name: str, arguments: type[Body]) -> type[Asked]:
    title = "".join(part.title() for part in name.split("_"))
    fields: dict[str, Any] = {"name": (Literal[name], ...), "arguments": (arguments, ...)}
    return create_model(f"{title}Command", __base__=Asked, __doc__=arguments.__doc__, **fields)


MODELS: dict[str, type[Asked]] = {name: _model(name, of) for name, of in ARGUMENTS.items()}
