#!/usr/bin/env bash
# The shared service cannot do what its unit says that it cannot: tried from inside, by a program that systemd starts beside the daemon in
# the same sandbox, and seen on the daemon itself.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
people anna
: >/tmp/of-others
: >/dev/notesd-test
mkdir -p /usr/local/lib/notesd-test /etc/systemd/system/notesd.service.d
cp verification/systemd/inside.pl /usr/local/lib/notesd-test/inside.pl
cat >/etc/systemd/system/notesd.service.d/inside.conf <<'UNIT'
[Service]
ExecStartPost=/usr/bin/perl /usr/local/lib/notesd-test/inside.pl
UNIT

# The same program finds that each of these can be done where nothing is taken away; else it would prove nothing.
printf '[Service]\nType=oneshot\nUser=root\nExecStart=/usr/bin/perl /usr/local/lib/notesd-test/inside.pl --outside\n' \
    >/etc/systemd/system/outside.service
systemctl daemon-reload
systemctl start outside.service || fail 'what the sandbox forbids can be done outside' "$(journalctl --no-pager -o cat -u outside.service)"
ok 'all that the sandbox forbids can be done outside'

systemctl start notesd.service || fail 'the sandbox holds' "$(messages)"
said=$(messages | grep '^inside: ' || true)
while read -r line; do ok "${line#inside: }"; done <<<"$said"
expect 'everything was tried' "$(grep -c '^try ' verification/systemd/inside.pl)" "$(grep -c '^inside: ' <<<"$said")"

status=$(cat "/proc/$(main_pid)/status")
expect_match 'the daemon has no capabilities' '^CapEff:[[:space:]]0000000000000000$' "$status"
expect_match 'and none to gain' '^CapBnd:[[:space:]]0000000000000000$' "$status"
expect_match 'nor new privileges' '^NoNewPrivs:[[:space:]]1$' "$status"
expect_match 'its system calls are filtered' '^Seccomp:[[:space:]]2$' "$status"
expect_match 'it runs as its own user' "^Uid:[[:space:]]$(id -u notesd)[[:space:]]" "$status"
for space in net mnt ipc uts; do
    expect "it has its own $space namespace" yes \
        "$(if [ "$(readlink "/proc/$(main_pid)/ns/$space")" != "$(readlink "/proc/1/ns/$space")" ]; then echo yes; fi)"
done
expect 'but sees users as they are' "$(readlink /proc/1/ns/user)" "$(readlink "/proc/$(main_pid)/ns/user")"
files=$(ulimit -Hn)
if [ "$files" = unlimited ] || [ "$files" -gt 65536 ]; then files=65536; fi
expect_match "it may have as many files open as its unit says, or as the box may" "^Max open files +$files +$files " "$(cat "/proc/$(main_pid)/limits")"
expect_match 'it leaves no core file' '^Max core file size +0 +0 ' "$(cat "/proc/$(main_pid)/limits")"
exposure=$(systemd-analyze --no-pager security notesd.service | sed -nE 's/.*exposure level for notesd.service: ([0-9.]+).*/\1/p')
expect 'systemd finds hardly anything that it could do and need not' yes \
    "$(awk -v level="$exposure" 'BEGIN { print (level != "" && level <= 1.5) ? "yes" : "no: " level }')"

# And in all that it does its work.
expect_status 'it takes notes' 0 sh -c 'echo Milk | notesctl new shopping'
expect_status 'it gives them' 0 notesctl show shopping
expect_status 'it checks its store' 0 notesctl audit
