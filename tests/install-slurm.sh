#!/usr/bin/env bash
# Installs the real Slurm of Debian 12 (22.05) and what the lab in tests/slurm-lab starts around it. Run as root.
# Quiet, and done at once where everything is there already. No system service is started or changed.
set -euo pipefail

# slurm-wlm-emulator is left out on purpose: its daemons refuse to start (built without front-end mode).
packages=(slurmctld slurmd slurmdbd slurmrestd slurm-client
    slurm-wlm-basic-plugins slurm-wlm-mysql-plugin slurm-wlm-jwt-plugin
    munge mariadb-server libnss-wrapper libfaketime faketime curl)

missing=()
for package in "${packages[@]}"; do
    [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" = 0 ] || { echo "install-slurm: run as root to install ${missing[*]}" >&2; exit 1; }

# Debian's packages start their services when installed; the lab brings its own, so nothing may be started here.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
fi

log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
{ apt-get update -qq && apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$log" 2>&1 ||
    { cat "$log" >&2; echo "install-slurm: failed" >&2; exit 1; }
rm -f "$log"
