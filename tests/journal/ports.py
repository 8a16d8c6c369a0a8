"""Ports that stay ours until the server for which they are meant listens on them."""

import socket

_HELD: list[socket.socket] = []
"""Kept until the process ends: a server may be started on its port again."""


def free_port(host: str = "127.0.0.1") -> int:
    """A port on which nobody listens, and which the system gives to nobody else.

    The port stays bound here without listening. A server that sets SO_REUSEADDR, as ours and
    PostgreSQL do, may still listen on it; a port of the system's choice is never one that is bound.
    """
    held = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    held.bind((host, 0))
    _HELD.append(held)
    return int(held.getsockname()[1])
