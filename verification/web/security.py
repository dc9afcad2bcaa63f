#!/usr/bin/env python3
"""Attacks on the page, without a browser: other names, other origins, stolen and used links, guests, hostile
frames, floods. The numbers are those of docs/web.md.

    verification/web/security.py [SEED]
"""

import json
import os
import random
import resource
import shutil
import socket
import stat
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from places import program  # noqa: E402
from server import Site, until  # noqa: E402


def names(checks, site):
    """S1, S2: only the page's own names and origins."""
    port = site.port
    for host in (f"evil.example:{port}", "localhost", "127.0.0.1", "", f"127.0.0.1:{port}.evil.example", f"127.0.0.1:{port + 1}"):
        status, _, _ = site.request(["GET / HTTP/1.1", f"Host: {host}"])
        checks.check(status in (400, 421), f"S1: Host {host!r} is refused", status)
    status, _, _ = site.request(["GET / HTTP/1.1", f"Host: {site.host}", "Host: evil.example"])
    checks.check(status in (400, 421), "S1: two Host lines are refused", status)
    status, _, _ = site.request([f"GET http://evil.example/ HTTP/1.1", f"Host: {site.host}"])
    checks.equal(status, 404, "S1: a whole address is no path")
    for host in (f"localhost:{port}", f"LOCALHOST:{port}", f"[::1]:{port}"):
        checks.equal(site.get("/", host=host)[0], 200, f"S1: Host {host} is the page's")
    cookie = site.sign_in(site.link("--device", "origins"))
    for origin in ("none", "http://evil.example", "null", f"http://127.0.0.1:{port + 1}", f"http://127.0.0.1.evil.example:{port}",
                   f"file://127.0.0.1:{port}", f"http://127.0.0.1:{port}@evil.example", ""):
        checks.equal(site.attach(cookie, origin), 403, f"S2: Origin {origin!r} does not attach")
    web = site.attach(cookie, f"HTTP://LOCALHOST:{port}")
    if checks.check(not isinstance(web, int), "S2: the page's own origin attaches, in any case", web):
        web.close()
    for head in (["POST /login HTTP/1.1"], ["POST /logout HTTP/1.1", f"Cookie: {cookie}"]):
        status, _, _ = site.request([*head, f"Host: {site.host}", "Origin: http://evil.example", "Content-Length: 2"], b"{}")
        checks.equal(status, 403, f"S13: {head[0]} of another site is refused")
    for path in ("/page.js", "/session"):
        checks.equal(site.get(path, "Sec-Fetch-Site: cross-site", f"Cookie: {cookie}")[0], 403, f"S13: {path} is not for other sites")


def cookies(checks, site):
    """S3, S6, S7, S23, S24: links, cookies, attempts."""
    checks.equal(site.attach(None), 401, "S3: without a cookie")
    checks.equal(site.attach(f"notesd-{site.port}=" + "a" * 64), 401, "S3: with a wrong cookie")
    link = site.link("--device", "ada's phone")
    cookie = site.sign_in(link)
    checks.check(cookie is not None, "S6: a link signs in")
    checks.equal(site.sign_in(link), None, "S6: a used link does not")
    checks.equal(site.attach(cookie.replace(f"notesd-{site.port}", "notesd-1")), 401, "S23: the cookie of another port")
    checks.equal(site.attach(f"{cookie}; {cookie}"), 401, "S3: two cookies")
    status, headers, body = site.get("/session", f"Cookie: {cookie}")
    checks.equal((status, json.loads(body)["device"]), (200, "ada's phone"), "S3: a session")
    checks.equal(headers.get("cache-control"), "no-store", "S3: a session is not stored")
    checks.check(headers.get("set-cookie", "").startswith(cookie + ";"), "S3: a visit renews the cookie", headers)
    link = site.link("--device", "twice")
    found = []
    both = [threading.Thread(target=lambda: found.append(site.sign_in(link))) for _ in range(2)]
    for thread in both:
        thread.start()
    for thread in both:
        thread.join()
    checks.equal(sum(cookie is not None for cookie in found), 1, "S6: of two at once, one signs in")
    checks.equal(site.post("/logout", {}, f"Origin: {site.address}", f"Cookie: {cookie}")[0], 204, "S24: signs out")
    checks.equal(site.attach(cookie), 401, "S24: and the cookie is nothing any more")


