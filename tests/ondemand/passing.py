"""The app in a real Passenger, run as the user: what passes to the daemon and back, what does not, and the whole way from Apache by Open OnDemand's Lua.

For: tests/ondemand/run. Not for: the page itself; that is the daemon's.
"""

import json
import socket
import time

import made_up_slurm
from place import OTHER, SECRET_NAME
from portal import Odd, answering
from proxies import MINE, asked, forgeries, own

PREFIX = "/pun/sys/queuecast"


def by_app(place, path, method="GET", headers=(), body=b"", prefix=PREFIX):
    """Past Apache, to Passenger's socket: status, headers (names in lower case), body."""
    connection = made_up_slurm.ToSocket(place.passenger.socket)
    connection.putrequest(method, prefix + path, skip_host=True, skip_accept_encoding=True)
    for name, value in [("Host", "portal.example.org"), *headers]:
        connection.putheader(name, value)
    if body:
        connection.putheader("Content-Length", str(len(body)))
    try:
        connection.endheaders(body or None)
    except BrokenPipeError:
        pass  # What is too large is refused before it is read.
    answer = connection.getresponse()
    place.checks += 1
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()


def patiently(place, *given, **named):
    for _ in range(30):
        answer = by_app(place, *given, **named)
        if answer[0] != 429:
            return answer
        time.sleep(0.6)
    return answer


def instead(place, behave):
    """Something else in the daemon's place, from now on."""
    place.passenger
    odd = place.keep(Odd(place.odd_path(), behave))
    place.lead_to(odd.path)
    return odd


def app_shows_the_asker_their_own_jobs(place):
    place.passenger
    place.lead_to(place.daemon.socket)
    status, headers, body = patiently(place, "/v1/queue")
    place.must(status == 200 and own(body.decode()) == MINE and SECRET_NAME.encode() not in body, body[:300])
    place.must(headers["content-type"] == "application/json" and "no-store" in headers["cache-control"], headers)
    status, headers, _ = by_app(place, "")
    place.must(status == 302 and headers["location"] == f"{PREFIX}/", headers)
    status, _, body = patiently(place, "/v1/forecast", "POST", [("Content-Type", "application/json")], b'{"cpus": 4, "limit_seconds": 3600}')
    place.must(status == 200 and json.loads(body)["state"] == "hypothetical", body[:300])
    status, _, body = patiently(place, "/openapi.json")
    place.must(status == 200 and b"openapi" in body, body[:100])
    status, _, body = patiently(place, "/v1/jobs/103/forecast")
    place.must(status == 404 and b"no_such_job" in body, body[:100])
    # The daemon's page, or its word that there is none yet.
    status, _, body = patiently(place, "/")
    place.must(status == 200 or (status == 404 and b"unknown_route" in body), f"{status} {body[:100]}")


def app_passes_on_no_cookie_and_nothing_that_says_who_asks(place):
    odd = instead(place, answering("{}"))
    sent = [("Cookie", "portal_session=secret"), ("Authorization", "Bearer secret"), ("X-Forwarded-User", "root"), ("X-Forwarded-For", "1.2.3.4"), ("X-SLURM-USER-TOKEN", "a.b.c")]
    sent += [("X-SLURM-USER-NAME", "root"), ("X-Queuecast-Proxy-Secret", "guess"), ("X-Remote-User", "root"), ("x_forwarded_user", "root"), ("Remote-User", "root"), ("Proxy", "http://evil")]
    sent += [("Upgrade", "h2c"), ("TE", "trailers"), ("Referer", "https://portal/secret"), ("X-Anything", "else"), ("Accept-Language", "de")]
    by_app(place, "/v1/queue?me=true", headers=sent)
    lines = odd.asked[-1].decode().split("\r\n")
    place.must(lines[0] == "GET /v1/queue?me=true HTTP/1.0", lines)
    passed = {line.split(":")[0].lower() for line in lines[1:] if line}
    place.must(passed <= {"host", "accept-language"} and "Host: localhost" in lines and "Accept-Language: de" in lines, lines)
    by_app(place, "/v1/forecast", "POST", [("Content-Type", "application/json"), *sent[:4]], b"{}")
    passed = {line.split(":")[0].lower() for line in odd.asked[-1].decode().split("\r\n")[1:] if ":" in line}
    place.must(passed == {"host", "content-type", "content-length"}, passed)


def app_passes_back_only_headers_that_it_knows(place):
    bad = "Set-Cookie: portal_session=evil\r\nX-Accel-Redirect: /etc/passwd\r\nX-Sendfile: /etc/passwd\r\nConnection: keep-alive\r\nLocation: https://evil.example\r\n"
    instead(place, answering("{}", headers=bad + "ETag: \"x\"\r\nContent-Security-Policy: default-src 'self'\r\nServer: x\r\nStrict-Transport-Security: max-age=0\r\n"))
    status, headers, body = by_app(place, "/v1/queue")
    forbidden = {"set-cookie", "x-accel-redirect", "x-sendfile", "location", "server", "strict-transport-security"}
    place.must(status == 200 and body == b"{}" and not forbidden & set(headers), headers)
    place.must(headers["etag"] == '"x"' and headers["content-security-policy"] == "default-src 'self'", headers)


