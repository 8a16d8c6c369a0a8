"""Views of streams: what the data of a message is, by the kind of its topic."""

from typing_extensions import TypedDict

from houseway.server.views.audit import TrailEvent
from houseway.server.views.cage import Cage
from houseway.server.views.console import Console
from houseway.server.views.inbox import Inbox
from houseway.server.views.lobby import Lobby
from houseway.server.views.pit import Pit
from houseway.server.views.practice import PracticeView
from houseway.server.views.sign import Sign


class Topics(TypedDict):
    """What is sent of a topic such as `table:T1` or `lobby`: the whole view; of events each one."""

    lobby: Lobby
    inbox: Inbox
    table: Console
    cage: Cage
    pit: Pit
    sign: Sign
    practice: PracticeView
    events: TrailEvent
