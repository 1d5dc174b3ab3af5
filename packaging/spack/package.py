# For Spack: qcast from source. @...@ is filled in by packaging/release. Put the result into a repository of the site's as
# packages/queuecast/package.py, and begin spack in the folder that has the source archive. Cargo fetches the crates; where
# that cannot be, take the static program of the release instead (packaging/easybuild does).
# Not tried: Spack is in no registry that our machines reach.
import os

from spack.package import *


class Queuecast(Package):
    """Forecasts of when jobs start on Slurm clusters, advice about limits, partitions and sizes, and a simulator of
    policies and predictors on logs of batch clusters."""

    homepage = "https://localhost/queuecast"
    url = f"file://{os.getcwd()}/queuecast-@VERSION@.tar.gz"
    manual_download = True

    license("MIT OR Apache-2.0")

    version("@VERSION@", sha256="@SOURCE_SHA256@")

    depends_on("c", type="build")
    depends_on("rust@1.95:", type="build")

    def setup_build_environment(self, env):
        env.set("QCAST_COMMIT", "@COMMIT@")
        env.set("SOURCE_DATE_EPOCH", "@TIME@")

    def install(self, spec, prefix):
        cargo = which("cargo")
        cargo("install", "--locked", "--profile", "dist", "--path", "crates/cli", "--root", prefix)
        qcast = Executable(prefix.bin.qcast)
        qcast("man", prefix.share.man.man1)
        for shell, folder, name in (
            ("bash", "bash-completion/completions", "qcast"),
            ("zsh", "zsh/site-functions", "_qcast"),
            ("fish", "fish/vendor_completions.d", "qcast.fish"),
        ):
            mkdirp(join_path(prefix.share, folder))
            with open(join_path(prefix.share, folder, name), "w") as file:
                qcast("completions", shell, output=file)

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def it_runs(self):
        Executable(self.prefix.bin.qcast)("--version")
