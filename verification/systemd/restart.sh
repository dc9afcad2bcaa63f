#!/usr/bin/env bash
# Restarts, upgrades, kills and stops the daemon while clients write. The clients must continue, no
# acknowledged note may be lost, and a watch must receive every change.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
people anna bert
for name in anna bert; do usermod -a -G notesd "$name"; done
configure <<'TOML'
[access]
write = ["@notesd"]
TOML
# The unit's own watchdog timeout is too long for a test.
mkdir -p /etc/systemd/system/notesd.service.d
printf '[Service]\nWatchdogSec=3s\n' >/etc/systemd/system/notesd.service.d/watchdog.conf
systemctl daemon-reload
notesctl list >/dev/null

chmod 755 "$work"
stop=$work/stop
notesctl watch --json --prefix load/ >"$work/watched" 2>"$work/watch-said" &
watcher=$!
wait_for 'the watch is synced' grep -q '"event":"synced"' "$work/watched"
writers=()
# Other users may not have access to this folder.
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

# Succeeds if every writer has progressed since the call.
goes_on() {
    local name
    for name in anna bert root; do
        [ "$(wc -l <"$work/$name/$name.taken")" -ge "$((${before[$name]} + 5))" ] || return 1
    done
}
declare -A before
# all_go_on WHAT: waits until every writer has five more acknowledged notes.
all_go_on() {
    local name
    for name in anna bert root; do before[$name]=$(wc -l <"$work/$name/$name.taken"); done
    wait_for "$1" goes_on
    ok "$1"
}

all_go_on 'three users write at once'
inode=$(stat -c %i "$system_socket")

# A daemon that shuts down answers the requests that it has read; later clients wait in the backlog
# of the socket.
for round in 1 2 3; do
    pid=$(main_pid)
    systemctl restart notesd.service
    wait_for 'the daemon was replaced' is_replaced "$pid"
    all_go_on "the writers continue after restart $round"
done
pid=$(main_pid)
install_package "$NEWER_PACKAGE"
wait_for 'the daemon was replaced' is_replaced "$pid"
all_go_on 'the writers continue after an upgrade'
expect 'no writer saw an error' '' "$(cat "$work"/*/*.failed)"
expect 'the socket has not changed' "$inode" "$(stat -c %i "$system_socket")"

# A killed daemon answers nothing: a client without a response asks the next daemon, with the op of
# its write.
for round in 1 2 3; do
    pid=$(main_pid)
    kill -KILL "$pid"
    wait_for 'the daemon was replaced' is_replaced "$pid"
    all_go_on "the writers continue after kill $round"
done
expect 'no writer saw an error of a kill' '' "$(cat "$work"/*/*.failed)"

# The number of watchdog timeouts that systemd has logged.
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
wait_for 'systemd ends a stopped daemon' has_timed_out "$seen"
wait_for 'systemd starts another daemon' is_replaced "$pid"
ok 'systemd replaces a stopped daemon'
all_go_on 'the writers continue after that'

# A daemon that only looks alive: its syncs never finish, and everything else runs.
if command -v strace >/dev/null; then
    pid=$(main_pid) seen=$(watchdogs)
    strace -f -qq -o /dev/null -e trace=fsync,fdatasync -e inject=fsync,fdatasync:delay_enter=600000000 -p "$pid" 2>"$work/strace" &
    tracer=$!
    wait_for 'systemd ends a daemon that cannot write' has_timed_out "$seen"
    # strace holds on to the traced process, even after its end.
    kill -KILL "$tracer"
    wait_for 'systemd starts another daemon' is_replaced "$pid"
    ok 'systemd replaces a daemon that cannot write'
    all_go_on 'the writers continue after that too'
fi

: >"$stop"
for writer in "${writers[@]}"; do wait "$writer"; done
expect 'no writer saw an error' '' "$(cat "$work"/*/*.failed)"
expect 'no writer printed anything else' '' "$(cat "$work"/*/said)"
cat "$work"/*/*.taken | sort >"$work/taken"
notesctl list --json --prefix load/ | sed -nE 's/.*"name":"([^"]*)".*/\1/p' | sort >"$work/there"
expect "of $(wc -l <"$work/taken") acknowledged notes, none is lost" '' "$(comm -23 "$work/taken" "$work/there" | head -n 5)"
notesctl export "$work/export" >/dev/null 2>&1
wrong=$(
    while read -r note; do
        name=${note#load/}
        printf '%s of %s\nwritten once\n' "${note##*/}" "${name%/*}" | cmp -s - "$work/export/$note.md" ||
            printf '%s of %s\nwritten once\n' "${note##*/}" "${name%/*}" | cmp -s - "$work/export/$note.txt" || echo "$note"
    done <"$work/there"
)
expect 'each note has the complete text that was sent' '' "$(head -n 5 <<<"$wrong")"

watched() {
    sed -nE 's/.*"change":"created".*"name":"(load[^"]*)".*/\1/p' "$work/watched" | sort
}
has_heard_all() {
    [ "$(watched | sort -u | wc -l)" -ge "$(wc -l <"$work/there")" ]
}
wait_for 'the watch receives everything' has_heard_all
expect 'the watch received every note' '' "$(comm -13 <(watched | sort -u) "$work/there" | head -n 5)"
expect 'the watch received no note twice' '' "$(watched | uniq -d | head -n 5)"
kill "$watcher"
expect_status 'the store is intact' 0 notesctl audit
