"""What stands before the daemon in a portal: Apache with or without Open OnDemand's own Lua, Passenger, and servers that misbehave.

For: tests/ondemand/run.
Not for: a whole Open OnDemand. Its dashboard and its nginx are not here. Its Lua is run from where it lies and is not part of this repository.
"""

import base64
import hashlib
import os
import pathlib
import random
import signal
import socket
import subprocess
import threading
import time

APACHE_MODULES = pathlib.Path("/usr/lib/apache2/modules")
MODULES = "mpm_event authn_core authn_file auth_basic authz_core authz_user headers env proxy proxy_http".split()
PASSWORD = "portal"


HANDED_OUT = set()


def free_port():
    """A port of this machine that no call returned before. Port 0 would return one twice, or one that the kernel gives to a client meanwhile."""
    while True:
        port = random.randrange(15_000, 32_768)  # below the range from which Linux takes ports of clients
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in HANDED_OUT:
            HANDED_OUT.add(port)
            return port


def lua_of_ondemand(given):
    """The folder of Open OnDemand's Lua as installed or as given, or None. `none` ignores an installed one, as on a new machine."""
    if given == "none":
        return None
    for place in filter(None, [given, os.environ.get("QCAST_OOD_LUA"), "/opt/ood/mod_ood_proxy/lib"]):
        if (pathlib.Path(place) / "pun_proxy.lua").is_file():
            return pathlib.Path(place)
    return None


