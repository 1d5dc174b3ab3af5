"""The widget and the session card, rendered by Rails' own view library as another user, with a daemon that is up, away, not ready, stale or something else.

For: tests/ondemand/run. Not for: how they look; the dashboard's style is not here.
"""

import datetime
import glob
import html.parser
import json
import pathlib
import re
import shutil
import socket
import subprocess
import time
import zoneinfo

from made_up_slurm import MadeUpSlurm, ask
from place import HOSTILE, IDLE, ME, OURS, SECRET_NAME, NotTried
from portal import Odd, answering

WIDGET = "widgets/queuecast"
CARD = "batch_connect/sessions/card/expected_time"
TAGS = {"div", "h3", "p", "table", "thead", "tbody", "tr", "th", "td", "small", "br", "strong"}
ATTRIBUTES = {"class", "id", "scope", "data-state", "data-queuecast"}


class Seen(html.parser.HTMLParser):
    """What a browser would make of it."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.words, self.state = set(), set(), [], None
        self.feed(text)
        self.text = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attributes}
        self.state = dict(attributes).get("data-state") or dict(attributes).get("data-queuecast") or self.state

    def handle_data(self, data):
        self.words.append(data)


def look(place, shown):
    seen = Seen(shown)
    place.must(seen.tags <= TAGS, f"other tags: {seen.tags - TAGS}")
    place.must(seen.attributes <= ATTRIBUTES, f"other attributes: {seen.attributes - ATTRIBUTES}")
    return seen


def widget(place, path, **environment):
    shown, seconds = place.render(WIDGET, QCAST_SOCKET=path, **environment)
    return look(place, shown), seconds


def in_words(place, start, zone):
    """The range as the widget must show it, computed here from the daemon's own answer."""
    now = datetime.datetime.now(zone)
    at = [datetime.datetime.fromtimestamp(start["range80"][end]["unix"], zone) for end in ("from", "to")]
    day = lambda time: f"{time:%a} {time.day} {time:%b}, "  # noqa: E731
    first = "" if at[0].date() == now.date() else day(at[0])
    if at[0].date() == at[1].date():
        return f"{first}{at[0]:%H:%M} to {at[1]:%H:%M} {at[1]:%Z}"
    return f"{first}{at[0]:%H:%M} to {day(at[1])}{at[1]:%H:%M} {at[1]:%Z}"


def files_say_what_they_are_for_and_need_no_gems(place):
    own = {"erb", "io/wait", "json", "net/http", "socket", "time", "timeout", "uri", "/etc/ood/config/queuecast/queuecast.rb"}
    for file in sorted(path for path in OURS.rglob("*") if path.is_file()):
        text = file.read_text()
        if file.suffix != ".md":
            place.must(re.search(r"(#|<%#) ", text[:40]) or text.startswith("# frozen"), f"{file} does not open with a comment")
            place.must("For:" in text and "Not for:" in text, f"{file} does not say what it is for")
        required = set(re.findall(r"^\s*(?:<% )?require(?:_relative)? '([^']+)'", text, re.MULTILINE))
        place.must(required <= own, f"{file} needs {required - own}")
        if file.suffix == ".erb":
            place.must(not re.search(r"html_safe|raw[ (]|<%==", text), f"{file} prints without escaping")
    for file in ("queuecast.rb", "app/config.ru"):
        checked = subprocess.run(["ruby", "-wc", OURS / file], capture_output=True, text=True)
        place.must(checked.returncode == 0 and "warn" not in checked.stderr, checked.stderr)


def files_are_installed_by_the_lines_of_the_page(place):
    root = pathlib.Path("/etc/ood/config")
    for file in (path for path in OURS.rglob("*") if path.is_file() and path.suffix != ".md"):
        name = file.relative_to(OURS)
        at = {"app": place.app / file.name, "views": root / "apps/dashboard" / name, "queuecast.rb": root / "queuecast" / name}.get(name.parts[0], root / name)
        place.must(at.is_file() and at.read_text() == file.read_text() and at.stat().st_mode & 0o777 == 0o644, f"{at} is not {name}")


