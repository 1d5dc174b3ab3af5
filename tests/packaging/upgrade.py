"""From one version to the next and back: the program, the configuration, and a store whose schema is older.

Two ways. Without an older program, the store is one that an older program wrote (`store-version-3.sql`), and the program on both
sides is today's. With one (`--lab --before`), it is run on a real Slurm, upgraded, gone back from and upgraded again.
"""

import hashlib
import pathlib
import re
import sqlite3

import lab
from machine import Machine
from packages import BEFORE, CONFIGURATION, NOW, REPOSITORY, STORE, UNIT, install, must, plain, start

HERE = pathlib.Path(__file__).resolve().parent
# What a development build of 17 November 2026 wrote, from before version 4 of the schema. Its commit was not recorded.
WRITTEN_BEFORE = HERE / "store-version-3.sql"
# What no step may lose or change. Of the columns only those that the older version knows are compared.
TABLES = ("meta", "jobs", "sightings", "forecasts", "experts", "settlements", "marks", "gaps")
# Programs from before there were packages do not tell systemd when they are ready.
WITHOUT_NOTIFY = "/etc/systemd/system/queuecast.service.d/without-notify.conf"


def upgrade_and_downgrade_keep_the_store_and_the_configuration_and_restart_what_runs(packages):
    with Machine(plain()) as on:
        install(on, packages.of("deb", BEFORE))
        start(on)
        changed = "# ours\n" + (pathlib.Path(str(on.root) + CONFIGURATION)).read_text()
        on.write(CONFIGURATION, changed)
        store = on.says("stat", "--format=%i", STORE)
        for version in (NOW, BEFORE, NOW):
            before = on.property(UNIT, "MainPID")
            install(on, packages.of("deb", version))
            must(on.says("dpkg-query", "--show", "--showformat=${Version}", "queuecast") == f"{version}-1", "dpkg has another version")
            on.wait_for(lambda: on.property(UNIT, "ActiveState") == "active", 30, f"{version} runs")
            must(on.property(UNIT, "MainPID") not in ("0", before), f"{version}: the old program runs on")
            must(on.says("stat", "--format=%i", STORE) == store, f"{version}: another store")
            must(on.says("cat", CONFIGURATION) == changed.strip(), f"{version}: the configuration was replaced")
            must(on.says("systemctl", "is-enabled", UNIT) == "enabled", f"{version}: no longer enabled")
        must(on.property(UNIT, "NRestarts") == "0", "it fell over: " + on.journal(UNIT))


# A store whose schema is older, and one whose schema is newer


def on_disk(on, path):
    return pathlib.Path(str(on.root) + path)


def schema_of(on, path):
    with sqlite3.connect(f"file:{on_disk(on, path)}?mode=ro", uri=True) as store:
        return store.execute("PRAGMA user_version").fetchone()[0]


def columns_of(connection):
    return {table: [row[1] for row in connection.execute(f"PRAGMA table_info({table})")] for table in TABLES}


# Columns that version 5 renamed.
RENAMED = {"limit_word": "limit_text", "first_told": "first_reported", "told_by": "reported_by", "told_at": "reported_at",
           "slurm_planned": "slurm_estimate", "futures": "simulations", "futures_repaired": "simulations_repaired"}


def rows_of(connection, columns):
    """All rows of these columns, by the names that they have in this store."""
    here = columns_of(connection)
    now = lambda table, name: name if name in here[table] else RENAMED[name]
    return {table: set(connection.execute(f"SELECT {', '.join(now(table, name) for name in names)} FROM {table}")) for table, names in columns.items()}


def written_before():
    """The older store, in memory. It is of November 2026, and nothing is forgotten by this machine's clock: jobs stay, however late this runs."""
    memory = sqlite3.connect(":memory:")
    memory.executescript(WRITTEN_BEFORE.read_text())
    return memory


def hash_of(on, path):
    return hashlib.sha256(on_disk(on, path).read_bytes()).hexdigest()


