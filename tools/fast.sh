#!/bin/sh
# Compiles mkns along a profile of its own simulations, which makes them faster (docs/reference/simulation.md): an instrumented
# program simulates networks of several kinds and sizes, then everything is compiled again with what it counted.
# The result is target/fast/release/mkns. A profile belongs to one compiler and one state of the code, so it is
# recorded here and not kept with the sources.
set -eu
cd "$(dirname "$0")/.."

fast=$PWD/target/fast
profiles=$fast/profiles

fail() {
    echo "fast: $1" >&2
    exit "${2:-6}"
}

profdata() {
    echo "$(rustc --print sysroot)"/lib/rustlib/*/bin/llvm-profdata
}

build() {
    RUSTFLAGS="$1" CARGO_TARGET_DIR="$2" cargo build --release --locked --quiet
}

if [ ! -x "$(profdata)" ]; then
    command -v rustup >/dev/null || fail "please install the llvm-profdata of rustc's LLVM (rustup component llvm-tools)"
    echo "fast: rustup component add llvm-tools"
    rustup --quiet component add llvm-tools || fail "rustup component add llvm-tools failed" 7
fi

rm -rf "$profiles"
echo "fast: compiling with counters"
build "-Cprofile-generate=$profiles" "$fast/counting"
echo "fast: counting"
while read -r network load cycles; do
    "$fast/counting/release/mkns" sim "$network" --load "$load" --warmup 200 --cycles "$cycles" \
        --threads 1 >/dev/null
done <<NETWORKS
MKNS(2,8x10,2,1) 0.28 8000
MKNS(2,8x10x10,3,1) 0.4 1000
MKNS(2,8x10x10x10,4,1) 0.5 200
torus(8x8) 0.3 3000
hypercube(3) 0.3 8000
NETWORKS
"$(profdata)" merge -o "$profiles/mkns.profdata" "$profiles" || fail "llvm-profdata failed" 7
echo "fast: compiling with the counts"
build "-Cprofile-use=$profiles/mkns.profdata" "$fast"
echo "fast: target/fast/release/mkns"
