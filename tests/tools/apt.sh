# For scripts that install something with apt-get: what they need, and why they may not.
# They say $what is missing and which $package to install by hand before they read this.

# What people should read goes past the log of the set-up, where there is one.
( : >&3 ) 2>/dev/null || exec 3>&2

give_up() {
  echo "$what is not installed and cannot be installed here: $1; install $package by hand, or" \
    "the tests that need it fail" >&3
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
