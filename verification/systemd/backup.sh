#!/usr/bin/env bash
# A backup is made while the service runs, inside its sandbox, and becomes a store again.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
echo Milk | notesctl new shopping >/dev/null
expect_status 'a running service is backed up' 0 notesctl backup
echo Bread | notesctl save shopping --replace >/dev/null
backup=$(find /var/lib/notesd/backups -type f)
expect 'into one file, for its user alone' 1 "$(wc -l <<<"$backup")"
expect 'which nobody else can read' 'notesd 600' "$(stat -c '%U %a' "$backup")"

mkdir /srv/backups && chown notesd /srv/backups
refused=0
said=$(notesctl backup /srv/backups/one.db 2>&1) || refused=$?
expect 'elsewhere the sandbox keeps the daemon from writing' yes "$(if [ "$refused" != 0 ] && [ ! -e /srv/backups/one.db ]; then echo yes; fi)"
expect_match 'and whoever asked is told' '/srv/backups' "$said"
mkdir -p /etc/systemd/system/notesd.service.d
printf '[Service]\nReadWritePaths=/srv/backups\n' >/etc/systemd/system/notesd.service.d/backups.conf
systemctl daemon-reload && systemctl restart notesd.service
expect_status 'until the unit lets it' 0 notesctl backup /srv/backups/one.db

systemctl stop notesd.socket
expect_status 'a store that has notes is not written over' 73 setpriv --reuid notesd --regid notesd --clear-groups notesd restore "$backup" --data /var/lib/notesd
mv /var/lib/notesd /var/lib/notesd.old
install -d -o notesd -g notesd -m 700 /var/lib/notesd
expect_status 'an empty one is made from the backup' 0 setpriv --reuid notesd --regid notesd --clear-groups \
    notesd restore "/var/lib/notesd.old/backups/${backup##*/}" --data /var/lib/notesd
expect_status 'it is whole' 0 setpriv --reuid notesd --regid notesd --clear-groups notesd verify --data /var/lib/notesd
systemctl start notesd.socket
expect_status 'and serves' 0 notesctl show shopping
expect 'what there was then' Milk "$said"
