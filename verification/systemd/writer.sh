#!/usr/bin/env bash
# A client under load: creates one note after the other, each in a separate process, until the file
# STOP exists.
#
#     writer.sh NAME DIR STOP
#
# Adds the names of acknowledged notes to DIR/NAME.taken, one per line, and the other names, with
# the error, to DIR/NAME.failed.
set -euo pipefail

name=$1 directory=$2 stop=$3
number=0
until [ -e "$stop" ]; do
    number=$((number + 1))
    note=load/$name/$number
    status=0
    said=$(printf '%s of %s\nwritten once\n' "$number" "$name" | notesctl new "$note" 2>&1) || status=$?
    if [ "$status" = 0 ]; then
        echo "$note" >>"$directory/$name.taken"
    else
        echo "$note: $status: ${said//$'\n'/ }" >>"$directory/$name.failed"
    fi
done
