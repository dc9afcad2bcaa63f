#!/usr/bin/env bash
# The daemon logs to the journal with fields, and never logs the text of a note.
source "$(dirname "$0")/lib.sh"

install_package "$PACKAGE"
configure <<'TOML'
[log]
level = "trace"
TOML
secret='Rhododendron and heliotrope'
notesctl list >/dev/null
printf '%s\n' "$secret" | notesctl new garden/flowers >/dev/null
notesctl show garden/flowers --json >/dev/null
printf '%s\n' "$secret, twice" | notesctl save garden/flowers --replace >/dev/null
people carl
usermod -a -G notesd carl
note=$(echo Milk | notesctl new shopping)
base=$(notesctl show shopping --json | sed -E 's/.*"version":"([^"]*)".*/\1/')
echo 'Oat milk' | notesctl save shopping --base "$base" >/dev/null
echo 'Soy milk' | notesctl save shopping --base "$base" >/dev/null 2>&1 || true
notesctl rm garden/flowers
as carl notesctl list >/dev/null 2>&1 || true
systemctl restart notesd.service
journalctl --sync

# field NAME [MATCH...]: the values of a field in the daemon's messages, newest first, each once.
field() {
    local name=$1
    shift
    journalctl --no-pager -o json _SYSTEMD_UNIT=notesd.service SYSLOG_IDENTIFIER=notesd "$@" |
        sed -nE 's/.*"'"$name"'" ?: ?"([^"]*)".*/\1/p' | sort -u
}

ids=$(field MESSAGE_ID)
expect_match 'messages have the id of their kind' '^[0-9a-f]{32}$' "$ids"
expect 'all message ids are well-formed' '' "$(grep -Ev '^[0-9a-f]{32}$' <<<"$ids" || true)"
expect_match 'messages have different priorities' '^[3-7]$' "$(field PRIORITY)"
expect 'all priorities are valid' '' "$(field PRIORITY | grep -Ev '^[0-7]$' || true)"
expect 'journald knows the unit of the messages' notesd.service "$(field _SYSTEMD_UNIT)"
expect 'the messages arrive as fields, not as lines' journal "$(field _TRANSPORT MESSAGE_ID="$(head -n 1 <<<"$ids")")"
# Administrators may use these ids, so they must not change.
conflicted=MESSAGE_ID=6316934305b84746bb4392e4d84218f0
expect 'a message about a note names it' "$note" "$(field NOTESD_NOTE "$conflicted")"
expect_match 'it names the client' '^[0-9]+$' "$(field NOTESD_DEPENDENT "$conflicted")"
expect_match 'the field finds the message' . "$(journalctl --no-pager -o cat "NOTESD_NOTE=$note" "$conflicted")"
expect 'a message about a refused user names the user' carl "$(field NOTESD_USER MESSAGE_ID=4ec5e5de1e2d484e9472d1ed86566cdf)"
expect_match 'journalctl explains it' "Add the user, or one of the user's groups" \
    "$(journalctl --no-pager --catalog MESSAGE_ID=4ec5e5de1e2d484e9472d1ed86566cdf)"
first=$(head -n 1 <<<"$ids")
expect_match 'the id of a kind finds its messages' . "$(journalctl --no-pager -o cat "MESSAGE_ID=$first")"
expect 'no line starts with a priority' '' "$(messages | grep -E '^<[0-7]>' || true)"
all=$(journalctl --no-pager -o json)
expect 'no text of a note is in the journal, even at the lowest level' '' "$(grep -oE 'Rhododendron|(Oat|Soy) milk' <<<"$all" | head -n 1 || true)"
expect_match 'the searched journal is not empty' garden/flowers\|notesd "$all"