def app_passes_on_parts_as_they_come(place):
    def slowly(connection):
        connection.sendall(b"HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\nfirst\n")
        time.sleep(1.5)
        connection.sendall(b"second\n")

    instead(place, slowly)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(10)
        connection.connect(place.passenger.socket)
        connection.sendall(f"GET {PREFIX}/v1/queue HTTP/1.0\r\nHost: x\r\n\r\n".encode())
        begun, got, first = time.monotonic(), b"", None
        while part := connection.recv(65536):
            got += part
            if first is None and b"first" in got:
                first = time.monotonic() - begun
    place.must(first is not None and first < 1 and b"second" in got, f"the first part came after {first} s: {got}")


def app_knows_its_paths_methods_and_sizes(place):
    odd = instead(place, answering("{}"))
    for path in ("/", "/assets/app-1a2b.js", "/assets/a/b.css", "/v1/queue", "/v1/jobs/12_3/why", "/v1/jobs/12+0/forecast", "/openapi.json"):
        place.must(by_app(place, path)[0] == 200, path)
    count = len(odd.asked)
    wrong = ["/metrics", "/v1", "/v1/", "/v2/queue", "/v1/../metrics", "/v1/%2e%2e/metrics", "/assets/../metrics", "/assets/.hidden", "/assets/..%2fmetrics", "//v1/queue", "/v1//queue"]
    wrong += ["/v1/queue%0d%0aX:y", "/v1/queue%20HTTP/1.1", "/v1/queue%00", "/v1/q;x", "/openapi.json/", "/http://evil.example/v1/queue", "/v1/jobs/%31/why%2f", "/v1\\queue"]
    for path in wrong:
        place.must(by_app(place, path)[0] in (400, 404), path)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
        place.must(by_app(place, "/v1/queue", method)[0] in (400, 405, 501), method)
    place.must(by_app(place, "/v1/queue?" + "a" * 5000)[0] == 414, "a long address")
    place.must(by_app(place, "/v1/forecast", "POST", body=b" " * 65537)[0] == 413, "a long body")
    chunked = b"".join(b"4000\r\n" + b" " * 0x4000 + b"\r\n" for _ in range(5)) + b"0\r\n\r\n"
    connection = made_up_slurm.ToSocket(place.passenger.socket)
    connection.putrequest("POST", f"{PREFIX}/v1/forecast")
    connection.putheader("Transfer-Encoding", "chunked")
    try:
        connection.endheaders(chunked)
    except BrokenPipeError:
        pass
    place.must(connection.getresponse().status == 413, "a long body in chunks")
    for headers in ([("Origin", "https://evil.example")], [("Origin", "null")], [("Sec-Fetch-Site", "cross-site")], [("Sec-Fetch-Site", "same-site")]):
        place.must(by_app(place, "/v1/forecast", "POST", headers, b"{}")[0] == 403, headers)
    place.must(len(odd.asked) == count, odd.asked[count:])
    place.must(by_app(place, "/v1/forecast", "POST", [("Origin", "https://portal.example.org"), ("Sec-Fetch-Site", "same-origin")], b"{}")[0] == 200, "the own page")
    place.must(by_app(place, "/v1/queue", "HEAD")[0] == 200, "HEAD")


def app_says_that_the_daemon_is_away(place):
    place.passenger
    for behave, status in ((None, 503), (lambda c: None, 502), (lambda c: c.sendall(b"SSH-2.0\r\n\r\n"), 502), (lambda c: c.sendall(b"X" * 100_000), 502)):
        if behave:
            instead(place, behave)
        else:
            place.lead_to("/nowhere")
        begun = time.monotonic()
        got, headers, body = by_app(place, "/v1/queue")
        place.must(got == status and json.loads(body)["error"]["code"], f"{got} {body[:200]}")
        got, headers, body = by_app(place, "/")
        place.must(got == status and headers["content-type"].startswith("text/html") and b"not affected" in body or got == 502, f"{got} {body[:200]}")
        place.must(time.monotonic() - begun < 4 and headers["cache-control"] == "no-store", headers)
    closed = place.keep(Odd(place.odd_path(), answering("{}"), mode=0o600))
    place.lead_to(closed.path)
    place.must(by_app(place, "/v1/queue")[0] == 403, "a socket that is closed to the user")
    place.lead_to(place.daemon.socket)


def app_behind_apache_is_asked_by_who_logged_in(place):
    """Apache with Open OnDemand's Lua if it is here, Passenger as the user, the app, the daemon: all but nginx."""
    place.needs("passenger", "ruby-rack", "ruby", "apache2")
    place.apache
    place.lead_to(place.daemon.socket)
    port = place.apache.ports["default"]
    for lines in [[], *list(forgeries("root"))[:12]]:
        status, body = asked(place, port, f"{PREFIX}/v1/queue", lines)
        place.must(status == 200 and own(body) == MINE or lines and 400 <= status < 500, f"{lines}: {status} {body[:300]}")
        place.must(SECRET_NAME not in body, body[:300])
    if place.lua:
        # Somebody else has no Passenger of their own here, and does not come to this one.
        status, body = asked(place, port, f"{PREFIX}/v1/queue", user=f"user{OTHER}")
        place.must(status >= 400 and "relax" not in body, f"{status} {body[:300]}")


TESTS = [
    app_shows_the_asker_their_own_jobs,
    app_passes_on_no_cookie_and_nothing_that_says_who_asks,
    app_passes_back_only_headers_that_it_knows,
    app_passes_on_parts_as_they_come,
    app_knows_its_paths_methods_and_sizes,
    app_says_that_the_daemon_is_away,
    app_behind_apache_is_asked_by_who_logged_in,
]
