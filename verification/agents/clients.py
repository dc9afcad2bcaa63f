#!/usr/bin/env python3
"""Uses `notesctl mcp` through the client libraries that agents are built with: Python's mcp and
fastmcp. Run it with scripts/test-agents, which installs them.

    scripts/test-agents [--seed N] [--calls 300]

Both libraries check each result against the schema of the tool and against the types of the protocol.
"""

import argparse
import asyncio
import contextlib
import os
import random
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

import fastmcp  # noqa: E402
from fastmcp.client.transports import StdioTransport  # noqa: E402
from mcp import Client, StdioServerParameters  # noqa: E402
from mcp.shared.exceptions import MCPError  # noqa: E402

from checks import Checks  # noqa: E402
from daemon import Client as Person  # noqa: E402
from daemon import Daemon  # noqa: E402
from places import open_folder, program  # noqa: E402

ERAS = {"legacy": "2025-11-25", "auto": "2026-07-28", "2026-07-28": "2026-07-28"}
OPTIONS = ["--allow", "rename", "--allow", "delete", "--rate", "1000000", "--volume", "1000000000"]


class Scene:
    """A daemon, and the command that starts a server for an agent."""

    def __init__(self, folder):
        self.folder = folder
        self.daemon = Daemon(folder)
        self.person = Person(self.daemon.socket)

    def environment(self):
        return {"NOTESD_SOCKET": self.daemon.socket, "XDG_STATE_HOME": os.path.join(self.folder, "state"), "PATH": os.environ["PATH"]}

    def server(self, *options):
        return StdioServerParameters(command=program("notesctl"), args=["mcp", *options], env=self.environment())

    def transport(self, *options):
        return StdioTransport(command=program("notesctl"), args=["mcp", *options], env=self.environment())

    def text(self, name):
        return self.person.ask("note.get", name=name)["note"]["text"]


def facts(result):
    return result.structured_content


async def session(checks, scene, mode):
    """Every tool once, in one era of the protocol."""
    where = f"mcp, mode {mode}"
    async with Client(scene.server(*OPTIONS), mode=mode) as client:
        checks.equal(client.session.protocol_version, ERAS[mode], f"{where}: the revision")
        tools = (await client.list_tools()).tools
        await tour(checks, scene, where, [tool.name for tool in tools], client.call_tool, f"agents/{mode}")
        await resources(checks, scene, where, client)
        failed = await client.call_tool("read_note", {"note": "nothing of this name"})
        checks.check(failed.is_error and "there is no note" in failed.content[0].text, f"{where}: a failure is a result", failed)
        try:
            await client.call_tool("erase_disk", {})
            checks.check(False, f"{where}: an unknown tool is an error")
        except MCPError as error:
            checks.equal(error.error.code, -32602, f"{where}: an unknown tool")


async def resources(checks, scene, where, client):
    """Notes as resources, and the prompts."""
    for number in range(150):
        scene.person.ask("note.create", name=f"{where}/{number}", text=f"# Note {number}\n")
    listed = {}
    page = await client.list_resources()
    while True:
        listed.update({str(resource.uri): resource for resource in page.resources})
        if page.next_cursor is None:
            break
        page = await client.list_resources(cursor=page.next_cursor)
    names = {resource.name for resource in listed.values()}
    checks.check({f"{where}/{number}" for number in range(150)} <= names, f"{where}: resources/list", len(names))
    templates = (await client.list_resource_templates()).resource_templates
    checks.equal([template.uri_template for template in templates], ["note://name/{+name}"], f"{where}: resources/templates/list")
    uri = next(uri for uri, resource in listed.items() if resource.name == f"{where}/7")
    for uri in (uri, f"note://name/{where}/7".replace(" ", "%20")):
        contents = (await client.read_resource(uri)).contents
        checks.equal([(content.mime_type, content.text) for content in contents], [("text/markdown", "# Note 7\n")], f"{where}: resources/read")
    try:
        await client.read_resource("note://name/nothing of this name")
        checks.check(False, f"{where}: a missing resource is an error")
    except MCPError as error:
        checks.check(error.error.code in (-32002, -32602), f"{where}: a missing resource", error)
    prompts = (await client.list_prompts()).prompts
    checks.equal([prompt.name for prompt in prompts], ["daily", "resolve", "tidy"], f"{where}: prompts/list")
    for prompt in prompts:
        got = await client.get_prompt(prompt.name, {argument.name: "a" for argument in prompt.arguments or []})
        checks.check(len(got.messages) == 1, f"{where}: prompts/get")