def attempts(checks, site):
    """S7: nobody can try many keys. At most five a minute of an address."""
    seen = [site.post("/login", {"key": "a" * 64}, f"Origin: {site.address}")[0] for _ in range(12)]
    checks.check(set(seen) <= {401, 429} and seen[-1] == 429 and seen.count(401) <= 5, "S7: attempts are counted", seen)


# S10: a policy that is weaker by a word differs.
POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; "
          "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types worker")


def paths(checks, site):
    """S8: paths come from a table, and nothing of a request comes back."""
    for path in ("/../x", "/%2e%2e/x", "/page.js%00", "//etc/passwd", "/<script>alert(1)</script>", "/index.html", "/PAGE.JS",
                 "/page.js/", "/page.js?x=<b>", "/attach/x", "/" + "a" * 4000):
        status, headers, body = site.get(path)
        checks.equal(status, 404, f"S8: {path[:30]}")
        checks.check(b"script" not in body and b"passwd" not in body and b"aaaa" not in body, f"S8: {path[:30]} is not repeated", body)
        checks.equal(headers.get("content-security-policy"), POLICY, "S10: an error has the policy")
    status, _, _ = site.get("/" + "a" * 100_000)
    checks.check(status in (0, 400, 414, 431), "S8: a long path", status)
    status, _, _ = site.get("/", "X: " + "b" * 100_000)
    checks.check(status in (0, 400, 431), "S8: a long header", status)
    for method in ("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"):
        checks.equal(site.get("/", method=method)[0], 405, f"S8: {method}")
    checks.equal(site.get("/", method="HEAD")[2], b"", "HEAD has no body")
    _, headers, _ = site.get("/page.js")
    checks.equal(site.get("/page.js", f"If-None-Match: {headers['etag']}")[0], 304, "a known file is not sent again")
    for path in ("/", "/page.js", "/page.css", "/login"):
        _, headers, _ = site.get(path)
        checks.equal(headers.get("content-security-policy"), POLICY, f"S10: {path} has the policy")
        for name, value in (("x-content-type-options", "nosniff"), ("referrer-policy", "no-referrer"),
                            ("cross-origin-opener-policy", "same-origin"), ("cross-origin-resource-policy", "same-origin")):
            checks.equal(headers.get(name), value, f"{path} has {name}")
        checks.check("access-control-allow-origin" not in headers, f"{path} is for this origin only", headers)