class Apache:
    """One host for each daemon: name -> (its socket, its TCP port or None, where sockets of Passenger lie or None)."""

    def __init__(self, folder, hosts, users, lua):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.ports = {name: free_port() for name in hosts}
        hashed = base64.b64encode(hashlib.sha1(PASSWORD.encode()).digest()).decode()
        (self.folder / "users").write_text("".join(f"{user}:{{SHA}}{hashed}\n" for user in users))
        modules = MODULES + (["lua"] if lua else [])
        built_in = subprocess.run(["/usr/sbin/apache2", "-l"], capture_output=True, text=True).stdout
        lines = [f'ServerRoot "{self.folder}"', "ServerName localhost", f'PidFile "{self.folder}/pid"', f'ErrorLog "{self.folder}/log"', "LogLevel warn"]
        lines += [f"LoadModule {name}_module {APACHE_MODULES}/mod_{name}.so" for name in modules if f"mod_{name}.c" not in built_in]
        lines += ["User www-data", "Group www-data", f"Mutex file:{self.folder} default", f'DefaultRuntimeDir "{self.folder}"', "ThreadsPerChild 8", "MaxRequestWorkers 8", "ServerLimit 1", "StartServers 1"]
        for name, (path, _, passenger) in hosts.items():
            lines += [f"Listen 127.0.0.1:{self.ports[name]}", f"<VirtualHost 127.0.0.1:{self.ports[name]}>"]
            # As docs/operations/ondemand.md has it. The name is not localhost: Apache takes what goes to `http://localhost/` over any socket for
            # this one then, and the portal's own pages would come to the daemon.
            lines += ['<Location "/plain/">', *self.login(), 'RequestHeader set X-Forwarded-User "expr=%{REMOTE_USER}"', f'ProxyPass "unix:{path}|http://queuecast-{name}/"', "</Location>"]
            if lua:
                # As Open OnDemand's generator writes it. The socket that it looks for, by user, is the daemon's own.
                sockets = self.folder / f"sockets-{name}"
                for user in users:
                    (sockets / user).mkdir(parents=True)
                    (sockets / user / "passenger.sock").symlink_to(path)
                lines += [f'LuaRoot "{lua}"', 'SetEnv OOD_USER_MAP_MATCH ".*"', 'SetEnv OOD_PUN_STAGE_CMD "/bin/false"', "SetEnv OOD_NGINX_URI /nginx"]
                for place, root in (("/v1", sockets), ("/pun", passenger)):
                    if root:
                        lines += [f'<Location "{place}">', *self.login(), "ProxyPreserveHost On", "ProxyAddHeaders On", f'SetEnv OOD_PUN_SOCKET_ROOT "{root}"']
                        lines += ["SetEnv OOD_PUN_MAX_RETRIES 1", "LuaHookFixups pun_proxy.lua pun_proxy_handler", "</Location>"]
                lines += ['<LocationMatch "^/rnode/(?<host>[^/]+)/(?<port>\\d+)(?<uri>/.*|)">', *self.login(), "RequestHeader unset Authorization"]
                lines += ["LuaHookFixups node_proxy.lua node_proxy_handler", "</LocationMatch>"]
            elif passenger:
                # In its place, for the one user who has a Passenger here.
                lines += ['<Location "/pun/">', *self.login(), f'ProxyPass "unix:{passenger}/{users[0]}/passenger.sock|http://passenger/pun/"', "</Location>"]
            lines += ["</VirtualHost>"]
        (self.folder / "apache.conf").write_text("\n".join(lines) + "\n")
        self.process = subprocess.Popen(["/usr/sbin/apache2", "-f", self.folder / "apache.conf", "-DFOREGROUND"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for port in self.ports.values():
            wait_for(lambda port=port: socket.create_connection(("127.0.0.1", port), 1).close() is None, 15, self.said)

    def login(self):
        return ["AuthType Basic", 'AuthName "portal"', f'AuthUserFile "{self.folder}/users"', "Require valid-user"]

    def said(self):
        log = self.folder / "log"
        return log.read_text()[-2000:] if log.exists() else self.process.stdout.read().decode()

    def end(self):
        self.process.terminate()
        self.process.wait(15)


class Passenger:
    """Our app in Passenger, as the user, as Open OnDemand runs it; `map` gives it the prefix that nginx gives it there."""

    def __init__(self, folder, app, uid, upstream):
        self.folder = pathlib.Path(folder)
        root, home = self.folder / "root", self.folder / "home"
        root.mkdir(parents=True)
        home.mkdir()
        os.chown(home, uid, uid)
        (root / "config.ru").write_text(f"map('/pun/sys/queuecast') {{ run Array(Rack::Builder.parse_file('{app}/config.ru')).first }}\n")
        self.sockets = self.folder / "sockets"
        place = self.sockets / f"user{uid}"
        place.mkdir(parents=True)
        os.chown(place, uid, uid)
        self.socket = str(place / "passenger.sock")
        environment = {"HOME": str(home), "TMPDIR": str(home), "PATH": "/usr/bin:/bin", "QCAST_SOCKET": upstream}
        command = ["setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups", "passenger", "start", root, "--engine", "builtin", "--socket", self.socket]
        command += ["--environment", "production", "--log-file", home / "log", "--pid-file", home / "pid", "--max-pool-size", "1"]
        command += ["--disable-anonymous-telemetry", "--disable-security-update-check"]
        self.out = open(home / "out", "w")
        self.process = subprocess.Popen(command, env=environment, cwd=home, stdout=self.out, stderr=self.out, start_new_session=True)

        def connects():
            with socket.socket(socket.AF_UNIX) as tried:
                tried.connect(self.socket)
            return True

        wait_for(connects, 30, lambda: (home / "out").read_text())
        # Apache's user must come to it; nginx makes it so in Open OnDemand.
        os.chmod(self.socket, 0o666)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.out.close()


class Odd:
    """A server on a unix socket that does what it is told with each connection, in place of a daemon."""

    def __init__(self, path, behave, mode=0o666, backlog=16):
        self.path, self.asked, self.behave = str(path), [], behave
        self.listening = socket.socket(socket.AF_UNIX)
        self.listening.bind(self.path)
        os.chmod(self.path, mode)
        self.listening.listen(backlog)
        self.ended = False
        if behave:
            threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while not self.ended:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.answer, args=(connection,), daemon=True).start()

    def answer(self, connection):
        with connection:
            connection.settimeout(20)
            asked = b""
            try:
                while b"\r\n\r\n" not in asked:
                    part = connection.recv(65536)
                    if not part:
                        return
                    asked += part
                self.asked.append(asked)
                self.behave(connection)
            except OSError:
                pass

    def end(self):
        self.ended = True
        self.listening.close()
        pathlib.Path(self.path).unlink(missing_ok=True)


def answering(body, status="200 OK", headers=""):
    body = body if isinstance(body, bytes) else body.encode()
    return lambda connection: connection.sendall(f"HTTP/1.0 {status}\r\ncontent-type: application/json\r\n{headers}\r\n".encode() + body)


def wait_for(is_so, seconds, said):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            if is_so():
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError(f"not within {seconds} s:\n{said()}")
