#!/usr/bin/env bash
# Tests users of the shared service with different rights, and a change of the configuration while
# it runs.
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

expect_status 'a user with write access creates a note' 0 as anna sh -c 'echo "Of Anna" | notesctl new team/plan'
expect_status 'a user with read access reads it' 0 as bert notesctl show team/plan
expect 'the text is the one written' 'Of Anna' "$said"
expect_status 'a user with read access cannot change it' 77 as bert sh -c 'echo "Of Bert" | notesctl save team/plan --replace'
expect_status 'a user with read access cannot delete it' 77 as bert notesctl rm team/plan
expect_status 'a member of a group with write access can change it' 0 as erik sh -c 'echo "Of Erik" | notesctl save team/plan --replace'
expect_status 'a user who is in no list is refused' 77 as carl notesctl list
expect_status 'a user outside the group cannot open the socket' 1 as dora test -w "$system_socket"
expect_status 'notesctl reports that' 77 as dora notesctl list
expect 'the history has the system'"'"'s user names' 'erik anna' \
    "$(notesctl history team/plan --json | sed -E 's/.*"user":"([^"]*)".*/\1/' | xargs)"
expect_status 'root may do everything' 0 sh -c 'notesctl rm team/plan && echo "Of root" | notesctl new team/plan'
for name in bert carl dora; do
    expect_status "$name"' cannot bypass the daemon' 2 as "$name" ls /var/lib/notesd
done

# The running daemon applies a valid configuration, also to open connections.
pid=$(main_pid)
configure <<'TOML'
[access]
read = ["carl"]
write = ["anna", "bert"]
TOML
expect_status 'a valid configuration is applied' 0 systemctl reload notesd.service
may_write() {
    as "$1" sh -c 'echo "Of somebody" | notesctl save team/plan --replace'
}
wait_for 'a user who could only read can write now' may_write bert
ok 'a user who could only read can write now'
expect_status 'a user who was refused can read now' 0 as carl notesctl show team/plan
expect_status 'a user who is not in a list any more is refused' 77 as erik notesctl show team/plan
expect 'the daemon was not restarted' "$pid" "$(main_pid)"

# systemctl and the daemon both refuse an invalid one, and the old one stays in force.
configure <<'TOML'
[access]
wrote = ["carl"]
TOML
expect_status 'systemctl refuses an invalid configuration' 1 systemctl reload notesd.service
# The output of a process that has ended may reach the journal late.
journal_says_why() {
    messages | grep -E '/etc/notesd/conf\.d/50-test\.toml.*wrote'
}
wait_for 'the journal has the place and the reason' journal_says_why
ok 'the journal has the place and the reason'
expect 'the service continues' "$pid active" "$(main_pid) $(systemctl is-active notesd.service || true)"
before=$(messages | grep -c wrote || true)
systemctl kill --kill-whom=main --signal=HUP notesd.service
daemon_refused() {
    [ "$(messages | grep -c wrote || true)" -gt "$before" ]
}
wait_for 'the daemon refuses it too' daemon_refused
ok 'a daemon that receives SIGHUP reports why it refuses the configuration'
expect_status 'the earlier configuration stays in force' 0 as bert notesctl show team/plan
expect_status 'for everybody' 77 as erik notesctl show team/plan
expect 'it is still the same daemon' "$pid" "$(main_pid)"

configure <<'TOML'
[access]
admin = ["anna"]
read = ["erik"]
TOML
systemctl reload notesd.service
wait_for 'the next valid configuration is applied' as erik notesctl show team/plan
ok 'the next valid configuration is applied'
expect_status 'an administrator has the rights of the others' 0 as anna notesctl show team/plan

# systemd does not restart a daemon whose configuration is invalid. The daemon refuses the clients that
# wait, and the socket stays open for the next one.
configure <<'TOML'
[access]
wrote = ["anna"]
TOML
systemctl stop notesd.service
expect_status 'a client learns that the configuration is invalid' 69 as anna notesctl show team/plan
expect_match 'it says what to do' 'configuration is invalid.*notesctl doctor' "$said"
for _ in $(seq 40); do as anna notesctl show team/plan >/dev/null 2>&1 || true; done
expect 'the socket stays active, however many clients come' active "$(systemctl is-active notesd.socket || true)"
has_ended() {
    [ "$(systemctl is-active notesd.service)" = failed ]
}
wait_for 'the daemon ends' has_ended
expect 'systemd does not restart it' '0 78' "$(property notesd.service NRestarts) $(property notesd.service ExecMainStatus)"
expect_status 'doctor reports a fault' 69 notesctl doctor
expect_match 'doctor gives the reason' 'FAULT  units .*50-test.toml.*wrote.*exit code 78' "$said"
configure <<'TOML'
[access]
write = ["anna"]
TOML
wait_for 'a corrected configuration solves it' as anna notesctl show team/plan
ok 'a corrected configuration solves it without a manual restart'

# After any other failure, systemd tries again, and clients wait.
systemctl stop notesd.service
exec 9>>/var/lib/notesd/lock
flock --nonblock 9
as anna notesctl show team/plan >"$work/waited" 2>&1 &
waiter=$!
has_failed_often() {
    [ "$(property notesd.service NRestarts)" -ge 6 ]
}
wait_for 'systemd tries again and again' has_failed_often
expect 'the socket stays active while the daemon does not start' active "$(systemctl is-active notesd.socket || true)"
expect_status 'doctor reports that the daemon does not start' 69 notesctl doctor
expect_match 'doctor gives that reason too' 'FAULT  units .*another notesd.*exit code 75' "$said"
exec 9>&-
wait_for 'the daemon starts when the cause is gone' as anna notesctl show team/plan
ok 'the daemon starts when the cause is gone'
wait "$waiter" || expect_match 'a client that waited too long reports that' 'no response' "$(cat "$work/waited")"
