#!/usr/bin/env bash
# A user's own service, in the user's own manager.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
systemctl disable --quiet --now notesd.socket
people anna bert
loginctl enable-linger anna
loginctl enable-linger bert
for name in anna bert; do wait_for "the manager of $name runs" systemctl is-active "user@$(id -u "$name").service"; done

# Anna's service, on the socket that a client uses by default.
anna() {
    as anna env --unset=NOTESD_SOCKET "$@"
}
own() {
    anna systemctl --user show --value --property "$2" "$1"
}
socket=/run/user/$(id -u anna)/notesd/notesd.sock

expect_status 'a user enables a socket' 0 anna systemctl --user enable --now notesd.socket
expect 'only the user can use it' 'anna 600 700' "$(stat -c '%U %a' "$socket") $(stat -c %a "${socket%/*}")"
expect 'the daemon waits for a connection' inactive "$(own notesd.service ActiveState)"
expect_status 'the first connection starts the daemon' 0 anna sh -c 'echo Milk | notesctl new shopping'
expect 'the daemon runs as the user' anna "$(stat -c %U "/proc/$(own notesd.service MainPID)")"
expect 'the notes are private, in the home of the user' 'anna 700' "$(stat -c '%U %a' /home/anna/.local/share/notesd)"
expect_status 'another user cannot open the socket' 77 as bert env "NOTESD_SOCKET=$socket" notesctl list
expect_status 'root can' 0 env "NOTESD_SOCKET=$socket" notesctl show shopping
status=/proc/$(own notesd.service MainPID)/status
expect_match 'it can gain no privileges' '^NoNewPrivs:.*1$' "$(cat "$status")"
expect_match 'its system calls are filtered' '^Seccomp:.*2$' "$(cat "$status")"

# A folder of Anna's is kept in step by a service of hers.
folder=/home/anna/Notes
install -d -o anna "$folder"
mirror=notesd-mirror@$(systemd-escape --path "$folder").service
expect_status 'a user enables a mirror' 0 anna notesctl mirror enable "$folder"
expect_match 'the command names the unit' "$mirror" "$said"
holds() {
    [ "$(cat "$1" 2>/dev/null)" = "$2" ]
}
wait_for 'the notes are in the folder' holds "$folder/shopping.md" Milk
as anna sh -c "echo Bread > $folder/bakery.md"
is_shown() {
    [ "$(anna notesctl show "$1" 2>/dev/null)" = "$2" ]
}
wait_for 'a new file becomes a note' is_shown bakery Bread
anna sh -c 'echo Rolls | notesctl append bakery'
wait_for 'a change of the note reaches the file' holds "$folder/bakery.md" "$(printf 'Bread\nRolls')"
expect_match 'its system calls are filtered too' '^Seccomp:.*2$' "$(cat "/proc/$(own "$mirror" MainPID)/status")"
expect_status 'the folder is in step' 0 anna notesctl mirror status "$folder"
expect_status 'enabling it again changes nothing' 0 anna notesctl mirror enable "$folder"
expect_status 'its record stays while it runs' 75 anna notesctl mirror forget "$folder"
expect_status 'a user disables it' 0 anna notesctl mirror disable "$folder"
expect 'it is stopped' inactive "$(own "$mirror" ActiveState)"
expect_status 'the record goes' 0 anna notesctl mirror forget "$folder"
expect_status 'the note is deleted again' 0 anna notesctl rm bakery

# A service of Anna's keeps her notes in step with another store of hers.
install -d -o anna -m 700 /home/anna/other
as anna systemd-run --user --quiet --collect --unit=other notesd --socket /home/anna/other/notesd.sock --data /home/anna/other/data
other() {
    as anna env NOTESD_SOCKET=/home/anna/other/notesd.sock notesctl "$@"
}
wait_for 'the other daemon runs' other status
expect_status 'a user adds a peer' 0 anna notesctl peer add --yes other unix:/home/anna/other/notesd.sock
sync=notesd-sync@other.service
expect_match 'the command names the unit' "$sync" "$said"
expect 'the other store has her note' Milk "$(other show shopping)"
as anna sh -c 'echo Tea | NOTESD_SOCKET=/home/anna/other/notesd.sock notesctl append shopping' >/dev/null
wait_for 'a change there comes here' is_shown shopping "$(printf 'Milk\nTea')"
expect_match 'its system calls are filtered too' '^Seccomp:.*2$' "$(cat "/proc/$(own "$sync" MainPID)/status")"
expect_match 'the list of peers shows the state' 'other +0 missing there +up to date' "$(anna notesctl peer list)"
as anna systemctl --user stop other.service
is_waiting() {
    anna notesctl peer list | grep -q 'waiting'
}
wait_for 'the list says that it waits' is_waiting
expect_status 'a user removes the peer' 0 anna notesctl peer remove other
expect 'it is stopped' inactive "$(own "$sync" ActiveState)"
anna notesctl filter shopping -- sed 2d

# Bert has a service too, and neither user sees the notes of the other.
as bert systemctl --user enable --quiet --now notesd.socket
expect_status 'each user has separate notes' 0 as bert env --unset=NOTESD_SOCKET notesctl list
expect 'there are no others' '' "$said"

pid=$(own notesd.service MainPID) inode=$(stat -c %i "$socket")
is_back() {
    [ "$(own notesd.service MainPID)" != "$pid" ] && [ "$(own notesd.service ActiveState)" = active ]
}
kill -KILL "$pid"
wait_for 'a killed daemon is restarted' is_back
expect_status 'a killed daemon is restarted with its notes' 0 anna notesctl show shopping
expect 'it uses the same socket' "$inode" "$(stat -c %i "$socket")"

pid=$(own notesd.service MainPID)
mkdir -p /home/anna/.config/notesd
printf '[log]\nlevle = "debug"\n' >/home/anna/.config/notesd/notesd.toml
expect_status 'an invalid configuration is refused' 1 anna systemctl --user reload notesd.service
printf '[log]\nlevel = "debug"\n' >/home/anna/.config/notesd/notesd.toml
expect_status 'a valid configuration is applied' 0 anna systemctl --user reload notesd.service
expect 'the running daemon applied it' "$pid" "$(own notesd.service MainPID)"
journalctl --sync
expect_match 'the journal has the messages of the daemon under its unit' . "$(journalctl --no-pager -o cat "_UID=$(id -u anna)" _SYSTEMD_USER_UNIT=notesd.service)"

expect_status 'stopping the socket stops the daemon' 0 anna systemctl --user stop notesd.socket
expect 'the daemon stays inactive' inactive "$(own notesd.service ActiveState)"
expect_status 'a client reports that it cannot connect' 69 anna notesctl list
