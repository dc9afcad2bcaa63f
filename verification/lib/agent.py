"""A `notesctl mcp` that receives tool calls."""

import json
import subprocess

from places import program


class AgentFailed(Exception):
    """The program ended."""


class Agent:
    """`log` is the path of a file for its messages."""

    def __init__(self, environment, log, *options):
        with open(log, "ab") as messages:
            self.process = subprocess.Popen([program("notesctl"), "mcp", *options], env=environment, stdin=subprocess.PIPE,
                                            stdout=subprocess.PIPE, stderr=messages)
        self.next_id = 0
        self.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}})
        self._send({"method": "notifications/initialized"})

    def _send(self, message):
        self.process.stdin.write(json.dumps(dict(message, jsonrpc="2.0")).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, params):
        self.next_id += 1
        self._send({"id": self.next_id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise AgentFailed("notesctl mcp has ended")
            answer = json.loads(line)
            if answer.get("id") == self.next_id:
                return answer.get("result") or {"isError": True, "content": [], "error": answer.get("error")}

    def call(self, tool, **arguments):
        return self.request("tools/call", {"name": tool, "arguments": arguments})

    def read(self, note):
        """The version that it has read."""
        return self.call("read_note", note=note)["structuredContent"]["version"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()
