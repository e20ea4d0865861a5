#!/bin/sh
# Installs Holdfast @VERSION@ into one directory, $HOLDFAST_INSTALL or ~/.local/bin, and touches nothing else.
set -eu

version=@VERSION@
downloads=${HOLDFAST_DOWNLOADS:-@DOWNLOADS@}
directory=${HOLDFAST_INSTALL:-${HOME:?set HOME, or HOLDFAST_INSTALL to a directory}/.local/bin}

fail() {
  printf 'Cannot install Holdfast: %s\n' "$1" >&2
  exit 1
}

case $(uname -s) in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) fail "there is no build for $(uname -s); on Windows use install.ps1" ;;
esac
case $(uname -m) in
  x86_64 | amd64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) fail "there is no build for $(uname -m)" ;;
esac
if [ "$system" = linux ] && ldd --version 2>&1 | grep -qi musl; then
  fail "this system has musl, the build needs glibc; with Node 22.18 or newer: npm install -g holdfast"
fi

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl -fsSL "$1" -o "$2"
  elif command -v wget >/dev/null 2>&1; then
    wget -q "$1" -O "$2"
  else
    fail "neither curl nor wget is here"
  fi
}

sum() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1" | cut -d' ' -f1
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1" | cut -d' ' -f1
  else
    fail "neither sha256sum nor shasum is here, so the download cannot be checked"
  fi
}

mkdir -p "$directory" || fail "$directory cannot be made"
work=$(mktemp -d "$directory/.holdfast.XXXXXX") || fail "$directory cannot be written"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

archive=holdfast-$version-$system-$machine.tar.gz
fetch "$downloads/SHA256SUMS" "$work/SHA256SUMS" || fail "$downloads/SHA256SUMS cannot be fetched"
fetch "$downloads/$archive" "$work/$archive" || fail "$downloads/$archive cannot be fetched"
expected=$(grep " $archive\$" "$work/SHA256SUMS" | cut -d' ' -f1)
[ -n "$expected" ] || fail "SHA256SUMS does not name $archive"
[ "$(sum "$work/$archive")" = "$expected" ] || fail "$archive is not what SHA256SUMS says; nothing was installed"
tar -xzf "$work/$archive" -C "$work" || fail "$archive cannot be unpacked"
mv -f "$work/holdfast" "$directory/holdfast" || fail "$directory/holdfast cannot be written"

printf 'Holdfast %s is in %s\n' "$("$directory/holdfast" --version)" "$directory"
case :$PATH: in
  *:"$directory":*) ;;
  *) printf 'Add it to your PATH: export PATH="%s:$PATH"\n' "$directory" ;;
esac