def layout_and_manifest_are_what_the_dashboard_reads(place):
    read = "require 'yaml'; require 'json'; puts JSON.generate(YAML.safe_load(File.read(ARGV[0])))"
    loaded = lambda file: json.loads(subprocess.run(["ruby", "-e", read, OURS / file], capture_output=True, check=True).stdout)  # noqa: E731
    columns = [column for row in loaded("ondemand.d/queuecast.yml")["dashboard_layout"]["rows"] for column in row["columns"]]
    place.must(any("queuecast" in column["widgets"] for column in columns), columns)
    place.must(sum(column["width"] for column in columns) == 12, columns)
    place.must((OURS / "views/widgets/_queuecast.html.erb").is_file(), "the widget is not there")
    manifest = loaded("app/manifest.yml")
    place.must(set(manifest) <= {"name", "category", "subcategory", "icon", "description", "role", "url"}, manifest)


def widget_shows_ranges_and_reasons_of_the_asker_alone(place):
    for name in ("UTC", "America/New_York", "Asia/Kolkata"):
        start = json.loads(ask(place.daemon.socket, "/v1/jobs/100/forecast")[2])["start"]
        seen, seconds = widget(place, place.daemon.socket, TZ=name)
        place.must(seen.state == "jobs", seen.text)
        wanted = in_words(place, start, zoneinfo.ZoneInfo(name))
        # A start is never before now, so its first minute moves on.
        again = in_words(place, json.loads(ask(place.daemon.socket, "/v1/jobs/100/forecast")[2])["start"], zoneinfo.ZoneInfo(name))
        place.must(wanted in seen.text or again in seen.text, f"{wanted} is not in {seen.text}")
        place.must("The job is held" in seen.text and "the first of 10 tasks" in seen.text, seen.text)
        place.must(SECRET_NAME not in seen.text and "80 % range" in seen.text and "made" in seen.text, seen.text)
        place.must(seconds < 1, seconds)


def widget_says_that_no_job_waits_only_if_that_is_so(place):
    shown, _ = place.render(WIDGET, uid=IDLE, QCAST_SOCKET=place.daemon.socket)
    seen = look(place, shown)
    place.must(seen.state == "none" and "no pending jobs" in seen.text, seen.text)


def widget_before_the_first_reading_does_not_say_that_no_job_waits(place):
    slurm = MadeUpSlurm(place.folder / "never", place.jobs)
    slurm.goes_down()
    daemon = place.keep(slurm.serve(place.binary))
    daemon.wait_for(lambda health: health["made"] is None)
    seen, _ = widget(place, daemon.socket)
    place.must(seen.state == "not_ready" and "no pending jobs" not in seen.text, seen.text)
    shown, _ = place.render(CARD, {"job_id": "100", "queued": True, "dispatch_time": 1794990000}, QCAST_SOCKET=daemon.socket)
    place.must("Slurm's estimate" in look(place, shown).text, shown)
    daemon.end()
    # Also from a daemon that would answer 200 then.
    early = json.dumps({"cluster": "made", "now": {"unix": 1}, "made": None, "data_age_seconds": None, "jobs": [], "next_after": None})
    odd = place.keep(Odd(place.odd_path(), answering(early)))
    seen, _ = widget(place, odd.path)
    place.must(seen.state == "not_ready" and "no pending jobs" not in seen.text, seen.text)


