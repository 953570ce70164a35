#!/usr/bin/env python3
"""Writes docs/figures.md: what the blocks of the network cost and do, beside the best public switches.

    python3 tools/figures.py target/release/mkns [--seeds N]

Every block is measured by `mkns bench --block`, the whole network by `mkns sim`; the words come from
tools/figures_page.md. Results are kept in target/figures and used again as long as what they come from is the
same and they have as many seeds, so that a run that was stopped goes on where it was.
"""

import argparse
import hashlib
import json
import pathlib
import subprocess

NETWORK = "MKNS(2,8x10,2,1)"
CHANNELS = (1, 2)
BLOCKS = ("switch", "adapter")
LENGTHS = ("1", "2", "3", "4", "9", "33", "1..33")
KEPT = pathlib.Path("target/figures")
# What results come from.
SOURCES = ("hdl-templates", "src", "sim")
WORDS = pathlib.Path("tools/figures_page.md")
PAGE = pathlib.Path("docs/figures.md")


def sources_key():
    """Digest of all files that results come from."""
    key = hashlib.sha256()
    for path in sorted(path for folder in SOURCES for path in pathlib.Path(folder).rglob("*") if path.is_file()):
        key.update(f"{path}\n".encode() + path.read_bytes())
    return key.hexdigest()[:16]


def kept(name, mkns, command, good=lambda result: True, run=True):
    """The result of a command that prints JSON: the one that is kept, if it is of these sources.
    Where the command is not to be run: any of these sources, or none."""
    path = KEPT / f"{name}_{KEY}.json"
    if path.exists():
        result = json.loads(path.read_text())
        if good(result) or not run:
            return result
    if not run:
        return None
    print(" ".join(command), flush=True)
    text = subprocess.run([mkns, *command, "--format", "json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    KEPT.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return json.loads(text)


KEY = sources_key()


def fraction(value):
    return f"{value:.3f}".removeprefix("0")


def rows(bench, clock):
    """What is told of a block, by row; the keys are the same for all. `clock` is none where nothing was placed."""
    cells = {
        "COMB": f"{bench['comb']:,}",
        "flip-flops": f"{bench['ff']:,}",
        "EBR": str(bench["ebr"]),
    }
    cells["clock, MHz"] = "not placed"
    if clock:
        placements = ", ".join(f"{one['mhz']:.1f}" for one in clock["placements"])
        cells["clock, MHz"] = f"**{clock['fmax_mhz']:.1f}** ({placements})"
    cells["zero load, cycles"] = str(bench["zero_load_cycles"])
    for words, key in (("one channel", "uniform"), ("all channels", "uniform_all_channels")):
        if key == "uniform_all_channels" and bench["virtual_channels"] == 1:
            continue
        for length in LENGTHS:
            flits = "flit" if length == "1" else "flits"
            short = "" if key == "uniform" else "all, "
            row = f"uniform, {words} in use, 1 flit" if length == "1" else f"{short}{length} {flits}"
            cells[row] = fraction(bench[key][length])
    cells["fairness, the least of these"] = fraction(bench["fairness"])
    cells["longest wait, cycles: streams"] = f"{bench['longest_wait']['streams']:,}"
    cells["hot spot"] = f"{bench['longest_wait']['hot_spot']:,}"
    return cells


def table(columns):
    """Columns by name, each with its cells by row."""
    longest = max((cells for cells in columns.values()), key=len)
    lines = ["| | " + " | ".join(columns) + " |", "|---" * (len(columns) + 1) + "|"]
    for row in longest:
        cells = [cells.get(row, "–") for cells in columns.values()]
        lines.append(f"| {row} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def saturation(mkns, channels):
    """Accepted load of the whole network when hosts always send, in flits per host and cycle."""
    command = ["sim", NETWORK, "--set", f"virtual_channels={channels}", "--load", "1.0", "--cycles", "20000"]
    return fraction(kept(f"network_{channels}", mkns, command)["points"][0]["accepted_load"])


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("mkns", help="the program, compiled with --release")
    arguments.add_argument("--seeds", type=int, default=3, help="placements of each block; 0: no new ones")
    options = arguments.parse_args()
    columns = {}
    for channels in CHANNELS:
        for block in BLOCKS:
            command = ["bench", NETWORK, "--block", block, "--set", f"virtual_channels={channels}", "--no-xilinx",
                       "--no-verilated"]
            bench = kept(f"{block}_{channels}", options.mkns, [*command, "--placements", "0"])
            # By itself: what takes an hour need not be done again for the rest.
            clock = kept(f"{block}_{channels}_clock", options.mkns,
                         [*command, "--placements", str(options.seeds)],
                         lambda result: len(result["placements"]) == options.seeds, run=options.seeds > 0)
            name = f"{block} block, {bench['ports']} ports, {channels} channel{'s' * (channels > 1)}"
            columns[name] = rows(bench, clock)
    networks = "\n".join(
        f"| {channels} | {saturation(options.mkns, channels)} |" for channels in CHANNELS
    )
    page = WORDS.read_text()
    for mark, text in (("@BLOCKS@", table(columns)), ("@NETWORKS@", networks)):
        page = page.replace(mark, text)
    PAGE.write_text(page)
    print(f"{PAGE} written")


main()
