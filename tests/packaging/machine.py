"""A clean machine with systemd as process 1, for a test: made by mmdebstrap once, kept, and laid under every test as it was.

Debian 12; and Ubuntu 18.04, which is older than EL8 in what counts here: glibc 2.27 and systemd 237, where EL8 has 2.28 and 239.

For: whoever must see a package installed, started, upgraded and removed for real. Needs root. README.md says what else was tried.
"""

import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.request

# Kept between runs: making one takes minutes, most of them downloads.
ROOTS = pathlib.Path(os.environ.get("QCAST_TEST_ROOTS", "/var/tmp/queuecast-test-roots"))
PLAIN = ["systemd", "systemd-sysv", "dbus"]
WITH_SLURM = PLAIN + [
    "slurmctld", "slurmd", "slurmdbd", "slurm-client", "slurm-wlm-mysql-plugin", "munge", "mariadb-server",
]


# Why no machine can be booted here, if so.
REFUSED = None
# Ubuntu's keys, which Debian 12 does not have as a package. The hash is of the file whose key was looked at: 790BC727...C0B21F32.
UBUNTU = "http://archive.ubuntu.com/ubuntu"
UBUNTU_KEYS = UBUNTU + "/pool/main/u/ubuntu-keyring/ubuntu-keyring_2018.02.28_all.deb"
UBUNTU_KEYS_SHA256 = "c0763889cec4196839354d99b71f3c369dfa51ff17f59cabea87d1c7d55fe5e0"


class Failed(Exception):
    """What a test says when its claim does not hold."""


class NotTried(Exception):
    """Why a test could not be held here. It is not counted as passed."""


def refused():
    """Why this machine cannot boot others; nothing if it can. Asked before the first test: a container without these rights has no fault to show."""
    with tempfile.TemporaryDirectory() as folder:
        for part in ("lower", "upper", "work", "root"):
            (pathlib.Path(folder) / part).mkdir()
        layers = f"lowerdir={folder}/lower,upperdir={folder}/upper,workdir={folder}/work"
        tried = (["unshare", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--fork", "true"],
                 ["unshare", "--mount", "mount", "-t", "overlay", "overlay", "-o", layers, f"{folder}/root"])
        for command in tried:
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode != 0:
                return f"{' '.join(command[:2])} ...: {done.stderr.strip()}"
    return None


def install(*packages):
    """What the tests themselves need on this machine."""
    missing = [package for package in packages if subprocess.run(
        ["dpkg-query", "--show", "--showformat=${db:Status-Status}", package], capture_output=True, text=True,
    ).stdout != "installed"]
    if missing:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for command in (["apt-get", "update", "-qq"], ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]):
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode != 0:
                raise SystemExit(f"packaging tests: {' '.join(command)} failed; install {' '.join(missing)} by hand\n{done.stderr}")


def root(name, packages, made_from=("bookworm",), options=()):
    """The folder of a root with these packages. Nobody writes to it: tests are given a layer over it."""
    if REFUSED:
        raise NotTried("machines cannot be booted here")
    folder = ROOTS / name
    listed = folder / "etc/queuecast-test-root"
    wanted = " ".join(packages)
    if listed.exists() and listed.read_text() == wanted:
        return folder
    if folder.exists():
        shutil.rmtree(folder)
    ROOTS.mkdir(parents=True, exist_ok=True)
    print(f"   making a root of {made_from[0]} with {wanted}: some minutes, once", flush=True)
    made = folder.with_suffix(".new")
    shutil.rmtree(made, ignore_errors=True)
    # By the sources and keys that apt has on this machine, so that a mirror is used where there is one.
    done = subprocess.run(
        ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={','.join(packages)}",
         '--aptopt=APT::Install-Recommends "false"', *options, made_from[0], str(made), *made_from[1:]],
        stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode != 0:
        raise Failed(f"no root of {made_from[0]} could be made; is its mirror reached by apt?\n{done.stderr}")
    (made / listed.relative_to(folder)).write_text(wanted)
    made.rename(folder)
    return folder


def old_root():
    """Ubuntu 18.04. Not tried where its mirror is not reached: Debian 10, which is of the age of EL8, has left Debian's."""
    if (ROOTS / "old").exists():
        return root("old", PLAIN)
    try:
        with urllib.request.urlopen(UBUNTU_KEYS, timeout=60) as answer:
            keys = answer.read()
    except OSError as error:
        raise NotTried(f"{UBUNTU} is not reached: {error}") from error
    if hashlib.sha256(keys).hexdigest() != UBUNTU_KEYS_SHA256:
        raise Failed(f"{UBUNTU_KEYS} is not the file that it was")
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "keys.deb"
        file.write_bytes(keys)
        subprocess.run(["dpkg-deb", "--extract", file, folder], check=True)
        # apt reads it as a user of its own.
        pathlib.Path(folder).chmod(0o755)
        keyring = f"--keyring={folder}/usr/share/keyrings/ubuntu-archive-keyring.gpg"
        return root("old", PLAIN, ("bionic", f"deb {UBUNTU} bionic main"), (keyring,))