def guests(checks, site):
    """S14, S15: a guest has one note."""
    site.notesctl("new", "shared", "-", text="for all\n")
    site.notesctl("new", "secret", "-", text="for me\n")
    ids = {note["name"]: note["id"] for note in map(json.loads, site.notesctl("list", "--json").splitlines())}
    cookie = site.sign_in(site.link("--note", "shared", "--device", "bob", "--until", "1h", "--write"))
    web = site.attach(cookie)
    web.hello()
    answer = web.ask("buffer.open", buffer=1, id=ids["shared"])
    checks.equal(answer.get("result", {}).get("text"), "for all\n", "S14: a guest opens the note", answer)
    web.tell("buffer.change", buffer=1, n=1, edits=[[0, 3, "FOR"]], length=8)
    until(lambda: site.text("shared") == "FOR all\n", "what a guest types arrives")
    checks.check("guest/bob" in site.notesctl("history", "shared", "--json"), "history names the guest")
    for number, subject in enumerate(({"id": ids["secret"]}, {"name": "secret"}, {"name": "shared"}, {"name": "none"},
                                      {"create": {"id": "019ad0aa-0000-7000-8000-000000000001", "name": "new", "text": ""}})):
        answer = web.ask("buffer.open", buffer=10 + number, **subject)
        checks.equal(answer.get("error", {}).get("code"), 6001, f"S14: a guest does not open {subject}", answer)
    requests = {"note.list": {}, "note.search": {"query": "me"}, "note.get": {"id": ids["secret"]}, "note.history": {"id": ids["secret"]},
                "tags.list": {}, "links.to": {"id": ids["shared"]}, "links.missing": {}, "revisions.list": {}, "dependents.list": {},
                "daemon.status": {}, "links.resolve": {"targets": [{"kind": "wiki", "target": "secret"}]}}
    for method, params in requests.items():
        answer = web.ask(method, **params)
        checks.equal(answer.get("error", {}).get("code"), 6001, f"S14: a guest does not ask {method}", answer)
        checks.check("secret" not in json.dumps(answer) and "for me" not in json.dumps(answer), f"S14: {method} names nothing", answer)
    for method in ("note.save", "note.create", "note.delete", "daemon.backup", "note.purge", "session.limit"):
        checks.equal(web.ask(method).get("error", {}).get("code"), -32601, f"S14: {method} is no method of the page")
    web.tell("attach.watch")
    web.ask("attach.watch")
    for method, params in (("buffer.rename", {"name": "mine"}), ("buffer.delete", {})):
        answer = web.ask(method, buffer=1, **params)
        checks.equal(answer.get("error", {}).get("code"), 6001, f"S14: a guest does not {method}", answer)
    site.notesctl("save", "secret", "-", "--replace", text="for me alone\n")
    time.sleep(0.5)
    answer = web.ask("attach.ping")
    checks.check("secret" not in json.dumps(web.notices) and "alone" not in json.dumps(web.notices), "S14: a guest hears of no other note", web.notices)
    web.close()

    reader = site.attach(site.sign_in(site.link("--note", "shared", "--device", "eve", "--until", "1h")))
    hello = reader.hello()
    checks.equal(hello["result"]["access"], "read", "S15: a reading guest is told so", hello)
    reader.ask("buffer.open", buffer=1, id=ids["shared"])
    reader.tell("buffer.change", buffer=1, n=1, edits=[[0, 0, "X"]], length=9)
    for method, params in (("buffer.rename", {"name": "x"}), ("buffer.delete", {})):
        answer = reader.ask(method, buffer=1, **params)
        checks.equal(answer.get("error", {}).get("code"), 6001, f"S15: a reading guest does not {method}", answer)
    checks.equal(site.text("shared"), "FOR all\n", "S15: what a reading guest types does not arrive")
    reader.close()


def contents(checks, site):
    """Files: to devices that are signed in, by a note that has the content now; nothing to guests; ranges."""
    with open(os.path.join(site.folder, "one.png"), "wb") as file:
        file.write(bytes(index * 7 % 251 for index in range(1_500_000)))
    with open(os.path.join(site.folder, "x.svg"), "w", encoding="utf-8") as file:
        file.write("<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")
    with open(file.name.replace("x.svg", "one.png"), "rb") as file:
        data = file.read()
    site.notesctl("file", "add", file.name, os.path.join(site.folder, "x.svg"))
    site.notesctl("new", "guests", "-", text="![[one.png]]\n")
    notes = {note["name"]: note for note in map(json.loads, site.notesctl("list", "--kind", "any", "--json").splitlines())}
    path = {name: f"/file/{notes[name]['id']}/{notes[name]['file']['sha256']}" for name in ("one.png", "x.svg")}
    cookie = "Cookie: " + site.sign_in(site.link("--device", "pictures"))
    status, headers, body = site.get(path["one.png"], cookie)
    checks.equal((status, headers["content-type"], body == data), (200, "image/png", True), "a picture is sent whole")
    for name, value in (("content-security-policy", "sandbox"), ("x-content-type-options", "nosniff"),
                        ("cross-origin-resource-policy", "same-origin")):
        checks.equal(headers.get(name), value, f"a file has {name}")
    status, headers, body = site.get(path["one.png"], cookie, "Range: bytes=700000-1400000")
    checks.equal((status, headers["content-range"], body == data[700_000:1_400_001]), (206, "bytes 700000-1400000/1500000", True), "a range")
    checks.equal(site.get(path["one.png"], cookie, "Range: bytes=1500000-")[0], 416, "a range behind the end")
    checks.equal(site.get(path["one.png"], cookie, f"If-None-Match: {headers['etag']}")[0], 304, "a known picture is not sent again")
    checks.equal(site.get(path["one.png"], cookie, method="HEAD")[2], b"", "HEAD has no body")
    status, headers, body = site.get(path["x.svg"], cookie)
    checks.equal((status, headers["content-type"], headers["content-disposition"][:10]), (200, "application/octet-stream", "attachment"), "SVG is a download")
    checks.equal(site.get(path["one.png"])[0], 401, "no file without a cookie")
    checks.equal(site.get(path["one.png"], cookie, "Sec-Fetch-Site: cross-site")[0], 403, "no file for another site")
    other = path["one.png"].replace(notes["one.png"]["id"], notes["guests"]["id"])
    checks.equal(site.get(other, cookie)[0], 404, "not by a note that does not have the content")
    checks.equal(site.get(path["one.png"][:-2] + "00", cookie)[0], 404, "no content that the note does not have")
    guest = "Cookie: " + site.sign_in(site.link("--note", "guests", "--device", "gast", "--until", "1h"))
    checks.equal(site.get(path["one.png"], guest)[0], 403, "S14: a guest gets no files")
    # What no note names any more is not sent, though the store has the bytes.
    site.notesctl("rm", "one.png")
    checks.equal(site.get(path["one.png"], cookie)[0], 404, "no file of a deleted note")
    site.notesctl("undo", "one.png")
    # A browser that is signed out in the middle gets no more.
    with socket.create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(f"GET {path['one.png']} HTTP/1.1\r\nHost: {site.host}\r\n{cookie}\r\n\r\n".encode())
        checks.check(connection.recv(20).startswith(b"HTTP/1.1 200"), "a file begins")
        site.notesctl("web", "revoke", "pictures")
        until(lambda: site.get(path["one.png"], cookie)[0] == 401, "S16: a revoked device gets no file")