def the_way_back(version):
    """The commands of the book, as they stand there. Installing the old package is up to whoever calls."""
    text = (REPOSITORY / "docs/operations/upgrade.md").read_text()
    block = re.search(r"^## Back$.*?^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL).group(1)
    commands = [line for line in block.splitlines() if not line.startswith("apt ")]
    must(len(commands) == 5 and "version-3" in block, f"the book's way back is another: {commands}")
    return [command.replace("version-3", f"version-{version}") for command in commands]


def go_back(on, version):
    for command in the_way_back(version):
        on.run("sh", "-c", command)
    on.wait_for(lambda: on.property(UNIT, "ActiveState") == "active", 30, "it runs again\n" + on.journal(UNIT))


def refused_with_the_way_back(on, said):
    on.wait_for(lambda: said in on.journal(UNIT), 30, f"it says: {said}\n{on.journal(UNIT)}")
    on.run("systemctl", "stop", UNIT)


def a_store_that_an_older_version_wrote_is_brought_up_to_date_and_a_copy_is_kept(packages):
    memory = written_before()
    columns = columns_of(memory)
    rows = rows_of(memory, columns)
    must(len(rows["jobs"]) > 20 and rows["forecasts"] and rows["settlements"], "the older store has little in it")
    with Machine(plain()) as on:
        install(on, packages.of("deb", BEFORE))
        with sqlite3.connect(on_disk(on, STORE)) as store:
            memory.backup(store)
        store.close()
        on.run("chown", "queuecast:queuecast", STORE)
        must(schema_of(on, STORE) == 3, "the store is of another version")
        on.run("systemctl", "enable", UNIT)
        install(on, packages.of("deb", NOW))
        start(on)
        on.run("systemctl", "stop", UNIT)
        now, copy = schema_of(on, STORE), STORE + ".version-3"
        must(now > 3 and schema_of(on, copy) == 3, f"version {now}, and {schema_of(on, copy)} in the copy")
        must(on.says("stat", "--format=%U %a", copy) == "queuecast 600", "the copy is not for its owner only")
        for path in (STORE, copy):
            with sqlite3.connect(f"file:{on_disk(on, path)}?mode=ro", uri=True) as store:
                kept = rows_of(store, columns)
            for table in TABLES:
                # Marks move on by themselves.
                must(rows[table] <= kept[table] or (table == "marks" and path == STORE), f"{path}: {table} lost {rows[table] - kept[table]}")
        on.run("qcast", "store", "check", "--store", STORE)
        return f"from version 3 to {now}: {len(rows['jobs'])} jobs, {len(rows['forecasts'])} forecasts, {len(rows['settlements'])} settlements"


def a_store_that_a_newer_version_wrote_is_refused_and_the_books_way_back_works(packages):
    """The newer version is made up: this one's store with a higher number. Its copy from before the update is real."""
    with Machine(plain()) as on:
        install(on, packages.of("deb", NOW))
        start(on)
        on.run("systemctl", "stop", UNIT)
        version = schema_of(on, STORE)
        on.run("cp", "--preserve", STORE, f"{STORE}.version-{version}")
        with sqlite3.connect(on_disk(on, STORE)) as store:
            store.execute(f"PRAGMA user_version = {version + 1}")
        store.close()
        before = hash_of(on, STORE)
        on.run("systemctl", "start", UNIT, check=False)
        refused_with_the_way_back(on, f"replace the file with {STORE}.version-{version}")
        must(hash_of(on, STORE) == before, "the newer store was touched")
        go_back(on, version)
        must(schema_of(on, STORE) == version and hash_of(on, STORE + ".newer") == before, "the stores were not put as the book says")


# With a program that really is older, on a real Slurm


def stored(on, columns=None):
    with sqlite3.connect(f"file:{on_disk(on, STORE)}?mode=ro", uri=True) as store:
        columns = columns or columns_of(store)
        return columns, rows_of(store, columns)


def ended(rows, columns):
    """Jobs that are over. Nothing of them changes any more."""
    stage = columns["jobs"].index("stage")
    return {row for row in rows["jobs"] if row[stage] == "ended"}


def an_older_program_on_a_real_slurm_is_upgraded_gone_back_to_and_upgraded_again(packages):
    old, new = packages.of("deb", "0.0.8", packages.before), packages.of("deb", NOW)
    with Machine(lab.with_slurm()) as on:
        lab.bring_up_slurm(on)
        job = lab.fill_the_queue(on)
        install(on, old)
        on.write(WITHOUT_NOTIFY, "[Service]\nType=exec\nWatchdogSec=0\n")
        on.run("systemctl", "daemon-reload")
        start(on)
        lab.answer(on, "qcast", job)
        on.wait_for(lambda: len(ended(*reversed(stored(on)))) >= 8, 120, "the older program has seen eight jobs end")
        version = schema_of(on, STORE)

        on.run("rm", WITHOUT_NOTIFY)
        columns, before = stored(on)
        install(on, new)
        on.wait_for(lambda: on.property(UNIT, "ActiveState") == "active", 60, "the newer program runs\n" + on.journal(UNIT))
        newer, copy = schema_of(on, STORE), f"{STORE}.version-{version}"
        must(newer > version and schema_of(on, copy) == version, f"version {version}, then {newer}")
        lab.answer(on, "qcast", job)
        _, after = stored(on, columns)
        must(ended(before, columns) <= ended(after, columns), f"lost: {ended(before, columns) - ended(after, columns)}")
        must(before["forecasts"] <= after["forecasts"], "forecasts were lost")
        must(len({row[1:5] for row in before["jobs"]} - {row[1:5] for row in after["jobs"]}) == 0, "jobs were lost")
        on.run("qcast", "store", "check", "--store", STORE)

        on.run("systemctl", "stop", UNIT)
        untouched = hash_of(on, STORE)
        on.write(WITHOUT_NOTIFY, "[Service]\nType=exec\nWatchdogSec=0\n")
        install(on, old)
        on.run("systemctl", "start", UNIT, check=False)
        # The older program may have other words than this one.
        refused_with_the_way_back(on, f"has schema version {newer}")
        must(hash_of(on, STORE) == untouched, "the older program touched the newer store")
        go_back(on, version)
        lab.answer(on, "qcast", job)
        _, back = stored(on, columns)
        must(schema_of(on, STORE) == version and ended(before, columns) <= ended(back, columns), "jobs were lost on the way back")

        on.run("rm", WITHOUT_NOTIFY)
        install(on, new)
        on.wait_for(lambda: on.property(UNIT, "ActiveState") == "active", 60, "the newer program runs again\n" + on.journal(UNIT))
        lab.answer(on, "qcast", job)
        must(schema_of(on, STORE) == newer, "not brought up to date again")
        return f"version {version} to {newer}, back, and again: {len(before['jobs'])} jobs, {len(before['forecasts'])} forecasts"


TESTS = [
    upgrade_and_downgrade_keep_the_store_and_the_configuration_and_restart_what_runs,
    a_store_that_an_older_version_wrote_is_brought_up_to_date_and_a_copy_is_kept,
    a_store_that_a_newer_version_wrote_is_refused_and_the_books_way_back_works,
]
LAB_TESTS = [an_older_program_on_a_real_slurm_is_upgraded_gone_back_to_and_upgraded_again]
