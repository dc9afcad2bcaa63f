#!/usr/bin/env bash
# The daemon is restarted, upgraded, killed and stuck while clients write. Those go on, nothing that was answered is lost, and who watches
# is told of everything.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
people anna bert
for name in anna bert; do usermod -a -G notesd "$name"; done
configure <<'TOML'
[access]
write = ["@notesd"]
TOML
# The watchdog of the unit is for patient people.
mkdir -p /etc/systemd/system/notesd.service.d
printf '[Service]\nWatchdogSec=3s\n' >/etc/systemd/system/notesd.service.d/watchdog.conf
systemctl daemon-reload
notesctl list >/dev/null

chmod 755 "$work"
stop=$work/stop
notesctl watch --json --prefix load/ >"$work/watched" 2>"$work/watch-said" &
watcher=$!
wait_for 'the watch has begun' grep -q '"event":"synced"' "$work/watched"
writers=()
# Where this lies need not be a place that others may look into.
install -m 755 verification/systemd/writer.sh "$work/writer.sh"
for name in anna bert root; do
    mkdir "$work/$name"
    : >"$work/$name/$name.taken"
    : >"$work/$name/$name.failed"
    chown -R "$name" "$work/$name"
    if [ "$name" = root ]; then runner=(env); else runner=(as "$name"); fi
    "${runner[@]}" "$work/writer.sh" "$name" "$work/$name" "$stop" 2>"$work/$name/said" &
    writers+=($!)
done

# Every writer has got some further than it was.
goes_on() {
    local name
    for name in anna bert root; do
        [ "$(wc -l <"$work/$name/$name.taken")" -ge "$((${before[$name]} + 5))" ] || return 1
    done
}
declare -A before
# all_go_on WHAT: waits until every writer has had five more notes taken.
all_go_on() {
    local name
    for name in anna bert root; do before[$name]=$(wc -l <"$work/$name/$name.taken"); done
    wait_for "$1" goes_on
    ok "$1"
}

all_go_on 'three users write at once'
inode=$(stat -c %i "$system_socket")

# Asked to end, the daemon answers what it took; whoever comes then waits in the backlog of the socket.
for round in 1 2 3; do
    pid=$(main_pid)
    systemctl restart notesd.service
    wait_for 'the daemon was replaced' is_replaced "$pid"
    all_go_on "they go on after restart $round"
done
pid=$(main_pid)
install_package "$NEWER_PACKAGE"
wait_for 'the daemon was replaced' is_replaced "$pid"
all_go_on 'they go on after an upgrade'
expect 'none of them saw an error' '' "$(cat "$work"/*/*.failed)"
expect 'the socket is the one that it was' "$inode" "$(stat -c %i "$system_socket")"

# Killed, it answers nothing: whoever waits for an answer asks the next daemon, under the name of his write.
for round in 1 2 3; do
    pid=$(main_pid)
    kill -KILL "$pid"
    wait_for 'the daemon was replaced' is_replaced "$pid"
    all_go_on "they go on after kill $round"
done
expect 'none of them saw an error of that either' '' "$(cat "$work"/*/*.failed)"

# How often systemd found that the daemon had not been heard of.
watchdogs() {
    journalctl --sync
    journalctl --no-pager -o cat _PID=1 UNIT=notesd.service | grep -c 'Watchdog timeout' || true
}
has_timed_out() {
    [ "$(watchdogs)" -gt "$1" ]
}

# A daemon that does nothing at all.
pid=$(main_pid) seen=$(watchdogs)
kill -STOP "$pid"
wait_for 'systemd ends a daemon that stands still' has_timed_out "$seen"
wait_for 'and starts another' is_replaced "$pid"
ok 'systemd replaces a daemon that stands still'
all_go_on 'they go on after that'

# One that only looks alive: what it writes to the disk never gets there, and everything else of it runs.
if command -v strace >/dev/null; then
    pid=$(main_pid) seen=$(watchdogs)
    strace -f -qq -o /dev/null -e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_enter=600000000 -p "$pid" 2>"$work/strace" &
    tracer=$!
    wait_for 'systemd ends a daemon that cannot write' has_timed_out "$seen"
    # It holds on to what it watches, also after its end.
    kill -KILL "$tracer"
    wait_for 'and starts another' is_replaced "$pid"
    ok 'systemd replaces a daemon that cannot write'
    all_go_on 'they go on after that too'
fi

: >"$stop"
for writer in "${writers[@]}"; do wait "$writer"; done
expect 'and none of them saw an error' '' "$(cat "$work"/*/*.failed)"
expect 'no writer said anything else' '' "$(cat "$work"/*/said)"
cat "$work"/*/*.taken | sort >"$work/taken"
notesctl list --json --prefix load/ | sed -nE 's/.*"name":"([^"]*)".*/\1/p' | sort >"$work/there"
expect "of $(wc -l <"$work/taken") notes that were answered none is lost" '' "$(comm -23 "$work/taken" "$work/there" | head -n 5)"
notesctl export "$work/export" >/dev/null 2>&1
wrong=$(
    while read -r note; do
        name=${note#load/}
        printf '%s of %s\nwritten once\n' "${note##*/}" "${name%/*}" | cmp -s - "$work/export/$note.md" ||
            printf '%s of %s\nwritten once\n' "${note##*/}" "${name%/*}" | cmp -s - "$work/export/$note.txt" || echo "$note"
    done <"$work/there"
)
expect 'each has the text that was sent, whole' '' "$(head -n 5 <<<"$wrong")"

watched() {
    sed -nE 's/.*"change":"created".*"name":"(load[^"]*)".*/\1/p' "$work/watched" | sort
}
has_heard_all() {
    [ "$(watched | sort -u | wc -l)" -ge "$(wc -l <"$work/there")" ]
}
wait_for 'who watched is told of everything' has_heard_all
expect 'who watched was told of every note' '' "$(comm -13 <(watched | sort -u) "$work/there" | head -n 5)"
expect 'and of none twice' '' "$(watched | uniq -d | head -n 5)"
kill "$watcher"
expect_status 'the store is whole' 0 notesctl audit