def pictures(checks, site):
    """Guests with --pictures: the pictures that the text of their note shows now, and nothing else."""
    folder = site.folder
    for number, name in enumerate(("shown.png", "path.jpg", "other.png", "linked.png", "code.png", "drawn.svg", "doc.pdf")):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(bytes([number]) * 1000)
        site.notesctl("file", "add", "--to", "pics", file.name)
    text = ("![[shown.png|20]] ![p](pics/path.jpg) [[linked.png]] [l](pics/linked.png) `![[code.png]]` ![[drawn.svg]] ![[doc.pdf]] "
            "![[gone.png]] ![n](note:{})\n")
    notes = {note["name"]: note for note in map(json.loads, site.notesctl("list", "--kind", "any", "--json").splitlines())}
    site.notesctl("new", "album", "-", text=text.format(notes["pics/other.png"]["id"]))
    site.notesctl("new", "beside", "-", text="![[other.png]]\n")
    notes = {note["name"]: note for note in map(json.loads, site.notesctl("list", "--kind", "any", "--json").splitlines())}
    hashes = {name.partition("/")[2]: note["file"]["sha256"] for name, note in notes.items() if note.get("file")}
    words = ["web", "link", "--note", "album", "--until", "1h"]
    refused = site.notesctl(*words, "--device", "ben", "--write", "--pictures", check=False)
    checks.check(refused.returncode == 64 and "name any picture" in refused.stderr, "who types sees no pictures", refused.stderr)
    plain = "Cookie: " + site.sign_in(site.notesctl(*words, "--device", "plain").strip())
    link = site.notesctl(*words, "--device", "guest", "--pictures").strip()
    refused = site.notesctl(*words, "--device", "ben", "--write", check=False)
    checks.check(refused.returncode == 64 and "revoke" in refused.stderr, "nor does somebody type where guests see pictures", refused.stderr)
    guest = "Cookie: " + site.sign_in(link)
    refused = site.notesctl(*words, "--device", "ben", "--write", check=False)
    checks.equal(refused.returncode, 64, "also after the link was used")
    place = f"/file/{notes['album']['id']}/"
    for name in hashes:
        checks.equal(site.get(place + hashes[name], plain)[0], 403, f"a guest without the switch does not get {name}")
    checks.equal(site.get("/pictures", plain)[0], 403, "nor a list")
    checks.equal(site.get("/pictures")[0], 401, "nobody gets a list without a cookie")
    checks.equal(site.get("/pictures", guest, "Sec-Fetch-Site: cross-site")[0], 403, "no list for another site")
    found = json.loads(site.get("/pictures", guest)[2])
    checks.equal(found, {"pictures": [
        {"kind": "wiki", "target": "shown.png", "name": "picture.png", "sha256": hashes["shown.png"], "bytes": 1000},
        {"kind": "path", "target": "pics/path.jpg", "name": "picture.jpg", "sha256": hashes["path.jpg"], "bytes": 1000}]},
        "a guest's list has the pictures of the text, with no name but those in it")
    status, headers, body = site.get(place + hashes["shown.png"], guest, "Range: bytes=10-19")
    checks.equal((status, headers["content-type"], headers["content-disposition"], headers["content-security-policy"], body),
                 (206, "image/png", "inline; filename*=UTF-8''picture.png", "sandbox", bytes(10)), "a guest gets a picture")
    checks.equal(site.get(place + hashes["path.jpg"], guest)[0], 200, "also by a path")
    missing = site.get(place + "0" * 64, guest)
    checks.equal(missing[0], 404, "no picture that does not exist")
    refusals = {name: place + hashes[name] for name in hashes if name not in ("shown.png", "path.jpg")}
    refusals |= {"its own note": f"/file/{notes['pics/shown.png']['id']}/{hashes['shown.png']}",
                 "another note": f"/file/{notes['beside']['id']}/{hashes['other.png']}",
                 "no note": f"/file/019ad0aa-0000-7000-8000-000000000001/{hashes['shown.png']}"}
    for what, path in refusals.items():
        checks.equal(site.get(path, guest), missing, f"a guest's request for {what} is answered as for what does not exist")
    # Other bytes, then another text: what is not shown any more is not sent.
    with open(os.path.join(folder, "new.png"), "wb") as file:
        file.write(b"new bytes")
    site.notesctl("file", "put", "pics/shown.png", file.name)
    checks.equal(site.get(place + hashes["shown.png"], guest), missing, "not the old bytes of a file")
    new = json.loads(site.get("/pictures", guest)[2])["pictures"][0]["sha256"]
    checks.equal(site.get(place + new, guest)[2], b"new bytes", "but the new ones")
    site.notesctl("rm", "pics/shown.png")
    checks.equal(site.get(place + new, guest), missing, "not of a deleted file")
    site.notesctl("save", "album", "-", "--replace", text="nothing\n")
    checks.equal(site.get(place + hashes["path.jpg"], guest), missing, "nor what was taken out of the text")
    checks.equal(json.loads(site.get("/pictures", guest)[2]), {"pictures": []}, "and the list is empty")
    site.notesctl("save", "album", "-", "--replace", text="![[path.jpg]]\n")
    checks.equal(site.get(place + hashes["path.jpg"], guest)[0], 200, "a picture that is back")
    site.notesctl("rm", "album")
    checks.equal(site.get(place + hashes["path.jpg"], guest), missing, "no picture of a deleted note")
    site.notesctl("web", "revoke", "guest")
    until(lambda: site.get("/pictures", guest)[0] == 401, "a revoked guest gets nothing")


