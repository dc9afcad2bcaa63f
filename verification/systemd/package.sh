#!/usr/bin/env bash
# The Debian package: installed, upgraded, removed, purged.
source "$(dirname "$0")/lib.sh"

# Builds it again with other settings and at another place.
(umask 077 && TZ=Asia/Kathmandu LC_ALL=C scripts/deb --fast --output "$work/again" --version "$(dpkg-deb -f "$PACKAGE" Version)" >/dev/null 2>&1)
expect 'the same programs give the same package' '' "$(cmp "$PACKAGE" "$work/again/${PACKAGE##*/}" 2>&1 || true)"
if command -v lintian >/dev/null; then
    expect 'lintian finds no errors in it' '' "$(lintian --allow-root "$PACKAGE" 2>&1 | grep '^E:' || true)"
fi

install_package "$PACKAGE"
expect 'the socket is enabled' enabled "$(systemctl is-enabled notesd.socket || true)"
expect 'the socket listens' active "$(systemctl is-active notesd.socket || true)"
expect 'the daemon waits for a connection' inactive "$(systemctl is-active notesd.service || true)"
expect 'the socket is for the group' 'root notesd 660' "$(stat -c '%U %G %a' "$system_socket")"
expect 'every file is unchanged since packing' '' "$(dpkg --verify notesd)"
# A directory is shared with other packages. A file has an owner, and no other user may write it.
expect 'all files are root'"'"'s, and no other user may write them' '' \
    "$(dpkg -L notesd | while read -r path; do if [ -f "$path" ]; then find "$path" \( -not -user root -o -perm /022 \); fi; done)"
for page in notesd.8 notesctl.1; do
    expect "the manual has $page" "/usr/share/man/man${page#*.}/$page.gz" "$(man -w "${page%.*}")"
done
for unit in system/notesd.service system/notesd.socket; do
    expect "systemd accepts the $unit" '' "$(systemd-analyze verify "/usr/lib/systemd/$unit" 2>&1)"
done
expect_status 'the first connection starts the daemon' 0 sh -c 'echo Milk | notesctl new shopping'

pid=$(main_pid) inode=$(stat -c %i "$system_socket") since=$(property notesd.socket ActiveEnterTimestampMonotonic)
install_package "$NEWER_PACKAGE"
wait_for 'an upgrade restarts the daemon' is_replaced "$pid"
ok 'an upgrade restarts a running daemon'
expect 'its socket stayed open' "$inode $since" "$(stat -c %i "$system_socket") $(property notesd.socket ActiveEnterTimestampMonotonic)"
expect_status 'the notes are there' 0 notesctl show shopping
expect 'the text is unchanged' Milk "$said"

systemctl stop notesd.service
install_package "$PACKAGE"
expect 'an upgrade does not start a stopped daemon' inactive "$(systemctl is-active notesd.service || true)"
systemctl disable --quiet --now notesd.socket
install_package "$NEWER_PACKAGE"
expect 'an upgrade does not enable a disabled socket' 'disabled inactive' \
    "$(systemctl is-enabled notesd.socket || true) $(systemctl is-active notesd.socket || true)"
systemctl enable --quiet --now notesd.socket
notesctl show shopping >/dev/null

dpkg --remove notesd >/dev/null
expect 'removing it stops the daemon' 0 "$(pgrep -c -x notesd || true)"
expect 'removing it closes the socket' no "$(if [ -e "$system_socket" ]; then echo yes; else echo no; fi)"
expect 'the configuration stays' yes "$(if [ -f /etc/notesd/notesd.toml ]; then echo yes; fi)"
install_package "$PACKAGE"
expect_status 'a new installation has the notes' 0 notesctl show shopping

echo '[access]' >/etc/notesd/conf.d/10-access.toml
dpkg --purge notesd >"$work/purge" 2>&1
expect_match 'purging it prints that the notes are kept' '/var/lib/notesd' "$(cat "$work/purge")"
expect 'the notes are kept' yes "$(if [ -n "$(ls -A /var/lib/notesd)" ]; then echo yes; fi)"
expect 'the configuration of the package is gone' no "$(if [ -e /etc/notesd/notesd.toml ]; then echo yes; else echo no; fi)"
expect 'a file that an administrator added is kept' yes "$(if [ -e /etc/notesd/conf.d/10-access.toml ]; then echo yes; fi)"
expect 'nothing refers to the socket' '' "$(find /etc/systemd /var/lib/systemd/deb-systemd-helper-* -name '*notesd*' 2>/dev/null)"

rm /etc/notesd/conf.d/10-access.toml
install_package "$PACKAGE"
expect_status 'another installation has the notes' 0 notesctl show shopping
NOTESD_PURGE_NOTES=yes dpkg --purge notesd >/dev/null 2>&1
expect 'purging it with NOTESD_PURGE_NOTES=yes deletes them' no "$(if [ -e /var/lib/notesd ]; then echo yes; else echo no; fi)"
expect 'it leaves nothing in /etc' no "$(if [ -e /etc/notesd ]; then echo yes; else echo no; fi)"
