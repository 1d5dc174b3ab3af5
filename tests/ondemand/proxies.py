"""A portal's Apache before a real daemon: honest users see their jobs, and nobody becomes somebody else by a header.

For: tests/ondemand/run. With Open OnDemand's own Lua where it can be had, and with plain Apache always.
Not for: the daemon's rules by themselves (crates/daemon/src/api/privacy_matrix).
"""

import base64
import json
import socket
import subprocess
import time

from place import ME, OTHER, SECRET, SECRET_NAME, somebody
from portal import PASSWORD, Odd, answering

# Every header by which somebody may be believed somewhere, in every spelling. `Connection` asks a proxy to take the named header out before it passes the rest on.
NAMES = [
    "X-Forwarded-User", "x-forwarded-user", "X-FORWARDED-USER", "X_Forwarded_User", "x_forwarded_user", "X-Forwarded_User", "HTTP_X_FORWARDED_USER", "X-Forwarded-Userx",
    "X-Remote-User", "Remote-User", "REMOTE_USER", "REMOTE-USER", "X-Queue-User", "X-User", "X-Auth-Request-User", "X-Authenticated-User", "X-WEBAUTH-USER",
    "X-SLURM-USER-NAME", "OIDC_CLAIM_preferred_username", "MAPPED_USER", "User", "From",
]


def forgeries(name):
    """Lists of lines, each sent by itself."""
    for header in NAMES:
        yield [f"{header}: {name}"]
    yield [f"X-Forwarded-User: {name}", f"X-Forwarded-User: {name}"]
    yield [f"X-Forwarded-User: user{ME}", f"X-Forwarded-user: {name}"]
    yield [f"X-Forwarded-User: user{ME}, {name}"]
    yield [f"X-Forwarded-User: {name}", "Connection: X-Forwarded-User"]
    yield [f"x_forwarded_user: {name}", "Connection: close, X-Forwarded-User, x_forwarded_user"]
    yield ["X-Forwarded-For: 127.0.0.1", f"X-Forwarded-User: {name}", "Forwarded: for=127.0.0.1;by=127.0.0.1"]
    yield ["X-Real-IP: 127.0.0.1", f"X-Remote-User: {name}"]
    yield [f"X-SLURM-USER-NAME: {name}", "X-SLURM-USER-TOKEN: a.b.c"]
    for guess in ("", "secret", "0" * 32, SECRET[:-1], SECRET.upper(), SECRET + "0"):
        yield [f"X-Queuecast-Proxy-Secret: {guess}", f"X-Forwarded-User: {name}"]
    # What a server must not take at all, or read as something else.
    yield [f"X-Forwarded-User : {name}"]
    yield [f"X-Other: a\r\n X-Forwarded-User: {name}"]
    yield [f"X-Forwarded-User:\t{name}"]
    yield [f"X-Forwarded-User: {name}\x00"]


def asked(place, port, path, lines=(), user=f"user{ME}", source="127.0.0.1"):
    """By TCP to this port, byte by byte as written: status and body. Waits if it is told to come back later."""
    login = [] if user is None else ["Authorization: Basic " + base64.b64encode(f"{user}:{PASSWORD}".encode()).decode()]
    # The last header counts for closing; a forged Connection is sent before it.
    text = "\r\n".join([f"GET {path} HTTP/1.1", "Host: localhost", *login, *lines, "Connection: close", "", ""])
    for _ in range(40):
        with socket.create_connection(("127.0.0.1", port), 10, (source, 0)) as connection:
            connection.sendall(text.encode())
            got = b""
            while part := connection.recv(65536):
                got += part
        head, _, body = got.partition(b"\r\n\r\n")
        status = int(head.split()[1]) if head.startswith(b"HTTP/") else 0
        if status != 429:
            break
        time.sleep(0.6)
    place.checks += 1
    return status, body.decode(errors="replace")


def own(body):
    """The names of jobs in an answer, whether it came in one part or in chunks."""
    start, end = body.find("{"), body.rfind("}")
    try:
        return sorted(job["job"]["name"] for job in json.loads(body[start : end + 1])["jobs"])
    except (ValueError, KeyError):
        return None


MINE = ["held", "many", "relax"]


def tried(place, host, path, is_named):
    """Nobody becomes somebody else behind this address, and the honest user sees their own jobs if the daemon was told of the header, and else none."""
    port = place.apache.ports[host]
    honest = lambda user: (200, [f"own-{user}"] if is_named else [])  # noqa: E731
    place.must(asked(place, port, path, user=None)[0] == 401, "nobody has logged in")
    # Where nobody is named everybody is Apache's user, who is soon told to come back later: one name to forge is enough.
    for name in ("root", f"user{OTHER}") if is_named else ("root",):
        for lines in [[], *forgeries(name)]:
            user = place.whose_turn()
            status, body = asked(place, port, path, lines, f"user{user}")
            place.must(SECRET_NAME not in body, f"{host}{path} with {lines}: {status} {body[:300]}")
            refused = 400 <= status < 500 and lines
            place.must(refused or (status, own(body)) == honest(user), f"{host}{path} with {lines}: {status} {body[:300]}")
    if is_named:
        # Whoever is named is who logged in.
        status, body = asked(place, port, path, user=f"user{OTHER}")
        place.must((status, own(body)) == (200, [SECRET_NAME]), body[:300])


