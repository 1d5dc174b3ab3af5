"""The packages under test, and what every test does with them: install, start.

For: `run`, `upgrade.py` and `lab.py`. Not for: what a test claims.
"""

import os
import pathlib
import subprocess

import machine
from machine import Failed

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
BEFORE, NOW = "0.0.9~test", "0.1.0"
STORE = "/var/lib/queuecast/store.sqlite"
CONFIGURATION = "/etc/queuecast/queuecast.toml"
UNIT = "queuecast.service"


def must(holds, said):
    if not holds:
        raise Failed(said)


class Packages:
    """The packages under test, made of one binary: as the version before, and as this one."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.strip()

    def of(self, kind, version, binary=None):
        """The package of this version; of another program than the one under test, if one is named."""
        suffix = {"deb": "deb", "rpm": "rpm", "apk": "apk", "archlinux": "zst"}[kind]
        folder = self.folder / version / kind
        if not folder.exists():
            command = [REPOSITORY / "packaging/package", "--binary", binary or self.binary, "--version", version, "--out", folder, kind]
            done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "QCAST_RUN": str(self.binary)})
            must(done.returncode == 0, f"packaging/package failed\n{done.stderr}")
        return next(folder.glob(f"*.{suffix}"))


def install(on, package):
    on.run("apt-get", "install", "--yes", "--quiet", "--allow-downgrades", on.bring(package))


def start(on):
    on.run("systemctl", "enable", "--now", UNIT)
    on.wait_for(lambda: on.exists("/run/queuecast/api.sock"), 30, "the daemon's socket is there\n" + on.journal(UNIT))
    must(on.property(UNIT, "ActiveState") == "active", on.journal(UNIT))


def plain():
    return machine.root("plain", machine.PLAIN)
