#!/usr/bin/env bash
# A client under load: makes one note after the other, each by a process of its own, until the file STOP is there.
#
#     writer.sh NAME DIR STOP
#
# What was answered is added to DIR/NAME.taken, a note's name a line. What was not is added to DIR/NAME.failed, with why.
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
