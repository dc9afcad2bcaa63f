#!/usr/bin/env bash
# Backs up the running service inside its sandbox, and restores a store from the backup.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
echo Milk | notesctl new shopping >/dev/null
expect_status 'a running service is backed up' 0 notesctl backup
echo Bread | notesctl save shopping --replace >/dev/null
backup=$(find /var/lib/notesd/backups -type f)
expect 'the backup is one file' 1 "$(wc -l <<<"$backup")"
expect 'nobody else can read it' 'notesd 600' "$(stat -c '%U %a' "$backup")"

# The timer is installed, but disabled. Its service deletes only old files with the daemon's names.
expect 'the timer of backups is disabled' disabled "$(systemctl is-enabled notesd-backup.timer || true)"
units=(notesd-backup.service notesd-backup.timer)
expect 'systemd accepts its units' '' "$(systemd-analyze verify "${units[@]/#//usr/lib/systemd/system/}" 2>&1)"
for name in notesd-20200102T030405Z.db by-hand.db; do
    install -o notesd -g notesd -m 600 /dev/null "/var/lib/notesd/backups/$name"
    touch -d '40 days ago' "/var/lib/notesd/backups/$name"
done
expect_status 'an administrator enables it' 0 systemctl enable --quiet --now notesd-backup.timer
expect_status 'its service makes a backup' 0 systemctl start notesd-backup.service
expect 'the old backup is deleted, and no other file' 'by-hand.db notesd notesd' \
    "$(find /var/lib/notesd/backups -type f -printf '%f\n' | sed -E 's/^notesd-.*/notesd/' | sort | xargs)"
rm /var/lib/notesd/backups/by-hand.db

mkdir /srv/backups && chown notesd /srv/backups
refused=0
said=$(notesctl backup /srv/backups/one.db 2>&1) || refused=$?
expect 'elsewhere the sandbox prevents the daemon from writing' yes "$(if [ "$refused" != 0 ] && [ ! -e /srv/backups/one.db ]; then echo yes; fi)"
expect_match 'the client learns that' '/srv/backups' "$said"
mkdir -p /etc/systemd/system/notesd.service.d
printf '[Service]\nReadWritePaths=/srv/backups\n' >/etc/systemd/system/notesd.service.d/backups.conf
systemctl daemon-reload && systemctl restart notesd.service
expect_status 'it works when the unit allows the folder' 0 notesctl backup /srv/backups/one.db

systemctl stop notesd.socket
expect_status 'a store with notes is not overwritten' 73 setpriv --reuid notesd --regid notesd --clear-groups notesd restore "$backup" --data /var/lib/notesd
mv /var/lib/notesd /var/lib/notesd.old
install -d -o notesd -g notesd -m 700 /var/lib/notesd
expect_status 'an empty store is restored from the backup' 0 setpriv --reuid notesd --regid notesd --clear-groups \
    notesd restore "/var/lib/notesd.old/backups/${backup##*/}" --data /var/lib/notesd
expect_status 'the store is intact' 0 setpriv --reuid notesd --regid notesd --clear-groups notesd audit --data /var/lib/notesd
systemctl start notesd.socket
expect_status 'and serves' 0 notesctl show shopping
expect 'it has the notes of the backup' Milk "$said"
