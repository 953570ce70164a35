#!/usr/bin/env python3
"""Plants faults into the fast model and expects the tests that hold its links to the reference to find each.

The faults are those of tools/planted_faults.toml. A copy of the sources gets all of them at once, each asleep
until the environment names it, so that one compilation serves all. The result is a table; the exit code is 0
only if the tests pass with no fault awake and fail with each one. Usage: tools/planted_faults.py [--only TEXT]
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COPY = ROOT / "target/planted"
# Not that of the sources themselves: cargo takes one for the other.
BUILD = ROOT / "target/planted-build"
SOURCES = Path("src/simulation")
# The name of the fault that is awake.
VARIABLE = "MKNS_PLANTED"
# Seconds for one run; far more than the slowest takes on a quiet machine.
PATIENCE = 1200
LONG = "tests::fabric::every_link_of_a_simulation_is_that_of_the_reference_for_long"
SHORT = "tests::fabric::every_link_of_a_simulation_is_that_of_the_reference"

SWITCH = f"""
/// Whether the fault with this number is awake.
pub(crate) fn planted(fault: u32) -> bool {{
    static AWAKE: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    let number = || std::env::var("{VARIABLE}").map_or(0, |text| text.parse().expect("a number"));
    *AWAKE.get_or_init(number) == fault
}}
"""


def copy_sources():
    """All files of the repository; those that did not change keep their times, so that cargo compiles little."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True,
                           capture_output=True, text=True).stdout.splitlines()
    shutil.rmtree(COPY, ignore_errors=True)
    for name in names:
        source, target = ROOT / name, COPY / name
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)


def plant(faults):
    """Writes every fault beside the right text, behind a switch."""
    for number, fault in enumerate(faults, 1):
        path = COPY / SOURCES / fault["file"]
        text = path.read_text()
        good, bad = fault["good"], fault["bad"]
        if text.count(good) != 1:
            sys.exit(f"planted_faults: `{fault['name']}`: its text is in {fault['file']} {text.count(good)} times")
        switched = f"if crate::planted({number}) {{ {bad} }} else {{ {good} }}"
        path.write_text(text.replace(good, switched if good.endswith(";") else f"({switched})"))
    library = COPY / SOURCES / "lib.rs"
    library.write_text(library.read_text() + SWITCH)


def compiled():
    """The test program of the copy."""
    command = ["cargo", "test", "--locked", "--quiet", "--package", "mkns-simulation", "--no-run",
               "--message-format=json"]
    environment = {**os.environ, "CARGO_TARGET_DIR": str(BUILD)}
    run = subprocess.run(command, cwd=COPY, env=environment, stdout=subprocess.PIPE, text=True)
    messages = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
    programs = [message["executable"] for message in messages if message.get("executable")]
    if run.returncode != 0 or len(programs) != 1:
        for message in messages:
            print(message.get("message", {}).get("rendered", ""), file=sys.stderr)
        sys.exit("planted_faults: the copy does not compile")
    return programs[0]


def failure(program, test, fault):
    """None when the tests pass, otherwise where they failed."""
    environment = {**os.environ, VARIABLE: str(fault)}
    command = [program, "--exact", test, "--include-ignored"]
    try:
        run = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        return "no end"
    if run.returncode == 0:
        return None
    text = run.stdout + run.stderr
    case = re.search(r"^case \d+", text, re.MULTILINE)
    panic = re.search(r"panicked at [^\n]*/([^\n/]*:\d+):", text)
    return case.group() if case else panic.group(1) if panic else "failed"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="", help="faults whose name contains this")
    only = parser.parse_args().only
    faults = tomllib.loads((ROOT / "tools/planted_faults.toml").read_text())["fault"]
    copy_sources()
    plant(faults)
    program = compiled()
    found_without = failure(program, SHORT, 0)
    if found_without:
        sys.exit(f"planted_faults: without a fault: {found_without}")
    missed = 0
    for number, fault in enumerate(faults, 1):
        if only in fault["name"]:
            begun = time.monotonic()
            place = failure(program, LONG, number)
            missed += place is None
            print(f"{place or 'NOT FOUND':<20} {time.monotonic() - begun:6.1f} s  {fault['name']}", flush=True)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
