#!/usr/bin/env bash
# The shared service cannot do what its unit forbids: a program that systemd runs in the same
# sandbox tries each operation, and the test inspects the daemon itself.
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

# The same program must find that each operation succeeds without the sandbox; otherwise its
# failures would mean nothing.
printf '[Service]\nType=oneshot\nUser=root\nExecStart=/usr/bin/perl /usr/local/lib/notesd-test/inside.pl --outside\n' \
    >/etc/systemd/system/outside.service
systemctl daemon-reload
systemctl start outside.service || fail 'every forbidden operation succeeds outside' "$(journalctl --no-pager -o cat -u outside.service)"
ok 'every forbidden operation succeeds outside'

systemctl start notesd.service || fail 'the sandbox holds' "$(messages)"
said=$(messages | grep '^inside: ' || true)
while read -r line; do ok "${line#inside: }"; done <<<"$said"
expect 'everything was tried' "$(grep -c '^try ' verification/systemd/inside.pl)" "$(grep -c '^inside: ' <<<"$said")"

status=$(cat "/proc/$(main_pid)/status")
expect_match 'the daemon has no capabilities' '^CapEff:[[:space:]]0000000000000000$' "$status"
expect_match 'it can gain no capabilities' '^CapBnd:[[:space:]]0000000000000000$' "$status"
expect_match 'it can gain no privileges' '^NoNewPrivs:[[:space:]]1$' "$status"
expect_match 'its system calls are filtered' '^Seccomp:[[:space:]]2$' "$status"
expect_match 'it runs as its own user' "^Uid:[[:space:]]$(id -u notesd)[[:space:]]" "$status"
for space in net mnt ipc uts; do
    expect "it has its own $space namespace" yes \
        "$(if [ "$(readlink "/proc/$(main_pid)/ns/$space")" != "$(readlink "/proc/1/ns/$space")" ]; then echo yes; fi)"
done
expect 'it shares the namespace of users' "$(readlink /proc/1/ns/user)" "$(readlink "/proc/$(main_pid)/ns/user")"
files=$(ulimit -Hn)
if [ "$files" = unlimited ] || [ "$files" -gt 65536 ]; then files=65536; fi
expect_match "the limit of open files is that of the unit or of the box" "^Max open files +$files +$files " "$(cat "/proc/$(main_pid)/limits")"
expect_match 'it writes no core file' '^Max core file size +0 +0 ' "$(cat "/proc/$(main_pid)/limits")"
exposure=$(systemd-analyze --no-pager security notesd.service | sed -nE 's/.*exposure level for notesd.service: ([0-9.]+).*/\1/p')
expect 'systemd finds almost no needless right' yes \
    "$(awk -v level="$exposure" 'BEGIN { print (level != "" && level <= 1.5) ? "yes" : "no: " level }')"

# It works inside this sandbox.
expect_status 'it accepts notes' 0 sh -c 'echo Milk | notesctl new shopping'
expect_status 'it returns them' 0 notesctl show shopping
expect_status 'it checks its store' 0 notesctl audit