def widget_of_a_daemon_that_cannot_read_the_queue_any_more(place):
    """A real daemon whose clock is put on by twenty minutes while Slurm is down."""
    library = shutil.which("faketime") and next(iter(glob.glob("/usr/lib/*/faketime/libfaketime*.so.1")), None)
    if not library or place.binary.endswith("static"):
        raise NotTried("faketime could not be installed")
    clock = place.folder / "clock"
    clock.write_text("+0\n")
    slurm = MadeUpSlurm(place.folder / "stale", place.jobs)
    environment = {"LD_PRELOAD": library, "FAKETIME_TIMESTAMP_FILE": str(clock), "FAKETIME_NO_CACHE": "1", "FAKETIME_DONT_FAKE_MONOTONIC": "1"}
    daemon = place.keep(slurm.serve(place.binary, environment=environment))
    daemon.forecast()
    slurm.goes_down()
    clock.write_text("+1200\n")
    try:
        health = daemon.wait_for(lambda health: health["status"] == "stale", 8)
    except RuntimeError:
        daemon.end()
        raise NotTried("the daemon's clock could not be put on with faketime")
    place.must(health["status"] == "stale", health)
    for uid, jobs in ((ME, True), (IDLE, False)):
        shown, _ = place.render(WIDGET, uid=uid, QCAST_SOCKET=daemon.socket)
        seen = look(place, shown)
        place.must(seen.state == "stale" and "no pending jobs" not in seen.text and ("relax" in seen.text) == jobs, seen.text)
        place.must(not re.search(r"\d\d:\d\d to ", seen.text), seen.text)
    shown, _ = place.render(CARD, {"job_id": "100", "queued": True, "dispatch_time": 1794990000}, QCAST_SOCKET=daemon.socket)
    place.must(look(place, shown).state == "slurm", shown)
    daemon.end()


def widget_with_hostile_names_is_inert(place):
    slurm = MadeUpSlurm(place.folder / "hostile", [(ME, name, {"partition": "batch"}) for name in HOSTILE])
    daemon = place.keep(slurm.serve(place.binary))
    daemon.forecast()
    seen, _ = widget(place, daemon.socket)
    place.must(seen.state == "jobs", seen.text)
    for name in HOSTILE:
        shown = re.sub(r"\s+", " ", re.sub("[\u202e\u0000\u001b]", "\ufffd", name))
        shown = shown if len(shown) <= 60 else shown[:59] + "…"
        place.must(shown in seen.text, f"{shown!r} is not shown as it is: {seen.text}")
    place.must("uid=" not in seen.text and "\u202e" not in seen.text, seen.text)
    daemon.end()


def widget_of_an_answer_that_is_hostile_itself_is_inert(place):
    nasty = "<script>alert(1)</script>"
    moment = {"unix": int(time.time()), "utc": nasty}
    job = {"cluster": nasty, "job": {"id": nasty, "name": nasty, "partitions": [nasty], "array_tasks_waiting": nasty}, "state": nasty, "start": None, "no_forecast": {"code": nasty, "message": nasty}}
    odd = place.keep(Odd(place.odd_path(), answering(json.dumps({"cluster": nasty, "now": moment, "made": moment, "data_age_seconds": 1, "jobs": [job], "next_after": nasty}))))
    seen, _ = widget(place, odd.path)
    place.must(seen.text.count(nasty) == 4, seen.text)


def widget_of_a_daemon_that_is_away_says_so_at_once(place):
    left = place.folder / "left.sock"
    odd = Odd(left, None)
    odd.listening.close()  # The file stays, and nobody listens.
    for path in (place.folder / "nothing.sock", left, place.folder / "nowhere/at.sock", "/" + "x" * 200):
        seen, seconds = widget(place, path)
        place.must(seen.state in ("away", "odd") and "no pending jobs" not in seen.text and "not affected" in seen.text, f"{path}: {seen.text}")
        place.must(seconds < 0.8, seconds)


def widget_waits_one_second_at_most_and_many_cards_no_longer(place):
    def trickles(connection):
        for _ in range(100):
            connection.sendall(b"H")
            time.sleep(0.1)

    silent = lambda connection: time.sleep(15)  # noqa: E731
    full = Odd(place.odd_path(), None, backlog=0)
    place.keep(full)
    holders = []
    for _ in range(3):
        holder = socket.socket(socket.AF_UNIX)
        holder.setblocking(False)
        try:
            holder.connect(full.path)
        except BlockingIOError:
            pass
        holders.append(holder)
    for path in (place.keep(Odd(place.odd_path(), silent)).path, place.keep(Odd(place.odd_path(), trickles)).path, full.path):
        seen, seconds = widget(place, path)
        place.must(seen.state == "away" and seconds < 2, f"{seconds} s: {seen.text}")
        _, seconds = place.render(CARD, {"job_id": "100", "queued": True}, times=20, QCAST_SOCKET=path)
        place.must(seconds < 2.5, f"20 cards took {seconds} s")


