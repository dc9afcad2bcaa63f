# Functions that the tests under a real systemd share. Each test is a script that runs as root in a
# separate box (`scripts/systemd-box`), in the root of the tree; `scripts/test-systemd` starts them.
# PACKAGE and NEWER_PACKAGE are the Debian package and the same package with a later version.
# shellcheck shell=bash
set -euo pipefail

system_socket=/run/notesd/notesd.sock
checks=0
test_name=$(basename "$0" .sh)
work=$(mktemp -d)

# ok WHAT: counts a passed check.
ok() {
    checks=$((checks + 1))
    echo "  $1"
}

# fail WHAT [DETAIL...]: ends the test and prints the journal.
fail() {
    trap - ERR
    # Print once, even if a subshell fails.
    if [ -e "$work/failed" ]; then exit 1; fi
    # A service that cleans /tmp may have run.
    mkdir -p "$work" && : >"$work/failed"
    {
        echo "$test_name: FAILED: $1"
        shift
        if [ $# -gt 0 ]; then printf '    %s\n' "$@"; fi
        echo "--- the units"
        systemctl --no-pager --lines=0 status notesd.socket notesd.service || true
        echo "--- the journal"
        journalctl --no-pager -o short-precise -n 60 _SYSTEMD_UNIT=notesd.service + UNIT=notesd.service + UNIT=notesd.socket + _SYSTEMD_USER_UNIT=notesd.service || true
    } >&2 2>&1
    exit 1
}

trap 'fail "line $LINENO: $BASH_COMMAND (status $?)"' ERR
set -E
# `exit` leaves background processes to the box, which ends with the script.
trap 'if [ $? = 0 ]; then echo "$test_name: $checks checks passed"; fi' EXIT

# expect WHAT WANTED GOT
expect() {
    if [ "$2" != "$3" ]; then fail "$1" "wanted: $2" "got:    $3"; fi
    ok "$1"
}

# expect_match WHAT PATTERN GOT: an extended regular expression matches.
expect_match() {
    if ! grep -Eq -e "$2" <<<"$3"; then fail "$1" "wanted: /$2/" "got:    $3"; fi
    ok "$1"
}

# expect_status WHAT STATUS COMMAND...: the command ends with this status. Its output is in $said.
expect_status() {
    local what=$1 wanted=$2 status=0
    shift 2
    said=$("$@" 2>&1 </dev/null) || status=$?
    if [ "$status" != "$wanted" ]; then fail "$what" "wanted: exit code $wanted" "got:    $status, from: $*" "said:   $said"; fi
    ok "$what"
}

# wait_for WHAT COMMAND...: polls until the command succeeds, for at most a minute, which leaves
# room for a busy machine.
wait_for() {
    local what=$1 deadline=$((SECONDS + 60))
    shift
    until "$@" >/dev/null 2>&1; do
        if [ "$SECONDS" -ge "$deadline" ]; then fail "$what" "did not succeed within a minute: $*"; fi
        sleep 0.05
    done
}

# A property of a unit.
property() {
    systemctl show --value --property "$2" "$1"
}

main_pid() {
    property notesd.service MainPID
}

# The daemon runs as another process than before.
is_replaced() {
    local now
    now=$(main_pid)
    [ "$now" != 0 ] && [ "$now" != "$1" ] && [ "$(property notesd.service ActiveState)" = active ]
}

# as USER COMMAND...: with the user's groups and home, and none of our environment.
as() {
    local user=$1
    shift
    setpriv --reuid "$user" --regid "$user" --init-groups env -i "PATH=$PATH" "HOME=/home/$user" "USER=$user" LANG=C.UTF-8 \
        "NOTESD_SOCKET=$system_socket" "XDG_RUNTIME_DIR=/run/user/$(id -u "$user")" "$@"
}

# people NAME...: creates users.
people() {
    local name
    for name in "$@"; do useradd --create-home --shell /bin/bash "$name"; done
}

# The messages of the shared service in the journal, one per line.
messages() {
    journalctl --sync
    journalctl --no-pager -o cat -u notesd.service "$@"
}

install_package() {
    DEBIAN_FRONTEND=noninteractive dpkg -i "$1" >"$work/dpkg" 2>&1 || fail "the package is installed" "$(cat "$work/dpkg")"
}

# configure [FILE] <<TOML: writes a part of the shared service's configuration.
configure() {
    cat >"/etc/notesd/conf.d/${1:-50-test.toml}"
}

export NOTESD_SOCKET=$system_socket
