#!/bin/sh
# Says what is being done and does it: quietly.sh "What is done" command arguments...
# What the command prints goes to a log, whose end is shown where the command fails. A command
# tells people something by writing to its file descriptor 3.
set -u

log=${SET_UP_LOG:-build/set_up.log}
what=$1
shift
mkdir -p "${log%/*}"
echo "$what"
echo "== $what: $*" >>"$log"
"$@" 3>&2 >>"$log" 2>&1 && exit 0
code=$?
tail -n 20 "$log" >&2
echo "$what: failed with exit code $code; all that was printed is in $log" >&2
exit "$code"