def widget_takes_nothing_else_for_an_answer(place):
    deep = "[" * 500 + "]" * 500
    said = [
        answering("<html>welcome to nginx</html>"), answering("[]"), answering("{}", status="500 Oops"), answering(deep), answering(b"\xff\xfe{}"),
        answering('{"jobs": 3, "made": {"unix": "x"}, "now": {}, "data_age_seconds": "1"}'), answering("x" * 3_000_000), lambda c: c.sendall(b"SSH-2.0-x\r\n"),
        answering('{"jobs": [], "made": {"unix": 1}, "now": {"unix": 2}, "data_age_seconds": null}'), lambda c: None, answering("", status="204 No Content"),
    ]
    for behave in said:
        odd = Odd(place.odd_path(), behave)
        seen, _ = widget(place, odd.path)
        place.must(seen.state in ("odd", "away", "not_ready") and "no pending jobs" not in seen.text, f"{seen.state}: {seen.text}")
        odd.end()


def widget_that_is_not_permitted_says_so(place):
    closed = place.keep(Odd(place.odd_path(), answering("{}"), mode=0o600))
    refused = [closed.path]
    for status, code in (("401 Unauthorized", "authentication_failed"), ("403 Forbidden", "jobs_are_private")):
        refused.append(place.keep(Odd(place.odd_path(), answering(json.dumps({"error": {"code": code}}), status=status))).path)
    for path in refused:
        seen, _ = widget(place, path)
        place.must(seen.state == "not_permitted" and "no pending jobs" not in seen.text, seen.text)
    often = place.keep(Odd(place.odd_path(), answering('{"error": {"code": "too_many_requests"}}', status="429 Slow down")))
    place.must(widget(place, often.path)[0].state == "busy", "429")


def widget_asks_a_daemon_elsewhere_with_a_token_of_slurm(place):
    place.needs("openssl")
    daemon = place.daemon
    there = {"QCAST_URL": f"https://localhost:{place.tls_port}", "QCAST_CA_FILE": place.folder / "tls.pem"}
    seen, _ = widget(place, "/nowhere", SLURM_JWT=place.token(f"user{ME}"), **there)
    place.must(seen.state == "jobs" and "relax" in seen.text and SECRET_NAME not in seen.text, seen.text)
    # The portal sets none: `scontrol token` is run, once for twenty pages.
    bin = place.folder / "token-bin"
    bin.mkdir()
    counted = place.folder / "counted"
    counted.touch()
    counted.chmod(0o666)
    (bin / "scontrol").write_text(f'#!/bin/sh\necho "$*" >> {counted}\necho SLURM_JWT={place.token(f"user{ME}")}\n')
    (bin / "scontrol").chmod(0o755)
    shown, _ = place.render(WIDGET, times=5, PATH=f"{bin}:/usr/bin:/bin", **there)
    place.must(look(place, shown).state == "jobs" and counted.read_text().count("token") == 1, counted.read_text())
    (bin / "scontrol").write_text("#!/bin/sh\nexec sleep 30\n")
    shown, seconds = place.render(WIDGET, PATH=f"{bin}:/usr/bin:/bin", **there)
    place.must(look(place, shown).state == "away" and seconds < 2, f"a scontrol that hangs: {seconds} s")
    # No token, a wrong one, an authority that is not known, and an address without TLS.
    place.must(widget(place, "/nowhere", **there)[0].state == "not_permitted", "without a token")
    place.must(widget(place, "/nowhere", SLURM_JWT="a.b.c", **there)[0].state == "not_permitted", "with a wrong one")
    there.pop("QCAST_CA_FILE")
    place.must(widget(place, "/nowhere", SLURM_JWT=place.token(f"user{ME}"), **there)[0].state == "away", "an authority that is not known")
    place.must(widget(place, "/nowhere", SLURM_JWT="a.b.c", QCAST_URL="http://queue.example.org:1")[0].state == "not_permitted", "without TLS")
    place.must(daemon.process.poll() is None, "the daemon has ended")


