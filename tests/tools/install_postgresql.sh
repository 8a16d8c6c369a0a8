#!/bin/sh
# Installs the programs of a PostgreSQL server where there are none and where this may be done.
# Tests start servers of their own, so none is left running. Folders to look in may be given.
set -eu

[ "$#" -gt 0 ] || set -- /usr/lib/postgresql/*/bin /usr/local/bin /usr/bin
for folder in "$@"; do
  if [ -x "$folder/initdb" ] && [ -x "$folder/postgres" ]; then exit 0; fi
done

what=PostgreSQL package="its server package"
. "${0%/*}/apt.sh"
$install postgresql-common || give_up "apt-get failed"
# With the server comes a cluster that starts at once, unless this is said before.
$root sed -i 's/^#* *create_main_cluster *=.*/create_main_cluster = false/' \
  /etc/postgresql-common/createcluster.conf
if apt-cache show postgresql-15 >/dev/null 2>&1; then package=postgresql-15; else package=postgresql; fi
$install "$package" || give_up "apt-get failed"
