#!/bin/sh
# Installs a browser without windows where there is none and where this may be done. Names of
# programs to look for may be given.
set -eu

[ "$#" -gt 0 ] || set -- chromium-headless-shell chromium chromium-browser google-chrome
for program in "$@"; do
  if command -v "$program" >/dev/null; then exit 0; fi
done

give_up() {
  echo "No browser is installed and none can be installed here: $1; install the package" \
    "chromium-headless-shell or chromium by hand, or the tests that need it fail" >&2
  exit 0
}

command -v apt-get >/dev/null || give_up "there is no apt-get"
if [ "$(id -u)" = 0 ]; then
  root=""
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
  root="sudo -n"
else
  give_up "that needs root, or sudo without a password"
fi
install="$root env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends"

# Old lists name packages that are gone; without a network they may still do.
$root apt-get update --quiet || true
$install chromium-headless-shell || $install chromium || give_up "apt-get failed"
# Screens are set in whatever font there is; without one there is nothing to see.
fc-list 2>/dev/null | grep -q . || $install fonts-dejavu-core || true
