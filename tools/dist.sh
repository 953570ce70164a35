#!/bin/sh
# Makes target/dist/mkns-VERSION-ARCH.tar.gz: the program, completions, manual pages, examples, licences. The same commit
# gives the same archive, but for what the compiler does. `mkns setup` installs the tools on the machine that gets it.
set -eu
cd "$(dirname "$0")/.."
cargo build --release --locked --quiet
program=target/release/mkns
version=$(sed -n '/^\[workspace.package\]/,/^$/s/^version = "\(.*\)"/\1/p' Cargo.toml)
name=mkns-$version-$(uname -m)-linux
folder=target/dist/$name
rm -rf target/dist
mkdir -p "$folder/completions" "$folder/man"
cp "$program" "$folder/mkns"
strip --strip-debug "$folder/mkns"
"$program" completions bash >"$folder/completions/mkns.bash"
"$program" completions zsh >"$folder/completions/_mkns"
"$program" completions fish >"$folder/completions/mkns.fish"
"$program" man --output "$folder/man" >/dev/null
cp -r examples LICENSE-APACHE LICENSE-MIT CHANGELOG.md "$folder"
python3 tools/licences.py >"$folder/LICENSES-OF-CRATES.txt"
cat >"$folder/README.txt" <<EOF
mkns $version: system networks of low-radix switches, from a name to checked RTL.

  ./mkns info "MKNS(2,4,2,1)"        needs nothing
  ./mkns setup                       installs Verilator, Yosys, nextpnr and others (Debian, root), or says what is missing;
                                     --demo: only what lint and cosim need
  ./mkns cosim "MKNS(2,4,2,1)" --cycles 20000

completions/ and man/ are for your shell and man. Licence: Apache-2.0 OR MIT; those of the crates: LICENSES-OF-CRATES.txt.
EOF
tar --directory target/dist --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    --create "$name" | gzip --no-name >"target/dist/$name.tar.gz"
ls -l "target/dist/$name.tar.gz"