class Machine:
    """One such machine, with nothing of the tests before. Booted if asked for; gone at the end of its `with`."""

    def __init__(self, lower, boot=True):
        self.lower = lower
        self.boot = boot
        self.nspawn = None
        self.leader = None

    def __enter__(self):
        # Not below the repository: users of the machine must be able to go through all folders above.
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="queuecast-machine-", dir=ROOTS))
        for part in ("upper", "work", "root"):
            (self.folder / part).mkdir(mode=0o755)
        self.folder.chmod(0o755)
        self.root = self.folder / "root"
        layers = f"lowerdir={self.lower},upperdir={self.folder}/upper,workdir={self.folder}/work"
        subprocess.run(["mount", "-t", "overlay", "overlay", "-o", layers, str(self.root)], check=True)
        try:
            if self.boot:
                self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def start(self):
        log = open(self.folder / "console.log", "w")
        # The root has this machine's own name from when it was made, and that would count.
        self.write("/etc/hostname", "controller\n")
        self.write("/etc/hosts", "127.0.0.1 localhost controller\n")
        # No network but its own loopback: ports of other tests are other ports. Not registered: there is no machined here.
        # Its own session, so that what ends this test from a terminal does not end the machine before it was told.
        self.nspawn = subprocess.Popen(
            ["systemd-nspawn", "--quiet", f"--directory={self.root}", "--boot", "--register=no", "--keep-unit",
             "--private-network", "--machine=controller", "--console=pipe"],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.wait_for(self.find_leader, 30, "systemd as process 1")
        # The C library looks up no IPv4 address, not even localhost, on a machine that has none but 127.0.0.1. Slurm needs it to.
        subprocess.run(["nsenter", f"--target={self.leader}", "--net", "ip", "address", "add", "127.0.0.2/8", "dev", "lo"], check=True)
        self.wait_for(self.is_up, 120, "the machine is up")

    def find_leader(self):
        if self.nspawn.poll() is not None:
            raise Failed("systemd-nspawn ended: " + (self.folder / "console.log").read_text())
        children = pathlib.Path(f"/proc/{self.nspawn.pid}/task/{self.nspawn.pid}/children").read_text().split()
        for child in children:
            if pathlib.Path(f"/proc/{child}/comm").read_text().strip() == "systemd":
                self.leader = child
                return True
        return False

    def is_up(self):
        said = self.run("systemctl", "is-system-running", check=False).stdout.strip()
        return said in ("running", "degraded")

    def __exit__(self, *_):
        if self.nspawn and self.nspawn.poll() is None:
            if self.leader:
                self.run("systemctl", "poweroff", "--force", check=False)
            try:
                self.nspawn.wait(30)
            except subprocess.TimeoutExpired:
                self.nspawn.send_signal(signal.SIGKILL)
                self.nspawn.wait()
        subprocess.run(["umount", "--recursive", "--lazy", str(self.root)], capture_output=True)
        shutil.rmtree(self.folder, ignore_errors=True)

    def command(self, *words):
        if not self.boot:
            return ["chroot", str(self.root), *words]
        return ["nsenter", f"--target={self.leader}", "--mount", "--uts", "--ipc", "--net", "--pid", "--cgroup", "--", *words]

    def run(self, *words, check=True, user=None, timeout=180):
        """What a command on the machine says. As root, or as a user of it."""
        if user:
            words = ("setpriv", f"--reuid={user}", f"--regid={user}", "--init-groups", *words)
        clean = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/",
                 "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(self.command(*words), capture_output=True, text=True, env=clean, stdin=subprocess.DEVNULL, timeout=timeout)
        if check and done.returncode != 0:
            raise Failed(f"{' '.join(words)}: code {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def says(self, *words, **options):
        return self.run(*words, **options).stdout.strip()

    def property(self, unit, name):
        return self.says("systemctl", "show", "--value", f"--property={name}", unit)

    def bring(self, file, to="/root/"):
        shutil.copy(file, str(self.root) + to)
        return to + pathlib.Path(file).name

    def write(self, path, text):
        file = pathlib.Path(str(self.root) + path)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def exists(self, path):
        return self.run("test", "-e", path, check=False).returncode == 0

    def journal(self, unit):
        return self.run("journalctl", "--no-pager", "--output=cat", f"--unit={unit}", check=False).stdout

    def wait_for(self, holds, seconds, what):
        end = time.monotonic() + seconds
        while not holds():
            if time.monotonic() > end:
                raise Failed(f"not within {seconds} s: {what}")
            time.sleep(0.2)
