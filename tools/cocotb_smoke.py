#!/usr/bin/env python3
"""Runs tests/cocotb/smoke.py in Icarus Verilog, on generated RTL and again with a fault planted in it.

cocotb and the AXI models of cocotbext-axi come from the wheels of `make setup`. The exit code is 0 only if
all tests pass on the RTL as generated and the fault makes one fail. Usage: tools/cocotb_smoke.py MKNS
[--keep FOLDER], where MKNS is the program.
"""

import argparse
import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

from cocotb_tools.check_results import get_results
from cocotb_tools.runner import get_runner

TESTS = Path(__file__).resolve().parent.parent / "tests/cocotb"
# A wrong CRC polynomial: file, what is there, what is planted.
FAULT = ("header_crc.v", "register[5] ? 6'b000011", "register[5] ? 6'b000111")


def generated(mkns, folder):
    """RTL of duo.toml, in compile order."""
    subprocess.run([mkns, "generate", TESTS / "duo.toml", "-o", folder], check=True, stdout=sys.stderr)
    lines = (folder / "files.f").read_text().splitlines()
    return [folder / line for line in lines if line.startswith("rtl/")]


def plant(sources):
    name, good, bad = FAULT
    path = next(path for path in sources if path.name == name)
    text = path.read_text()
    if text.count(good) != 1:
        sys.exit(f"cocotb: `{good}` is in {name} {text.count(good)} times")
    path.write_text(text.replace(good, bad))


def play(sources, folder):
    """Builds and runs; returns the numbers of tests and of failed tests."""
    runner = get_runner("icarus")
    runner.build(
        sources=[*sources, TESTS / "bench.v"],
        hdl_toplevel="bench",
        build_dir=folder,
        build_args=["-g2005"],
        always=True,
    )
    results = runner.test(
        hdl_toplevel="bench",
        test_module="smoke",
        test_dir=folder,
        extra_env={"COCOTB_LOG_LEVEL": "WARNING"},
        log_file=folder / "simulation.log",
    )
    return get_results(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mkns", type=Path, help="the program mkns")
    parser.add_argument("--keep", type=Path, help="folder for RTL, builds and logs")
    options = parser.parse_args()
    # The simulation imports the tests by name.
    sys.path.insert(0, str(TESTS))
    with contextlib.ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        sources = generated(options.mkns.resolve(), folder.resolve() / "rtl")
        tests, failed = play(sources, folder.resolve() / "good")
        print(f"{tests - failed} of {tests} tests passed in Icarus Verilog with cocotbext-axi")
        if failed or not tests:
            sys.exit((folder / "good/simulation.log").read_text())
        plant(sources)
        _, found = play(sources, folder.resolve() / "faulty")
        if not found:
            sys.exit("cocotb: the planted fault was not found")
        print("planted fault found")


if __name__ == "__main__":
    main()
