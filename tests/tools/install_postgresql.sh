#!/bin/sh
# Installs the programs of a PostgreSQL server where there are none and where this may be done.
# Tests start servers of their own, so none is left running. Folders to look in may be given.
set -eu

[ "$#" -gt 0 ] || set -- /usr/lib/postgresql/*/bin /usr/local/bin /usr/bin
for folder in "$@"; do
  if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then exit 0; fi
done

give_up() {
  echo "PostgreSQL is not installed and cannot be installed here: $1; install its server" \
    "package by hand, or the tests that need it fail" >&2
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
$install postgresql-common || give_up "apt-get failed"
# With the server comes a cluster that starts at once, unless this is said before.
$root sed -i 's/^#* *create_main_cluster *=.*/create_main_cluster = false/' \
  /etc/postgresql-common/createcluster.conf
if apt-cache show postgresql-15 >/dev/null 2>&1; then package=postgresql-15; else package=postgresql; fi
$install "$package" || give_up "apt-get failed"
