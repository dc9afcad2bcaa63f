"""A proxy that delays what passes in both directions, and cuts connections."""

import asyncio
import socket
import threading


def free_port():
    """A port of this machine that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Proxy:
    """Connects a port with another one. `delay` is the seconds that each direction takes."""

    def __init__(self, port, to):
        self.port, self.to, self.delay = port, to, 0.0
        self.writers = set()
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(asyncio.start_server(self._meet, "127.0.0.1", port))
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def _meet(self, reader, writer):
        try:
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.to)
        except OSError:
            return writer.close()
        pair = {writer, other_writer}
        self.writers |= pair
        await asyncio.gather(self._carry(reader, other_writer), self._carry(other_reader, writer), return_exceptions=True)
        self.writers -= pair
        for end in pair:
            end.close()

    async def _carry(self, reader, writer):
        waiting = asyncio.Queue()

        async def deliver():
            while True:
                at, data = await waiting.get()
                await asyncio.sleep(at - self.loop.time())
                if not data or writer.transport.is_closing():
                    return writer.close()
                writer.write(data)

        delivering = self.loop.create_task(deliver())
        try:
            while True:
                data = await reader.read(1 << 16)
                waiting.put_nowait((self.loop.time() + self.delay, data))
                if not data:
                    return await delivering
        except OSError:
            delivering.cancel()
            writer.close()

    def cut(self):
        """Ends all connections, with what is under way."""
        def close():
            for writer in list(self.writers):
                writer.transport.abort()
        self.loop.call_soon_threadsafe(close)
