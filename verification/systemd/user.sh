#!/usr/bin/env bash
# A user's own service, in the user's own manager.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
systemctl disable --quiet --now notesd.socket
people anna bert
loginctl enable-linger anna
loginctl enable-linger bert
for name in anna bert; do wait_for "the manager of $name runs" systemctl is-active "user@$(id -u "$name").service"; done

# Of Anna, on the socket where a client looks without being told.
anna() {
    as anna env --unset=NOTESD_SOCKET "$@"
}
own() {
    anna systemctl --user show --value --property "$2" "$1"
}
socket=/run/user/$(id -u anna)/notesd/notesd.sock

expect_status 'a user opens a socket of her own' 0 anna systemctl --user enable --now notesd.socket
expect 'for herself alone' 'anna 600 700' "$(stat -c '%U %a' "$socket") $(stat -c %a "${socket%/*}")"
expect 'the daemon waits for her to connect' inactive "$(own notesd.service ActiveState)"
expect_status 'the first to connect starts it' 0 anna sh -c 'echo Milk | notesctl new shopping'
expect 'as herself' anna "$(stat -c %U "/proc/$(own notesd.service MainPID)")"
expect 'with her notes in her home, for her alone' 'anna 700' "$(stat -c '%U %a' /home/anna/.local/share/notesd)"
expect_status 'another user does not reach it' 77 as bert env "NOTESD_SOCKET=$socket" notesctl list
expect_status 'root does' 0 env "NOTESD_SOCKET=$socket" notesctl show shopping
status=/proc/$(own notesd.service MainPID)/status
expect_match 'it can gain no privileges' '^NoNewPrivs:.*1$' "$(cat "$status")"
expect_match 'and its system calls are filtered' '^Seccomp:.*2$' "$(cat "$status")"

# Bert has a service too, and neither sees the other's.
as bert systemctl --user enable --quiet --now notesd.socket
expect_status 'each user has notes of his own' 0 as bert env --unset=NOTESD_SOCKET notesctl list
expect 'and no others' '' "$said"

pid=$(own notesd.service MainPID) inode=$(stat -c %i "$socket")
is_back() {
    [ "$(own notesd.service MainPID)" != "$pid" ] && [ "$(own notesd.service ActiveState)" = active ]
}
kill -KILL "$pid"
wait_for 'a daemon that was killed is started again' is_back
expect_status 'a daemon that was killed is started again, with what it had' 0 anna notesctl show shopping
expect 'on the same socket' "$inode" "$(stat -c %i "$socket")"

pid=$(own notesd.service MainPID)
mkdir -p /home/anna/.config/notesd
printf '[log]\nlevle = "debug"\n' >/home/anna/.config/notesd/notesd.toml
expect_status 'a configuration that is wrong is refused' 1 anna systemctl --user reload notesd.service
printf '[log]\nlevel = "debug"\n' >/home/anna/.config/notesd/notesd.toml
expect_status 'one that is right is taken over' 0 anna systemctl --user reload notesd.service
expect 'by the daemon that runs' "$pid" "$(own notesd.service MainPID)"
journalctl --sync
expect_match 'the journal has what the daemon says under its unit' . "$(journalctl --no-pager -o cat "_UID=$(id -u anna)" _SYSTEMD_USER_UNIT=notesd.service)"

expect_status 'stopping the socket stops the daemon' 0 anna systemctl --user stop notesd.socket
expect 'for good' inactive "$(own notesd.service ActiveState)"
expect_status 'and a client is told that nobody is there' 69 anna notesctl list
