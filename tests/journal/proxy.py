"""A proxy between a journal and its server, for what goes wrong on the way."""

import socket
from contextlib import suppress
from threading import Event, Thread


class Proxy:
    """Passes everything on, until it loses the answer to a commit or falls silent.

    Silent, it still takes calls and whatever it is sent, as a machine does whose program hangs.
    """

    def __init__(self, port: int) -> None:
        self.target = port
        self.lose = self.lost = 0
        self.asking, self.answering = Event(), Event()
        self.speak()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        Thread(target=self._accept, daemon=True).start()

    def speak(self) -> None:
        """Pass everything on."""
        self.asking.set()
        self.answering.set()

    def fall_silent(self, *, deaf: bool = True) -> None:
        """Pass on no answers, and if it is deaf as well no questions."""
        self.answering.clear()
        if deaf:
            self.asking.clear()

    def close(self) -> None:
        self.speak()
        # A thread that waits for a call is woken by one.
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        committing = Event()
        with client, socket.create_connection(("127.0.0.1", self.target)) as server:
            back = Thread(target=self._back, args=(server, client, committing), daemon=True)
            back.start()
            with suppress(OSError):
                while content := client.recv(65536):
                    if b"COMMIT\0" in content and self.lose:
                        committing.set()
                    self.asking.wait()
                    server.sendall(content)
            with suppress(OSError):
                server.shutdown(socket.SHUT_RDWR)
            back.join()

    def _back(self, server: socket.socket, client: socket.socket, committing: Event) -> None:
        with suppress(OSError):
            while content := server.recv(65536):
                if committing.is_set():
                    # The server has committed, and nobody on this side will ever hear of it.
                    self.lose -= 1
                    self.lost += 1
                    break
                self.answering.wait()
                client.sendall(content)
        with suppress(OSError):
            client.shutdown(socket.SHUT_RDWR)
