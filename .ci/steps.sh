# Functions that .ci/fast and .ci/run share: timed steps, lanes that run at the same time, and tools from package registries. Sourced, not run.
#
# Every step adds a line to target/gate/steps.tsv: name, lane, wall seconds, CPU seconds. `.ci/table` makes a page of such files.

gate=$PWD/target/gate
lane=main

# Prints the CPU seconds of this shell and of the children it has waited for.
cpu_seconds() {
    times >"$gate/times.$BASHPID"
    awk '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } } END { printf "%.1f", sum }' "$gate/times.$BASHPID"
}

# step NAME COMMAND...: runs the command and records how long it took. The name is the key of the table of times.
step() {
    local name=$1 begun=$SECONDS before after
    shift
    printf '\n== %s (%s s; %s free on the disk)\n' "$name" "$SECONDS" "$(df --output=avail -h . | tail -n 1 | tr -d ' ')"
    printf '%s\n' "$name" >"$gate/now.$lane"
    cpu_seconds >"$gate/before.$lane"
    "$@"
    cpu_seconds >"$gate/after.$lane"
    before=$(cat "$gate/before.$lane") after=$(cat "$gate/after.$lane")
    printf '%s\t%s\t%s\t%s\n' "$name" "$lane" "$((SECONDS - begun))" "$(awk "BEGIN { print $after - $before }")" >>"$gate/steps.tsv"
}

# lane NAME FUNCTION: runs the function in the background, with its output in target/gate/NAME.log.
declare -A lanes=()
lane() {
    (
        lane=$1
        "$2"
    ) >"$gate/$1.log" 2>&1 &
    lanes[$!]=$1
}

# Waits for all lanes and prints their output, one after the other. Fails if one has failed.
join_lanes() {
    local id failed=0
    for id in $(printf '%s\n' "${!lanes[@]}" | sort -n); do
        wait "$id" || { failed=1 && printf '\n!! lane %s failed in step: %s\n' "${lanes[$id]}" "$(cat "$gate/now.${lanes[$id]}")"; }
        cat "$gate/${lanes[$id]}.log"
        [ $failed = 0 ] || break
    done
    [ $failed = 0 ] || { jobs -p | xargs -r kill 2>/dev/null || true; }
    return $failed
}

# apt PACKAGE...: installs packages of Debian. Their services are not started.
apt() {
    local policy=/usr/sbin/policy-rc.d missing=()
    for package in "$@"; do
        [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    [ -e "$policy" ] || { printf '#!/bin/sh\nexit 101\n' >"$policy" && chmod 755 "$policy" && trap 'rm -f /usr/sbin/policy-rc.d' EXIT; }
    { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"; } >"$gate/apt.log" 2>&1 ||
        { cat "$gate/apt.log"; printf '!! apt-get could not install %s\n' "${missing[*]}"; return 1; }
}

# From here on every run of the compiler is listed in target/gate/compilers.tsv.
count_compilers() { export RUSTC_WRAPPER=$PWD/.ci/count-rustc QCAST_COMPILERS=$gate/compilers.tsv; }

# Installs the programs of .ci/tools.txt into target/tools, unless they are there.
tools() {
    local wanted
    wanted=$(sha256sum .ci/tools.txt)
    [ "$(cat target/tools/installed 2>/dev/null)" != "$wanted" ] || return 0
    python3 -m venv --clear target/tools
    target/tools/bin/pip install --quiet --disable-pip-version-check --require-hashes --no-deps --only-binary :all: --requirement .ci/tools.txt
    printf '%s\n' "$wanted" >target/tools/installed
}