def plain_apache_names_the_user_and_nobody_can_name_another(place):
    tried(place, "named", "/plain/v1/queue", True)


def plain_apache_before_a_daemon_that_was_told_of_no_header_names_nobody(place):
    tried(place, "default", "/plain/v1/queue", False)


def lua(place):
    place.needs("lua-posix")
    place.apache


def ondemand_names_the_user_and_nobody_can_name_another(place):
    lua(place)
    tried(place, "named", "/v1/queue", True)


def ondemand_before_a_daemon_that_was_told_of_no_header_names_nobody(place):
    lua(place)
    tried(place, "default", "/v1/queue", False)


def ondemand_to_a_port_is_not_believed_by_its_address(place):
    """The portal's proxy to nodes sends the right name from the right machine, and no secret: anybody with a program on that machine could."""
    lua(place)
    port, path = place.apache.ports["named"], f"/rnode/localhost/{place.tcp_port}/v1/queue"
    status, body = asked(place, port, path)
    place.must(status == 401 and "authentication_failed" in body, f"{status} {body[:300]}")
    for lines in forgeries("root"):
        status, body = asked(place, port, path, lines)
        place.must(SECRET_NAME not in body and own(body) is None and 400 <= status < 500, f"{lines}: {status} {body[:300]}")


def what_ondemand_overwrites_and_what_it_passes_on(place):
    """Why the header must be X-Forwarded-User there: it is the only one that says who asks and that is overwritten."""
    lua(place)
    odd = place.keep(Odd(place.odd_path(), answering("{}")))
    link = place.apache.folder / f"sockets-default/user{ME}/passenger.sock"
    before = link.readlink()
    link.unlink()
    link.symlink_to(odd.path)
    try:
        passed = set()
        for name in NAMES:
            asked(place, place.apache.ports["default"], "/v1/queue", [f"{name}: forged"])
            got = odd.asked[-1].decode().lower()
            place.must(f"x-forwarded-user: user{ME}\r\n" in got, got)
            if f"{name.lower()}: forged\r\n" in got:
                passed.add(name)
    finally:
        link.unlink()
        link.symlink_to(before)
    place.must(not passed & {"X-Forwarded-User", "x-forwarded-user", "X-FORWARDED-USER"}, passed)
    place.must("X-Remote-User" in passed and "X-Queue-User" in passed, f"passed on: {passed}")


def a_port_believes_no_address(place):
    """A program of a user on the proxy's own machine, past the proxy."""
    place.behind_proxy
    for name in ("root", f"user{OTHER}", f"user{ME}"):
        for lines in forgeries(name):
            # All of 127 is this machine. Who is nobody is counted by address.
            source = f"127.0.0.{1 + place.whose_turn() % 100}"
            status, body = asked(place, place.tcp_port, "/v1/queue", lines, None, source)
            place.must(SECRET_NAME not in body and own(body) is None and 400 <= status < 500, f"{lines}: {status} {body[:300]}")
    status, body = asked(place, place.tcp_port, "/v1/queue", user=None)
    place.must(status == 403, f"{status} {body}")
    status, body = asked(place, place.tcp_port, "/v1/queue", [f"X-Queuecast-Proxy-Secret: {SECRET}", f"X-Forwarded-User: user{ME}"], user=None)
    place.must((status, own(body)) == (200, MINE), f"the secret itself: {status} {body[:300]}")


def on_the_socket_the_kernel_says_who_asks(place):
    """A program of a user that comes to the socket itself, past the proxy, of both daemons."""
    for daemon in (place.daemon, place.behind_proxy):
        for lines in ([], ["X-Forwarded-User: root"], ["x_forwarded_user: root"], [f"X-Forwarded-User: user{OTHER}", "X-Forwarded-User: root"], ["X-Remote-User: root"], ["REMOTE_USER: root"]):
            headers = [part for line in lines for part in ("-H", line)]
            command = [*somebody(ME), "curl", "-s", "--unix-socket", daemon.socket, *headers, "http://localhost/v1/queue"]
            for _ in range(20):
                body = subprocess.run(command, capture_output=True, text=True, timeout=20, cwd="/").stdout
                if "too_many_requests" not in body:
                    break
                time.sleep(0.6)
            # The same header twice is refused by a daemon that was told of it.
            refused = "authentication_failed" in body and len(lines) == 2
            place.must(refused or own(body) == MINE, f"{lines}: {body[:300]}")
        # With a secret that does not hold nobody is anybody.
        guessed = ["-H", "X-Queuecast-Proxy-Secret: guess", "-H", "X-Forwarded-User: root"]
        body = subprocess.run([*somebody(ME), "curl", "-s", "--unix-socket", daemon.socket, *guessed, "http://localhost/v1/queue"], capture_output=True, text=True, cwd="/").stdout
        place.must(SECRET_NAME not in body, body[:300])


TESTS = [
    plain_apache_names_the_user_and_nobody_can_name_another,
    plain_apache_before_a_daemon_that_was_told_of_no_header_names_nobody,
    a_port_believes_no_address,
    on_the_socket_the_kernel_says_who_asks,
]
# With Open OnDemand's own proxy code, which no package registry has.
LUA_TESTS = [
    ondemand_names_the_user_and_nobody_can_name_another,
    ondemand_before_a_daemon_that_was_told_of_no_header_names_nobody,
    ondemand_to_a_port_is_not_believed_by_its_address,
    what_ondemand_overwrites_and_what_it_passes_on,
]
