#!/usr/bin/env python3
"""The page behind nginx, with the configuration of docs/web.md and a certificate made for this run.

    verification/web/proxy.py [SEED]
"""

import json
import os
import random
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "lib"))

from checks import Checks  # noqa: E402
from places import PATIENCE_S, ROOT, program  # noqa: E402
from server import Site  # noqa: E402

NAME = "notes.example"
NGINX = shutil.which("nginx", path=os.environ["PATH"] + ":/usr/sbin")
FORGED = {"X-Forwarded-For": "192.0.2.7", "X-Real-IP": "192.0.2.7", "X-Forwarded-Host": NAME, "Forwarded": f"for=192.0.2.7;host={NAME};proto=https"}


class ProxiedSite(Site):
    """A page on a Unix socket. `way` leads there: through the proxy of docs/web.md, one that also adds headers, or none."""

    host, address, way = NAME, f"https://{NAME}", "proxy"

    def __init__(self, folder):
        self.back, certificate, key = (os.path.join(folder, name) for name in ("web.sock", "certificate.pem", "key.pem"))
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj", f"/CN={NAME}",
                        "-addext", f"subjectAltName=DNS:{NAME}", "-keyout", key, "-out", certificate], check=True, capture_output=True)
        self.tls = ssl.create_default_context(cafile=certificate)
        # nginx takes over sockets that listen, so no other program gets their ports first.
        sockets = {way: socket.create_server(("127.0.0.1", 0)) for way in ("proxy", "adding proxy")}
        for one in sockets.values():
            one.setblocking(False)
        self.ports = {way: one.getsockname()[1] for way, one in sockets.items()}
        page = Path(ROOT, "docs", "web.md").read_text(encoding="utf-8")
        recipe = page.partition("| nginx | `")[2].partition("`")[0].replace("http://127.0.0.1:7683", f"http://unix:{self.back}:")
        adding = recipe.replace("{", "{ " + " ".join(f'proxy_set_header {name} "{value}";' for name, value in FORGED.items()), 1)
        temporary = " ".join(f"{kind}_temp_path {kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        servers = "".join(f"server {{ listen 127.0.0.1:{self.ports[way]} ssl; ssl_certificate {certificate}; ssl_certificate_key {key}; {place} }}\n"
                          for way, place in (("proxy", recipe), ("adding proxy", adding)))
        Path(folder, "nginx.conf").write_text(f"{'user root root;' if os.getuid() == 0 else ''} daemon off; pid nginx.pid; error_log nginx.log;\n"
                                              f"events {{}}\nhttp {{ access_log off; {temporary}\n{servers}}}\n", encoding="utf-8")
        super().__init__(folder, ["--listen", f"unix:{self.back}", "--host", NAME, "--behind-proxy"])
        files = [one.fileno() for one in sockets.values()]
        self.nginx = subprocess.Popen([NGINX, "-p", folder, "-c", "nginx.conf", "-e", "nginx.log"], pass_fds=files, stderr=subprocess.DEVNULL,
                                      env=dict(os.environ, NGINX="".join(f"{number};" for number in files)))
        for one in sockets.values():
            one.close()

    def connect(self, timeout):
        if self.way != "none":
            return self.tls.wrap_socket(socket.create_connection(("127.0.0.1", self.ports[self.way]), timeout), server_hostname=NAME)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(timeout)
        connection.connect(self.back)
        return connection

    def end(self):
        self.nginx.terminate()
        if self.nginx.wait(PATIENCE_S):
            print(Path(self.folder, "nginx.log").read_text(encoding="utf-8"), flush=True)
        super().end()


def proxied(checks, site):
    """Signs in, attaches and reads a range through nginx; S22: headers that a proxy or a client adds change nothing."""
    key = site.link("--device", "phone").partition("#key=")[2]
    status, headers, _ = site.post("/login", {"key": key}, f"Origin: https://{NAME}")
    cookie, _, attributes = headers.get("set-cookie", "").partition(";")
    checks.check(status == 204 and cookie.startswith("__Host-") and {"Secure", "Path=/"} <= set(attributes.split("; ")), "a cookie through TLS only", headers)
    web = site.attach(cookie)
    checks.check("result" in web.hello(), "attaches through nginx")
    web.frame(9, b"are you there")
    checks.check("result" in web.ask("attach.ping") and web.pongs == [b"are you there"], "which passes on pings, and stays attached", web.pongs)
    web.close()
    data = random.Random(checks.seed).randbytes(1_500_000)
    Path(site.folder, "one.png").write_bytes(data)
    site.notesctl("file", "add", os.path.join(site.folder, "one.png"))
    note = json.loads(site.notesctl("list", "--kind", "any", "--json"))
    status, headers, body = site.get(f"/file/{note['id']}/{note['file']['sha256']}", f"Cookie: {cookie}", "Range: bytes=700000-1400000")
    checks.equal((status, headers.get("content-range"), body == data[700_000:1_400_001]), (206, "bytes 700000-1400000/1500000", True), "a range")
    lines = [f"{name}: {value}" for name, value in FORGED.items()]
    seen = []
    for site.way in ("proxy", "adding proxy", "none"):
        for host, status in ((NAME, 200), ("evil.example", 421), (f"{NAME}:444", 421)):
            checks.equal(site.get("/session", f"Cookie: {cookie}", *lines, host=host)[0], status, f"S22: Host {host}, by {site.way}")
        seen += [site.post("/login", {"key": "a" * 64}, f"Origin: {site.address}", *lines, f"X-Forwarded-For: 192.0.2.{number}")[0] for number in range(3)]
    checks.equal(seen, [401] * 4 + [429] * 5, "S22: attempts of one address, whatever headers name")


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.randrange(1 << 32)
    if not (NGINX and shutil.which("openssl") and os.access(program("notesd-web"), os.X_OK)):
        print("skipped: the page behind a proxy needs nginx, openssl and notesd-web")
        return
    checks = Checks("web proxy", seed)
    with tempfile.TemporaryDirectory(prefix="notesd-web-") as folder:
        site = ProxiedSite(folder)
        try:
            proxied(checks, site)
        finally:
            site.end()
    checks.finish()


main()
