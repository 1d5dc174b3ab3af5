# Ends a lab whose process was killed before it could do so itself. Arguments: the lab's folder.
# Standard input is a pipe from that process: it ends when the process does, however it died.
folder=$1
while read -r _; do :; done
[ -d "$folder" ] || exit 0

# begun_and_parent NUMBER: sets $begun (clock ticks) and $parent of a process, if it is there.
begun_and_parent() {
    begun= parent=
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
    set -- ${stat##*) }
    parent=$2 begun=${20}
}

# Who belongs to the lab: as in leftovers.rs.
belongs() {
    grep -qsz "^QCAST_LAB=$folder\$" "/proc/$1/environ" && return 0
    case $(readlink "/proc/$1/exe") in
    */slurm*) ls -ld "/proc/$1/cwd" "/proc/$1/fd/"* 2>/dev/null | grep -qF -e "-> $folder/" && return 0 ;;
    esac
    begun_and_parent "$1" || return 1
    case $found in *" $parent "*) return 0 ;; esac
    return 1
}

if [ -e "$folder/run/processes" ]; then
    while read -r name number ticks; do
        # As in process.rs: a number whose process began at another time belongs to somebody else by now.
        begun_and_parent "$number" && [ "$begun" = "$ticks" ] && kill -KILL "$number"
    done <"$folder/run/processes"
fi
# Until nobody is left, since a step that is ended may just have begun another process. A child may be listed before
# its parent, so everybody is looked at three times: steps, scripts, what scripts have started.
for _ in 1 2 3 4 5; do
    found=" "
    for _ in 1 2 3; do
        for process in /proc/[0-9]*; do
            number=${process#/proc/}
            case $found in *" $number "*) continue ;; esac
            [ "$number" != $$ ] && belongs "$number" && found="$found$number "
        done
    done
    [ "$found" != " " ] || break
    kill -KILL $found 2>/dev/null
    sleep 0.2
done
for name in $(cat "$folder/run/clock" 2>/dev/null); do
    rm -f "/dev/shm$name" "/dev/shm/sem.${name#/}"
done
rm -rf "$folder"