def card_shows_the_range_or_the_reason_or_what_slurm_plans(place):
    path, plan = place.daemon.socket, 1794990000
    start = json.loads(ask(path, "/v1/jobs/100/forecast")[2])["start"]
    zone = zoneinfo.ZoneInfo("Europe/Berlin")
    shown, _ = place.render(CARD, {"job_id": "100", "queued": True, "dispatch_time": plan}, QCAST_SOCKET=path, TZ="Europe/Berlin")
    again = json.loads(ask(path, "/v1/jobs/100/forecast")[2])["start"]
    seen = look(place, shown)
    place.must(seen.state == "range" and (in_words(place, start, zone) in seen.text or in_words(place, again, zone) in seen.text), seen.text)
    place.must("Expected start:" in seen.text and "Slurm's estimate" not in seen.text, seen.text)
    shown, _ = place.render(CARD, {"job_id": "101", "queued": True}, QCAST_SOCKET=path)
    place.must(look(place, shown).state == "reason" and "The job is held" in shown, shown)
    # Another user's job, an unknown job, an invalid ID, another cluster, no daemon: Slurm's estimate, or nothing.
    for job in ("103", "999", "../../v1/queue", "100/why", "100%0d%0aX: y", "1;2", "", None, "1" * 40):
        for planned, wanted in ((plan, "slurm"), (None, None)):
            shown, _ = place.render(CARD, {"job_id": job, "queued": True, "dispatch_time": planned}, QCAST_SOCKET=path)
            place.must(look(place, shown).state == wanted and SECRET_NAME not in shown, f"{job}: {shown}")
    session = {"job_id": "100", "cluster_id": "other", "queued": True, "dispatch_time": plan}
    shown, _ = place.render(CARD, session, QCAST_SOCKET=path, QCAST_OOD_CLUSTER="made, alpha")
    place.must(look(place, shown).state == "slurm", shown)
    shown, _ = place.render(CARD, {**session, "cluster_id": "alpha"}, QCAST_SOCKET=path, QCAST_OOD_CLUSTER="made, alpha")
    place.must(look(place, shown).state == "range", shown)
    shown, _ = place.render(CARD, session, QCAST_SOCKET="/nowhere")
    place.must(look(place, shown).state == "slurm", shown)


def card_of_a_session_that_runs_asks_nothing(place):
    odd = place.keep(Odd(place.odd_path(), answering("{}")))
    shown, _ = place.render(CARD, {"job_id": "100", "queued": False, "dispatch_time": 1}, QCAST_SOCKET=odd.path)
    place.must(shown.strip() == "" and not odd.asked, f"{shown} {odd.asked}")


def card_without_the_file_that_it_loads_is_as_it_was(place):
    file = pathlib.Path("/etc/ood/config/queuecast/queuecast.rb")
    text = file.read_text()
    try:
        for broken in (None, "def (", "raise 'no'"):
            file.unlink(missing_ok=True)
            if broken:
                file.write_text(broken)
                file.chmod(0o644)
            shown, _ = place.render(CARD, {"job_id": "100", "queued": True, "dispatch_time": 1794990000}, fresh=True, QCAST_SOCKET="/nowhere")
            place.must(look(place, shown).state == "slurm", shown)
    finally:
        file.write_text(text)
        file.chmod(0o644)
        place.renderers.pop(ME).end()


TESTS = [
    files_say_what_they_are_for_and_need_no_gems,
    files_are_installed_by_the_lines_of_the_page,
    layout_and_manifest_are_what_the_dashboard_reads,
    widget_shows_ranges_and_reasons_of_the_asker_alone,
    widget_says_that_no_job_waits_only_if_that_is_so,
    widget_before_the_first_reading_does_not_say_that_no_job_waits,
    widget_of_a_daemon_that_cannot_read_the_queue_any_more,
    widget_with_hostile_names_is_inert,
    widget_of_an_answer_that_is_hostile_itself_is_inert,
    widget_of_a_daemon_that_is_away_says_so_at_once,
    widget_waits_one_second_at_most_and_many_cards_no_longer,
    widget_takes_nothing_else_for_an_answer,
    widget_that_is_not_permitted_says_so,
    widget_asks_a_daemon_elsewhere_with_a_token_of_slurm,
    card_shows_the_range_or_the_reason_or_what_slurm_plans,
    card_of_a_session_that_runs_asks_nothing,
    card_without_the_file_that_it_loads_is_as_it_was,
]
