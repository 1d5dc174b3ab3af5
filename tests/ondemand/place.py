"""Where the tests happen: the files copied to where the documentation says, daemons on a made-up Slurm, and asking as somebody.

For: tests/ondemand. Begun once, and what a test needs is started when it is first asked for.
Not for: what is tested; that is in pages.py, passing.py and proxies.py.
"""

import base64
import functools
import hashlib
import hmac
import json
import pathlib
import subprocess
import time

from made_up_slurm import REPOSITORY, MadeUpSlurm
from portal import Apache, Passenger, free_port, lua_of_ondemand

HERE = pathlib.Path(__file__).resolve().parent
OURS = REPOSITORY / "integrations/ondemand"
ME, OTHER, IDLE = 12345, 777, 54321
# A user is answered 30 times at once and then twice a second. Whoever asks more often here takes turns with these.
HONEST = range(20000, 20010)
TURN = 24
SECRET_NAME = "name-of-a-job-of-somebody-else"
HOSTILE = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'); alert(1);//",
    "<%= `id` %>",
    "#{`id`}",
    "&lt;b&gt;&#x3c;b>",
    "</td></tr></table><form action=https://evil.example>",
    "\u202egnp.exe\u0000\u001b[31m",
    "a" * 500,
    "javascript:alert(1)",
]
SECRET = "0123456789abcdef0123456789abcdef"


class NotTried(Exception):
    """It could not be tried here, and why."""


