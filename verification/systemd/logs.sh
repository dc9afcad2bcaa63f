#!/usr/bin/env bash
# What the daemon says goes to the journal with fields, and never has the text of a note.
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

# field NAME [MATCH...]: the values that messages of the daemon have in a field. The newest first, each once.
field() {
    local name=$1
    shift
    journalctl --no-pager -o json _SYSTEMD_UNIT=notesd.service SYSLOG_IDENTIFIER=notesd "$@" |
        sed -nE 's/.*"'"$name"'" ?: ?"([^"]*)".*/\1/p' | sort -u
}

ids=$(field MESSAGE_ID)
expect_match 'messages have the id of their kind' '^[0-9a-f]{32}$' "$ids"
expect 'each kind by itself' '' "$(grep -Ev '^[0-9a-f]{32}$' <<<"$ids" || true)"
expect_match 'they are told apart by how much they matter' '^[3-7]$' "$(field PRIORITY)"
expect 'and by nothing else' '' "$(field PRIORITY | grep -Ev '^[0-7]$' || true)"
expect 'journald knows whose they are' notesd.service "$(field _SYSTEMD_UNIT)"
expect 'and that they came as fields, not as lines' journal "$(field _TRANSPORT MESSAGE_ID="$(head -n 1 <<<"$ids")")"
# Numbers that administrators have written down somewhere do not change.
conflicted=MESSAGE_ID=6316934305b84746bb4392e4d84218f0
expect 'a message about a note names it' "$note" "$(field NOTESD_NOTE "$conflicted")"
expect_match 'and the client that it is about' '^[0-9]+$' "$(field NOTESD_DEPENDENT "$conflicted")"
expect_match 'so it is found by the note' . "$(journalctl --no-pager -o cat "NOTESD_NOTE=$note" "$conflicted")"
expect 'who is turned away is told of by name' carl "$(field NOTESD_USER MESSAGE_ID=4ec5e5de1e2d484e9472d1ed86566cdf)"
expect_match 'and journalctl explains it' "Add the user, or one of the user's groups" \
    "$(journalctl --no-pager --catalog MESSAGE_ID=4ec5e5de1e2d484e9472d1ed86566cdf)"
first=$(head -n 1 <<<"$ids")
expect_match 'one kind is found by its id' . "$(journalctl --no-pager -o cat "MESSAGE_ID=$first")"
expect 'the unit calls no priority in front of its lines' '' "$(messages | grep -E '^<[0-7]>' || true)"
all=$(journalctl --no-pager -o json)
expect 'no text of a note is in the journal, at the finest level' '' "$(grep -oE 'Rhododendron|(Oat|Soy) milk' <<<"$all" | head -n 1 || true)"
expect_match 'what is looked through for it is the whole' garden/flowers\|notesd "$all"
