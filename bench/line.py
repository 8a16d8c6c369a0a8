"""A connection to the server as a browser has one, at next to no cost for the machine."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Any

LOOPBACK = "127.0.0.1"


class Line:
    """A connection that is kept open, and requests on it one after the other."""

    def __init__(self, port: int, cookie: str = "", token: str = "", own: str = LOOPBACK) -> None:
        self.port = port
        self.cookie = cookie
        self.token = token
        self.own = own
        """The address of loopback that it comes from."""

    async def open(self) -> None:
        self.reader, self.writer = await asyncio.open_connection(
            LOOPBACK, self.port, local_addr=(self.own, 0)
        )

    def close(self) -> None:
        self.writer.close()

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """Ask for something; the status, and what was answered."""
        sent = b"" if body is None else json.dumps(body).encode()
        self._write(
            f"{method} {path}",
            f"X-Houseway-Token: {self.token}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(sent)}\r\n",
            sent,
        )
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode()
        found = re.search(r"content-length: (\d+)", head, re.IGNORECASE)
        assert found is not None, head
        if cookie := re.search(r"set-cookie: ([^;]+)", head, re.IGNORECASE):
            self.cookie = cookie[1]
        return int(head.split(maxsplit=2)[1]), await self.reader.readexactly(int(found[1]))

    async def listen(self, topic: str) -> AsyncIterator[bytes]:
        """Open a stream; what comes, until the connection ends.

        Asks again after a second when the server turns it away for the moment, as a screen does.
        """
        while True:
            self._write(f"GET /api/live?topic={topic}")
            head = await self.reader.readuntil(b"\r\n\r\n")
            status = int(head.split(maxsplit=2)[1])
            if status != 503:
                break
            self.close()
            await asyncio.sleep(1)
            await self.open()
        assert status == 200, head
        while chunk := await self.reader.read(1 << 16):
            yield chunk

    def _write(self, what: str, more: str = "", body: bytes = b"") -> None:
        head = f"{what} HTTP/1.1\r\nHost: {LOOPBACK}:{self.port}\r\nCookie: {self.cookie}\r\n"
        self.writer.write(f"{head}{more}\r\n".encode() + body)
