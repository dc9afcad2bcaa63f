# follow.py NAME LINE: puts LINE on top of the note NAME, then prints it after each change.
import json, os, socket, sys, time, uuid

def find_socket():
    if os.environ.get("NOTESD_SOCKET"):
        return os.environ["NOTESD_SOCKET"]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    folder = (runtime or state) + "/notesd"
    if os.path.exists(folder + "/notesd.sock"):
        owner, mode = os.stat(folder).st_uid, os.stat(folder).st_mode
        if runtime or owner == os.getuid() and mode & 0o077 == 0:
            return folder + "/notesd.sock"
    return "/run/notesd/notesd.sock"

def call(stream, method, **params):
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    stream.write(json.dumps(request).encode() + b"\n")
    stream.flush()
    while "id" not in (response := json.loads(stream.readline())):  # ValueError at the end
        pass
    if "error" in response:
        stop = OSError if response["error"]["data"]["retryable"] else SystemExit
        raise stop(response["error"]["message"])
    return response["result"]

name, line = sys.argv[1:]
path = write = saved = cursor = None                    # these outlive a connection
wait = 0.05                                             # seconds before the next connection
while True:
    try:
        with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rwb") as stream:
            here = path or find_socket()
            connection.connect(here)
            path = here                                 # keep it
            call(stream, "session.hello", protocol=[1], client={"name": "follow.py"})
            if not write:
                note = call(stream, "note.get", name=name)["note"]
                write = {"id": note["id"], "base": note["version"], "op": str(uuid.uuid4()),
                         "text": line + "\n" + note["text"]}
            if not saved:                               # the same write after a lost connection
                saved = call(stream, "note.save", **write)
                print(saved["outcome"], flush=True)
            since = {"since": cursor} if cursor else {}
            call(stream, "notes.watch", filter={"ids": [write["id"]]}, include="text", **since)
            for event in map(json.loads, stream):
                params = event["params"]
                if event["method"] == "note.changed":
                    print(params["change"], params["note"].get("text"), flush=True)
                cursor = params.get("cursor", cursor)
                wait = (params.get("retryAfterMs") or 50) / 1000
    except (OSError, ValueError):                       # no daemon, or a connection that ended
        pass
    time.sleep(wait)
    wait = min(2 * wait, 5)