async def tour(checks, scene, where, tools, call, name):
    used = set()

    async def tool(tool_name, **arguments):
        used.add(tool_name)
        result = await call(tool_name, arguments)
        return facts(result)

    made = await tool("create_note", name=name, text="# List\n- milk\n- bread\n")
    found = await tool("search_notes", query="milk bread")
    checks.check(made["id"] in [note["id"] for note in found["notes"]], f"{where}: search_notes", found)
    listed = await tool("list_notes", prefix="agents/")
    checks.check(name in [note.get("name") for note in listed["notes"]], f"{where}: list_notes", listed)
    read = await tool("read_note", note=name)
    checks.equal(read["text"], "# List\n- milk\n- bread\n", f"{where}: read_note")
    # A person writes meanwhile. The agent's next changes are based on what it read before.
    head = scene.person.ask("note.get", name=name)["note"]
    scene.person.ask("note.save", id=head["id"], base=head["version"], text=head["text"] + "- tea\n")
    edited = await tool("edit_note", note=name, version=read["version"], edits=[{"old": "- milk", "new": "- oat milk"}])
    checks.check(edited["outcome"] == "merged" and "+- tea" in edited["others"], f"{where}: edit_note", edited)
    added = await tool("append_to_note", note=name, version=edited["version"], text="- jam")
    checks.equal(scene.text(name), "# List\n- oat milk\n- bread\n- tea\n- jam\n", f"{where}: append_to_note")
    history = await tool("note_history", note=name, since=read["version"])
    checks.check(len(history["revisions"]) == 4 and "+- jam" in history["diff"], f"{where}: note_history", history)
    # Both change one line.
    head = scene.person.ask("note.get", name=name)["note"]
    changed = head["text"].replace("- bread", "- rye bread")
    scene.person.ask("note.save", id=head["id"], base=head["version"], text=changed)
    conflict = await tool("edit_note", note=name, version=added["version"], edits=[{"old": "- bread", "new": "- toast"}])
    checks.equal((conflict["outcome"], conflict["conflicts"]), ("conflicted", 1), f"{where}: a conflict")
    conflicts = await tool("list_conflicts", note=name)
    sides = {side["text"]: side["side"] for side in conflicts["conflicts"][0]["sides"]}
    checks.equal(sorted(sides), ["- rye bread\n", "- toast\n"], f"{where}: list_conflicts")
    resolved = await tool("resolve_conflict", note=name, version=conflicts["version"], conflict=conflicts["conflicts"][0]["conflict"],
                          take=sides["- rye bread\n"])
    checks.equal(scene.text(name), "# List\n- oat milk\n- rye bread\n- tea\n- jam\n", f"{where}: resolve_conflict")
    renamed = await tool("rename_note", note=name, version=resolved["version"], name=name + " 2")
    checks.equal(scene.text(name + " 2")[:6], "# List", f"{where}: rename_note")
    await tool("delete_note", note=name + " 2", version=renamed["version"])
    undone = await tool("undo_my_changes")
    checks.equal(undone["failed"], [], f"{where}: undo_my_changes", undone)
    # Another person wrote in the note that the agent had created, so it is there without the agent's words.
    checks.check("oat" not in scene.text(name) and "- tea\n" in scene.text(name), f"{where}: the person's words are left", scene.text(name))
    # Newer versions of the server may have more tools.
    checks.equal(sorted(set(tools) - used), sorted(set(tools) & {"note_links", "read_file"}), f"{where}: every tool was used")


