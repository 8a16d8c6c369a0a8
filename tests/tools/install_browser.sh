#!/bin/sh
# Installs a browser without windows where there is none and where this may be done. Names of
# programs to look for may be given.
set -eu

[ "$#" -gt 0 ] || set -- chromium-headless-shell chromium chromium-browser google-chrome
for program in "$@"; do
  if command -v "$program" >/dev/null; then exit 0; fi
done

what="A browser" package="chromium-headless-shell or chromium"
. "${0%/*}/apt.sh"
$install chromium-headless-shell || $install chromium || give_up "apt-get failed"
# Screens are set in whatever font there is; without one there is nothing to see.
fc-list 2>/dev/null | grep -q . || $install fonts-dejavu-core || true