class Place:
    def __init__(self, folder, binary, lua, missing):
        self.folder, self.binary, self.missing = pathlib.Path(folder), binary, missing
        self.checks, self.turns, self.odds, self.said, self.running, self.renderers = 0, 0, 0, [], [], {}
        self.given_lua = lua
        self.install()

    def install(self):
        """As docs/operations/ondemand.md says, in mounts that are ours. Every file that is meant to be copied is."""
        run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/etc/ood")
        for name, line in (("passwd", f"user{ME}:x:{ME}:{ME}::/:/bin/sh\n"), ("group", f"user{ME}:x:{ME}:\n")):
            (self.folder / name).write_text(pathlib.Path(f"/etc/{name}").read_text() + line)
            run("mount", "--bind", self.folder / name, f"/etc/{name}")
        run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", "/var/www")
        # The lines of the page themselves, so that it does not tell administrators something else.
        page = (REPOSITORY / "docs/operations/ondemand.md").read_text()
        lines = [line for line in page.splitlines() if line.startswith("install ")]
        self.must(len(lines) == 5, lines)
        for line in lines:
            subprocess.run(["sh", "-e", "-c", f"umask 022; {line}"], cwd=OURS, check=True, capture_output=True)
        self.app = pathlib.Path("/var/www/ood/apps/sys/queuecast")
        # Reachable by everybody, wherever the repository lies.
        run("install", "-m", "644", HERE / "render.rb", self.folder / "render.rb")

    def must(self, is_so, otherwise):
        self.checks += 1
        if not is_so:
            raise AssertionError(otherwise)

    def needs(self, *packages):
        lacking = [package for package in packages if package in self.missing]
        if lacking:
            raise NotTried(f"{', '.join(lacking)} could not be installed")

    def keep(self, started):
        self.running.append(started)
        return started

    def end(self):
        for started in reversed(self.running):
            try:
                started.end()
            except Exception as error:
                print(f"could not be ended: {error}")

    @functools.cached_property
    def jobs(self):
        waiting = [(ME, "relax", {}), (ME, "held", {"state_reason": "JobHeldUser", "priority": 0})]
        waiting += [(ME, "many", {"array_job_id": 102, "array_task_string": "0-9"}), (OTHER, SECRET_NAME, {})]
        return waiting + [(user, f"own-{user}", {}) for user in HONEST]

    @functools.cached_property
    def daemon(self):
        """Set up as it comes, and open to tokens of Slurm's over TLS. No header is named."""
        self.key = self.folder / "jwt.key"
        self.key.write_bytes(b"k" * 32)
        self.key.chmod(0o600)
        certificate = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", self.folder / "tls.key"]
        certificate += ["-out", self.folder / "tls.pem", "-addext", "basicConstraints=critical,CA:FALSE", "-addext", "subjectAltName=DNS:localhost"]
        run(*certificate)
        (self.folder / "tls.pem").chmod(0o644)
        self.tls_port = free_port()
        options = ["--listen", f"127.0.0.1:{self.tls_port}", "--tls-certificate", self.folder / "tls.pem", "--tls-key", self.folder / "tls.key", "--jwt-key", self.key]
        started = self.keep(MadeUpSlurm(self.folder / "up", self.jobs).serve(self.binary, *options))
        started.forecast()
        return started

    @functools.cached_property
    def behind_proxy(self):
        """Believes X-Forwarded-User from Apache's user on the socket, and over TCP with the secret."""
        secret = self.folder / "proxy.secret"
        secret.write_text(SECRET + "\n")
        secret.chmod(0o600)
        self.tcp_port = free_port()
        options = ["--proxy-header", "X-Forwarded-User", "--trusted-proxy-uid", "33", "--listen", f"127.0.0.1:{self.tcp_port}", "--proxy-secret-file", secret]
        started = self.keep(MadeUpSlurm(self.folder / "behind", self.jobs).serve(self.binary, *options))
        started.forecast()
        return started

    @functools.cached_property
    def passenger(self):
        """The app, before whatever `upstream` leads to."""
        self.needs("passenger", "ruby-rack", "ruby")
        self.upstream = self.folder / "upstream.sock"
        self.lead_to(self.daemon.socket)
        return self.keep(Passenger(self.folder / "passenger", self.app, ME, str(self.upstream)))

    def lead_to(self, path):
        self.upstream.unlink(missing_ok=True)
        self.upstream.symlink_to(path)

    @functools.cached_property
    def lua(self):
        return lua_of_ondemand(self.given_lua)

    @functools.cached_property
    def apache(self):
        self.needs("apache2")
        try:
            sockets = self.passenger.sockets
        except NotTried:
            sockets = None
        hosts = {"default": (self.daemon.socket, self.tls_port, sockets), "named": (self.behind_proxy.socket, self.tcp_port, None)}
        return self.keep(Apache(self.folder / "apache", hosts, [f"user{uid}" for uid in (ME, OTHER, *HONEST)] + ["root"], self.lua))

    def whose_turn(self):
        self.turns += 1
        return HONEST[self.turns // TURN % len(HONEST)]

    def odd_path(self):
        self.odds += 1
        return self.folder / f"odd-{self.odds}.sock"

    def token(self, user, seconds=600):
        return token(self.key, user, seconds)

    def render(self, partial, session=None, uid=ME, times=1, fresh=False, **environment):
        """What the dashboard would show, made as this user: the page, and how long it took."""
        self.needs("ruby", "ruby-actionview")
        if fresh and uid in self.renderers:
            self.renderers.pop(uid).end()
        if uid not in self.renderers:
            self.renderers[uid] = self.keep(Renderer(self.folder / "render.rb", uid))
        environment = {key: str(value) for key, value in environment.items()}
        shown = self.renderers[uid].ask({"partial": partial, "session": session, "times": times, "environment": environment})
        if "raised" in shown:
            raise AssertionError(f"raised into the page: {shown['raised']}")
        self.must(shown["uid"] == uid, shown["uid"])
        return shown["html"], shown["seconds"]


class Renderer:
    """render.rb as somebody, until `end`."""

    def __init__(self, script, uid):
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": "/"}
        command = [*somebody(uid), "ruby", script]
        self.process = subprocess.Popen(command, env=environment, cwd="/", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question):
        self.process.stdin.write(json.dumps(question) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait(10)


def somebody(uid):
    return ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups"]


def token(key, user, seconds=600):
    """As `scontrol token` makes them, with this file as slurmctld's key."""
    part = lambda value: base64.urlsafe_b64encode(value).rstrip(b"=")  # noqa: E731
    now = int(time.time())
    signed = part(b'{"alg":"HS256","typ":"JWT"}') + b"." + part(json.dumps({"exp": now + seconds, "iat": now, "sun": user}).encode())
    return (signed + b"." + part(hmac.new(key.read_bytes(), signed, hashlib.sha256).digest())).decode()


def run(*command):
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
