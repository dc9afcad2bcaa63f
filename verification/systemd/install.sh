#!/usr/bin/env bash
# `make install` and `make uninstall`; systemd accepts the units; the first connection starts the
# daemon.
source "$(dirname "$0")/lib.sh"

# Without a build: `make install` runs this.
PREFIX=/usr/local scripts/install >"$work/installed"
systemd-sysusers
systemctl daemon-reload
expect_match 'the user of the shared service exists' '^notesd:.*:/var/lib/notesd:/usr/sbin/nologin$' "$(getent passwd notesd)"
expect 'the manual is found' /usr/local/share/man/man8/notesd.8 "$(realpath "$(man -w notesd)")"
expect 'the manual of the client is found' /usr/local/share/man/man1/notesctl.1 "$(realpath "$(man -w notesctl)")"
expect_match 'the units name the installed programs' '^ExecStart=/usr/local/bin/notesd ' \
    "$(systemctl cat notesd.service | grep ^ExecStart=)"
bash -n /usr/local/share/bash-completion/completions/notesctl
ok 'bash can read its completions'

journalctl --update-catalog
unknown=$(sed -n 's/^-- //p' systemd/notesd.catalog | while read -r id; do grep -q "\"$id\"" Sources/notesd/Logging/LogCatalog.swift || echo "$id"; done)
expect 'the catalog explains only existing messages' '' "$unknown"
expect_match 'journalctl can explain them' 'The notes daemon refused a configuration' \
    "$(journalctl --list-catalog a49fff97f5f94a0bacfa02e764c3b615 2>&1)"

# It exits with 0 on lines that it ignores, so it must print nothing, too.
for unit in notesd.service notesd.socket; do
    expect "systemd accepts the system's $unit" '' "$(systemd-analyze verify --man=yes "/usr/local/lib/systemd/system/$unit" 2>&1)"
    mkdir -p /run/user/0
    expect "systemd accepts the user's $unit" '' \
        "$(XDG_RUNTIME_DIR=/run/user/0 systemd-analyze verify --user --man=yes "/usr/local/lib/systemd/user/$unit" 2>&1)"
done
mirror=notesd-mirror@home-ada-Notes.service
ln -s notesd-mirror@.service "/usr/local/lib/systemd/user/$mirror"
expect "systemd accepts the user's notesd-mirror@.service" '' \
    "$(XDG_RUNTIME_DIR=/run/user/0 systemd-analyze verify --user --man=yes "/usr/local/lib/systemd/user/$mirror" 2>&1)"
rm "/usr/local/lib/systemd/user/$mirror"
ln -s notesd-sync@.service /usr/local/lib/systemd/user/notesd-sync@server.service
expect "systemd accepts the user's notesd-sync@.service" '' \
    "$(XDG_RUNTIME_DIR=/run/user/0 systemd-analyze verify --user --man=yes /usr/local/lib/systemd/user/notesd-sync@server.service 2>&1)"
rm /usr/local/lib/systemd/user/notesd-sync@server.service
score=$(systemd-analyze security --offline=yes /usr/local/lib/systemd/system/notesd.service | sed -nE 's/.*Overall exposure level[^:]*: ([0-9.]+) .*/\1/p')
expect "the shared service's exposure of $score is at most 1.0" yes "$(awk -v score="$score" 'BEGIN { print (score != "" && score <= 1.0) ? "yes" : "no" }')"

systemctl enable --now --quiet notesd.socket
expect 'the socket listens' active "$(systemctl is-active notesd.socket || true)"
expect 'the daemon does not run' inactive "$(systemctl is-active notesd.service || true)"
expect 'the socket is for the group' 'root notesd 660' "$(stat -c '%U %G %a' "$system_socket")"
inode=$(stat -c %i "$system_socket")
expect_status 'the first connection starts the daemon' 0 sh -c 'echo Hello | notesctl new first'
expect 'systemd knows that it is ready' 'active running' "$(property notesd.service ActiveState) $(property notesd.service SubState)"
expect_match 'its status contains the number of notes' '(^|[^0-9])[01] note' "$(property notesd.service StatusText)"
expect 'it uses the existing socket' "$inode" "$(stat -c %i "$system_socket")"
expect 'only its user can read the notes' 'notesd notesd 700' "$(stat -c '%U %G %a' /var/lib/notesd)"
expect_match 'the exposure of the running service is low' ' (0\.[0-9]|1\.0) ' "$(systemd-analyze security --no-pager notesd.service | tail -n 1)"

systemctl stop notesd.service
expect_status 'the next client starts a stopped daemon' 0 notesctl show first
expect 'it has the earlier notes' Hello "$said"
systemctl stop notesd.socket
expect 'stopping the socket stops the daemon' inactive "$(systemctl is-active notesd.service || true)"
expect_status 'a client cannot connect' 69 notesctl show first

systemctl disable --quiet notesd.socket
echo '# changed' >>/etc/notesd/notesd.toml
PREFIX=/usr/local scripts/install list >"$work/list"
PREFIX=/usr/local scripts/install uninstall >/dev/null
left=$(while read -r path; do if [ -e "$path" ]; then echo "$path"; fi; done <"$work/list")
expect 'uninstalling removes the installed files' '' "$left"
expect 'a changed configuration stays' '# changed' "$(tail -n 1 /etc/notesd/notesd.toml)"
expect 'the notes stay' yes "$(if [ -n "$(ls -A /var/lib/notesd)" ]; then echo yes; fi)"