def revoking(checks, site):
    """S16: a revoked device is closed, and what it sent is there."""
    site.notesctl("new", "typed", "-", text="")
    ids = {note["name"]: note["id"] for note in map(json.loads, site.notesctl("list", "--json").splitlines())}
    cookie = site.sign_in(site.link("--device", "lost"))
    web = site.attach(cookie)
    web.hello()
    web.ask("buffer.open", buffer=1, id=ids["typed"])
    web.tell("buffer.change", buffer=1, n=1, edits=[[0, 0, "last words"]], length=10)
    web.ask("attach.ping")
    site.notesctl("web", "revoke", "lost")
    began = time.monotonic()
    checks.equal(web.closed(), 1008, "S16: the page is closed")
    checks.say(f"closed {time.monotonic() - began:.1f} s after it was revoked")
    until(lambda: site.text("typed") == "last words", "S16: what it sent is there")
    checks.equal(site.attach(cookie), 401, "S16: it does not come back")
    done = site.notesctl("web", "revoke", "lost", check=False)
    checks.equal(done.returncode, 64, "revoking nobody is an error", done.stderr)


def repeats(checks, site):
    """A draft whose response was lost is sent again by other pages, also with more text; another program writes meanwhile."""
    cookie = site.sign_in(site.link("--device", "again"))
    note = "019ad0aa-0000-7000-8000-0000000000aa"

    def send(**params):
        web = site.attach(cookie)
        web.hello()
        answer = web.ask("buffer.open", buffer=1, **params)
        return web, answer.get("result", answer)

    web, _ = send(create={"id": note, "text": "one\ntwo"})
    web.close()
    site.notesctl("save", note, "-", "--replace", text="zero\none\ntwo")
    for _ in range(2):
        web, answer = send(create={"id": note, "text": "one\ntwo three\n"})
        checks.equal((answer.get("text"), answer.get("draft"), answer.get("existed")), ("one\ntwo three\n", True, None), "a repeated creation goes on", answer)
        until(lambda: site.text(note) == "zero\none\ntwo three\n", "the text that was typed since is there, beside the other's")
        web.ask("buffer.close", buffer=1)
        web.close()
        checks.equal(site.text(note), "zero\none\ntwo three\n", "once")
    before = "zero\none\ntwo three\n"
    for where, text in {"at the start": "four\n" + before, "between lines": before.replace("two", "four\ntwo"), "in a word": before.replace("th", "tfourh"),
                        "in place of a line": before.replace("one", "four"), "at the end": before + "four\n"}.items():
        for is_sent in (False, True):
            web, answer = send(id=note)
            version, writer = answer["version"], answer["writer"]
            if is_sent:
                web.tell("buffer.change", buffer=1, n=1, text=text, length=len(text))
                web.ask("buffer.close", buffer=1)
            web.close()
            for others in ("", "others\n"):
                if others:
                    site.notesctl("append", note, "--text", "others")
                # The writer of a page that is gone; each page that sends its draft writes as another.
                web, answer = send(id=note, resume={"versions": version, "writer": writer, "text": text, "age": 0})
                checks.equal(web.ask("buffer.close", buffer=1)["result"]["saved"], True, "a draft is saved")
                web.close()
                checks.equal(site.text(note), text + others, f"a draft with text {where} that is sent twice, is there once; after its page sent it: {is_sent}")
            site.notesctl("save", note, "-", "--replace", text=before)


