#!/usr/bin/env bash
# Users of the shared service with different rights, and a configuration that is changed while it runs.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
people anna bert carl dora erik
groupadd editors
for name in anna bert carl erik; do usermod -a -G notesd "$name"; done
usermod -a -G editors erik
configure <<'TOML'
[access]
read = ["bert"]
write = ["anna", "@editors"]
TOML

expect_status 'one who may write makes a note' 0 as anna sh -c 'echo "Of Anna" | notesctl new team/plan'
expect_status 'one who may read sees it' 0 as bert notesctl show team/plan
expect 'as it was written' 'Of Anna' "$said"
expect_status 'but cannot change it' 77 as bert sh -c 'echo "Of Bert" | notesctl save team/plan --replace'
expect_status 'nor delete it' 77 as bert notesctl rm team/plan
expect_status 'one whose group may write does' 0 as erik sh -c 'echo "Of Erik" | notesctl save team/plan --replace'
expect_status 'one who is in no list is not let in' 77 as carl notesctl list
expect_status 'one who is not in the group does not even reach the socket' 1 as dora test -w "$system_socket"
expect_status 'and is told so' 77 as dora notesctl list
expect 'who wrote is known by the system'"'"'s names' 'erik anna' \
    "$(notesctl history team/plan --json | sed -E 's/.*"user":"([^"]*)".*/\1/' | xargs)"
expect_status 'root may do everything' 0 sh -c 'notesctl rm team/plan && echo "Of root" | notesctl new team/plan'
for name in bert carl dora; do
    expect_status "$name"' cannot go around the daemon' 2 as "$name" ls /var/lib/notesd
done

# A configuration that is right is taken over, by the daemon that runs, and by connections that are open.
pid=$(main_pid)
configure <<'TOML'
[access]
read = ["carl"]
write = ["anna", "bert"]
TOML
expect_status 'a configuration that is right is taken over' 0 systemctl reload notesd.service
may_write() {
    as "$1" sh -c 'echo "Of somebody" | notesctl save team/plan --replace'
}
wait_for 'one who could only read now writes' may_write bert
ok 'one who could only read now writes'
expect_status 'one who was not let in now reads' 0 as carl notesctl show team/plan
expect_status 'one who is not in a list any more is not let in' 77 as erik notesctl show team/plan
expect 'the daemon was not started again' "$pid" "$(main_pid)"

# One that is wrong is refused, by systemctl and by the daemon, and the old one holds.
configure <<'TOML'
[access]
wrote = ["carl"]
TOML
expect_status 'systemctl refuses a configuration that is wrong' 1 systemctl reload notesd.service
# What a process printed that has ended may come to the journal after it.
journal_says_why() {
    messages | grep -E '/etc/notesd/conf\.d/50-test\.toml.*wrote'
}
wait_for 'the journal says where and why' journal_says_why
ok 'and the journal says where and why'
expect 'the service goes on' "$pid active" "$(main_pid) $(systemctl is-active notesd.service || true)"
before=$(messages | grep -c wrote || true)
systemctl kill --kill-whom=main --signal=HUP notesd.service
daemon_refused() {
    [ "$(messages | grep -c wrote || true)" -gt "$before" ]
}
wait_for 'the daemon refuses it too' daemon_refused
ok 'a daemon that is told to read it says why it does not'
expect_status 'and what held before holds' 0 as bert notesctl show team/plan
expect_status 'for everybody' 77 as erik notesctl show team/plan
expect 'it is still the same daemon' "$pid" "$(main_pid)"

configure <<'TOML'
[access]
admin = ["anna"]
read = ["erik"]
TOML
systemctl reload notesd.service
wait_for 'the next right one is taken over' as erik notesctl show team/plan
ok 'the next that is right is taken over'
expect_status 'one who may administrate may do what others do' 0 as anna notesctl show team/plan

# A daemon that cannot start leaves the socket to those who wait, also after more failures than systemd usually bears.
configure <<'TOML'
[access]
wrote = ["anna"]
TOML
systemctl stop notesd.service
as anna notesctl show team/plan >"$work/waited" 2>&1 &
waiter=$!
has_failed_often() {
    [ "$(property notesd.service NRestarts)" -ge 6 ]
}
wait_for 'systemd tries again and again' has_failed_often
expect 'the socket outlives a daemon that does not start' active "$(systemctl is-active notesd.socket || true)"
configure <<'TOML'
[access]
write = ["anna"]
TOML
wait_for 'a configuration that was put right heals it' as anna notesctl show team/plan
ok 'a configuration that was put right heals it, without anybody'
wait "$waiter" || expect_match 'who waited too long was told so' 'no answer' "$(cat "$work/waited")"