async def fast(checks, scene):
    """The same through fastmcp."""
    async with fastmcp.Client(scene.transport(*OPTIONS)) as client:
        tools = [tool.name for tool in await client.list_tools()]
        await tour(checks, scene, "fastmcp", tools, client.call_tool, "agents/fastmcp")


async def concurrent(checks, scene, seed, calls):
    """Ten agents append to one note from stale readings and change each other's lines, while a person
    types. Every line is there once at the end, and no change is refused for its base."""
    scene.person.ask("note.create", name="shared", text="begin\n")
    chance = random.Random(seed)
    lines = {"begin"}
    async with contextlib.AsyncExitStack() as stack:
        agents = []
        for number in range(10):
            client = await stack.enter_async_context(Client(scene.server(*OPTIONS), mode=list(ERAS)[number % len(ERAS)]))
            read = facts(await client.call_tool("read_note", {"note": "shared"}))
            agents.append({"client": client, "version": read["version"], "lines": []})
        for number in range(calls):
            line = f"line {number}"
            if chance.randrange(5) == 0:
                head = scene.person.ask("note.get", name="shared")["note"]
                scene.person.ask("note.save", id=head["id"], base=head["version"], text=head["text"] + line + "\n")
                lines.add(line)
                continue
            agent = chance.choice(agents)
            where = {"note": "shared", "version": agent["version"]}
            if agent["lines"] and chance.random() < 0.3:
                # Its own line, in the version in which it wrote it.
                old, version = agent["lines"].pop(chance.randrange(len(agent["lines"])))
                reply = await agent["client"].call_tool(
                    "edit_note", {"note": "shared", "version": version, "edits": [{"old": old + "\n", "new": line + "\n"}]})
                lines.remove(old)
            else:
                reply = await agent["client"].call_tool("append_to_note", dict(where, text=line))
            if not checks.check(not reply.is_error, "no change is refused", reply):
                continue
            lines.add(line)
            agent["lines"].append((line, facts(reply)["version"]))
            if chance.random() < 0.3:
                agent["version"] = facts(reply)["version"]
    checks.equal(sorted(scene.text("shared").split("\n")[:-1]), sorted(lines), "every line is there once")


async def hostile(checks, scene, seed, calls):
    """Arguments of every type for every tool. Each call gets a result or an error, and the server stays."""
    chance = random.Random(seed)
    values = [None, True, -1, 0, 1.5, 2**63, "", "a", "\ud7ff", "x" * 70_000, [], [1], {}, {"old": 1}, [{"old": "a", "new": "b"}], "begin"]
    async with Client(scene.server(*OPTIONS)) as client:
        tools = (await client.list_tools()).tools
        for _ in range(calls):
            tool = chance.choice(tools)
            known = list(tool.input_schema["properties"])
            names = chance.sample(known, chance.randrange(len(known) + 1)) + (["other"] if chance.random() < 0.1 else [])
            arguments = {name: chance.choice(values) for name in names}
            try:
                await client.session.call_tool(tool.name, arguments)
                checks.check(True, "a result")
            except MCPError as error:
                checks.check(error.error.code in (-32602, -32600), "an error of the request", error)
        found = await client.call_tool("read_note", {"note": "shared"})
        checks.check(not found.is_error, "the server serves on")


async def run(checks, folder, seed, calls):
    scene = Scene(folder)
    try:
        for mode in ERAS:
            await session(checks, scene, mode)
        await fast(checks, scene)
        await concurrent(checks, scene, seed, calls)
        await hostile(checks, scene, seed, calls)
        checks.check(scene.person.ask("daemon.audit")["ok"], "the audit finds nothing")
    finally:
        scene.daemon.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=300)
    options = parser.parse_args()
    checks = Checks("agents", options.seed)
    folder = open_folder("notesd-agents-")
    try:
        asyncio.run(run(checks, folder, options.seed, options.calls))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


if __name__ == "__main__":
    main()