def frames(checks, site):
    """S17: hostile frames close the connection with the code of RFC 6455."""
    cookie = site.sign_in(site.link("--device", "frames"))
    cases = {
        "unmasked": (lambda web: web.frame(1, b"{}", masked=False), (1002,)),
        "binary": (lambda web: web.frame(2, b"{}"), (1003,)),
        "bad UTF-8": (lambda web: web.frame(1, b'{"a":"\xff"}'), (1007,)),
        "a continuation of nothing": (lambda web: web.frame(0, b"{}"), (1002,)),
        "a large frame": (lambda web: web.frame(1, b" " * (1 << 21)), (1009, None)),
        "a long message": (lambda web: [web.frame(0 if n else 1, b" " * (1 << 20), end=False) for n in range(10)], (1009, None)),
        "many fragments": (lambda web: [web.frame(0 if n else 1, b" ", end=False) for n in range(100)], (1009, None)),
        "a reserved opcode": (lambda web: web.frame(5, b""), (1002,)),
    }
    for name, (send, codes) in cases.items():
        web = site.attach(cookie)
        if not checks.check(not isinstance(web, int), f"S17: attached for {name}", web):
            continue
        try:
            send(web)
        except ConnectionError:
            pass
        checks.check(web.closed() in codes, f"S17: {name}", web.code)
        web.close()
    web = site.attach(cookie)
    for line in (b"nonsense", b"[]", b'"x"', b'{"jsonrpc":"2.0","id":1,"method":"attach.hello","params":' + b"[" * 10_000, b'{"a":"\\ud800"}'):
        web.frame(1, line)
        answer = web.receive()
        checks.check(answer is not None and "error" in answer, f"S17: {line[:30]} gets an error", answer)
    checks.check("result" in web.hello(), "and the connection goes on")
    for _ in range(2_000):
        web.frame(9, b"x" * 100)
    checks.check("result" in web.ask("attach.ping"), "S17: a flood of pings")
    web.close()
    silent = site.attach(cookie)
    began = time.monotonic()
    checks.equal(silent.closed(), 1008, "a page that says nothing is closed")
    checks.check(time.monotonic() - began < 30, "within seconds")


def reading(checks, site):
    """S27: Markdown is parsed for the page alone, in a process that ends at its limits."""
    cookie, other = (site.sign_in(site.link("--device", name)) for name in ("reader", "another"))
    own = (f"Origin: {site.address}", f"Cookie: {cookie}")

    def read(text, *headers):
        head = ["POST /read HTTP/1.1", f"Host: {site.host}", "Connection: close", f"Content-Length: {len(text)}", *(headers or own)]
        return site.request(head, text, timeout=30)

    checks.equal(read(b"x", own[1])[0], 403, "S27: without an origin")
    checks.equal(read(b"x", own[1], "Origin: http://evil.example")[0], 403, "S27: of another site")
    checks.equal(read(b"x", own[0])[0], 401, "S27: without a cookie")
    checks.check(read(b"x" * 2000, own[0])[0] in (0, 401, 413), "S27: without a cookie, the body is not read")
    checks.equal(read(b"\xff")[0], 400, "S27: bad UTF-8")
    checks.check(read(b"x" * 524_289)[0] in (0, 413), "S27: a text of more than 512 KiB")
    status, headers, body = read(b"[a](javascript:x) <script> " * 100)
    checks.equal((status, headers["content-type"], headers["cache-control"]), (200, "application/json", "no-store"), "S27: a text is read")
    count = 200_000
    slow = {"a wide table": b"a|" * 1000 + b"\n" + b"-|" * 1000 + b"\n" + b"x\n" * 95_000, "an address": b"www.a.b" + b")" * count}
    quick = {"quotes": b">" * count, "brackets": b"[" * count, "links": b"[a](" * (count // 4), "stars": b"*a_ " * (count // 4),
             "lists": b"- " * (count // 2), "tags": b"<" * count, "lists in lists": b"".join(b" " * (2 * n) + b"- a\n" for n in range(300)),
             "underlines": b"_" * count, "strokes": b"~~a " * (count // 4), "entities": b"&#106;" * (count // 6), "NUL": b"\0" * 1000}
    web = site.attach(other)
    web.hello()
    for name, text in (slow | quick).items():
        began = time.monotonic()
        found = []
        thread = threading.Thread(target=lambda text=text: found.append(read(text)))
        thread.start()
        if name in slow:
            time.sleep(0.3)
            if name == "an address":
                checks.equal(read(b"x")[0], 429, "S27: a device has one text at a time")
                checks.equal(read(b"x", own[0], f"Cookie: {other}")[0], 200, "S27: another device reads meanwhile")
            asked = time.monotonic()
            web.ask("attach.ping")
            checks.check(time.monotonic() - asked < 1, f"S27: others do not wait for {name}", time.monotonic() - asked)
        thread.join()
        status, _, body = found[0]
        checks.check(status == 422 if name in slow else status in (200, 422), f"S27: {name}", status)
        checks.check(time.monotonic() - began < 12 and len(body) < 5_000_000, f"S27: {name} has a limit", time.monotonic() - began)
        if status == 200:
            depth = most = 0
            for block in json.loads(body)["blocks"]:
                for step in block[1:]:
                    depth += (isinstance(step, list)) - (step == 0)
                    most = max(most, depth)
            checks.check(depth == 0 and most <= 40, f"S27: {name} is not deep", (depth, most))
    web.close()


def floods(checks, site):
    """S18: many pages of one device, and one that sends much."""
    cookie = site.sign_in(site.link("--device", "many"))
    webs = []
    refused = []
    for _ in range(10):
        web = site.attach(cookie)
        (refused if isinstance(web, int) else webs).append(web)
    checks.equal((len(webs), refused), (8, [429, 429]), "S18: a device has eight pages")
    web = webs[0]
    web.hello()
    began = time.monotonic()
    for number in range(600):
        web.send({"jsonrpc": "2.0", "id": 1000 + number, "method": "attach.ping", "params": {}})
    answered = 0
    while answered < 600:
        message = web.receive()
        if message is None:
            break
        answered += "method" not in message
    checks.equal(answered, 600, "S18: what is sent too fast is answered later")
    checks.say(f"600 messages took {time.monotonic() - began:.1f} s")
    for web in webs:
        web.close()
    until(lambda: not isinstance(probe := site.attach(cookie), int) and probe.close() is None, "closed pages are given back")


def files(checks, site, folder):
    """S19, S20: the file of the devices, and no key in a log."""
    path = os.path.join(folder, "state", "notesctl", "web.json")
    checks.equal(stat.S_IMODE(os.stat(path).st_mode), 0o600, "S19: the file is private")
    with open(path, encoding="utf-8") as file:
        book = file.read()
    link = site.link("--device", "logged")
    key = link.partition("#key=")[2]
    cookie = site.sign_in(link)
    with open(site.log, encoding="utf-8") as log, open(path, encoding="utf-8") as file:
        said = log.read() + file.read() + site.said
    checks.check(key not in said and cookie.partition("=")[2] not in said, "S20: no key and no cookie in the log or the file")
    with open(f"/proc/{site.process.pid}/cmdline", encoding="utf-8") as line:
        checks.check(key not in line.read(), "S20: nor in the command line")
    # A file that cannot be written: the link stays good, and nobody is told anything else.
    link = site.link("--device", "full")
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
    status, _, body = site.post("/login", {"key": link.partition("#key=")[2]}, f"Origin: {site.address}")
    checks.equal((status, b"cannot write" in body), (500, True), "a full disk is no used link", body)
    status, _, body = site.post("/logout", {}, f"Origin: {site.address}", f"Cookie: {cookie}")
    checks.equal(status, 500, "nor is a device signed out then", body)
    checks.equal(site.get("/session", f"Cookie: {cookie}")[0], 200, "which stays signed in")
    resource.prlimit(site.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    checks.check(site.sign_in(link) is not None, "and with room again, the link signs in")
    site.kill()
    for what, mode, content in (("readable by others", 0o644, book), ("damaged", 0o600, book[:40])):
        with open(path, "w", encoding="utf-8") as file:
            file.write(content)
        os.chmod(path, mode)
        site.start()
        code = site.process.wait(timeout=20)
        checks.check(code in (65, 77), f"S19: a file {what} is refused", code)
    os.rename(path, path + ".real")
    with open(path + ".real", "w", encoding="utf-8") as file:
        file.write(book)
    os.chmod(path + ".real", 0o600)
    os.symlink(path + ".real", path)
    site.start()
    checks.equal(site.process.wait(timeout=20), 77, "S19: a link is refused")
    os.unlink(path)
    os.rename(path + ".real", path)
    site.start()
    for words in (["--listen", "0.0.0.0:0"], ["--listen", "unix:/tmp/x"], ["--listen", "nonsense"]):
        done = site.notesctl("web", "serve", *words, check=False)
        checks.equal(done.returncode, 64, f"S21: {words} without --host", done.stderr)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)
    if not os.access(program("notesd-web"), os.X_OK):
        print("skipped: notesd-web is not built; it needs libcmark-gfm-dev and libcmark-gfm-extensions-dev")
        return
    checks = Checks("web security", seed)
    folder = tempfile.mkdtemp(prefix="notesd-web-")
    try:
        # Each site counts its own attempts to sign in.
        for number, stories in enumerate(([names, paths, cookies], [guests, contents, revoking], [pictures, repeats], [frames, floods], [reading, attempts])):
            place = os.path.join(folder, str(number))
            os.mkdir(place)
            site = Site(place)
            try:
                for story in stories:
                    story(checks, site)
            finally:
                site.end()
        place = os.path.join(folder, "files")
        os.mkdir(place)
        site = Site(place)
        try:
            site.sign_in(site.link("--device", "first"))
            files(checks, site, place)
        finally:
            site.end()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    checks.finish()


main()
