#!/usr/bin/env python3
"""Runs the same networks under the same traffic in CAMINOS and in `mkns sim`: speed side by side, hops as a cross-check.

The networks come from `mkns export --to caminos`. Speeds are router-cycles per second of processor time, without
set-up; the machine's speed cancels in their ratio, which is the median over the rounds. What differs: CAMINOS computes
shortest paths of its own, stores packets in FIFOs of its own and counts cables, so that its hops are one fewer
than the blocks that `mkns sim` counts. The exit code is 1 if mean hops differ by more than 2 %.
Usage: tools/caminos.py MKNS CAMINOS [--format json]
"""

import argparse
import json
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# Network, load, cycles from an empty network on, rounds.
CASES = [
    ("MKNS(2,8x10,2,1)", 0.28, 20_000, 5),
    ("MKNS(2,8x10x10,3,1)", 0.28, 1_000, 3),
    ("MKNS(2,8x10x10x10,4,1)", 0.5, 600, 2),
]
# Virtual channels, packets of nine flits and links of one cycle as in `mkns sim`, and room for as many packets.
CONFIGURATION = """Configuration {{
    random_seed: {seed}, warmup: 0, measured: {cycles}, maximum_packet_size: 9,
    topology: File {{ filename: "{network}", format: 0, servers_per_router: 2 }},
    traffic: SubRangeTraffic {{ start: 0, end: {hosts}, traffic: HomogeneousTraffic {{
        pattern: Uniform, tasks: {hosts}, load: {load}, message_size: 9 }} }},
    router: Basic {{ virtual_channels: 2, virtual_channel_policies: [ EnforceFlowControl, Random ],
        delay: 0, buffer_size: 36, bubble: false, flit_size: 9, intransit_priority: false,
        allow_request_busy_port: true, output_prioritize_lowest_label: false, output_buffer_size: 18 }},
    routing: Shortest,
    link_classes: [ LinkClass {{ delay: 1 }}, LinkClass {{ delay: 1 }}, LinkClass {{ delay: 1 }} ],
}}
"""


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def own(mkns, spec, load, cycles, seed):
    """Router-cycles per second and mean blocks passed."""
    warm_up = cycles // 3
    command = [mkns, "sim", spec, "--load", load, "--warmup", warm_up, "--cycles", cycles - warm_up]
    command += ["--seed", seed, "--threads", 1, "--format", "json"]
    run = json.loads(output_of(map(str, command)))
    return run["router_cycles_per_second"], run["hops_mean"]


def hosts_of(mkns, spec):
    rows = json.loads(output_of([mkns, "info", spec, "--format", "json"]))["rows"]
    return next(row["measured"] for row in rows if row["name"] == "hosts")


def result(text, name):
    found = re.findall(rf"\b{name}:\s*([0-9.e+-]+)", text)
    if not found:
        sys.exit(f"caminos: no {name} in what CAMINOS prints:\n{text[-2000:]}")
    return float(found[-1])


class Caminos:
    """One network in CAMINOS, which reads files."""

    def __init__(self, program, mkns, folder, spec, load):
        self.program, self.load = program, load
        self.network, self.configuration = folder / "network.adj", folder / "caminos.cfg"
        subprocess.run([mkns, "export", spec, "--to", "caminos", "-o", self.network], check=True, capture_output=True)
        self.routers = int(self.network.read_text().split(maxsplit=2)[1])
        # CAMINOS gives every router as many servers; those of adapter blocks, the first ones, are the hosts.
        self.hosts = hosts_of(mkns, spec)
        self.seconds_of_set_up = result(self.print_of(1, 1), "user_time")

    def print_of(self, cycles, seed):
        text = CONFIGURATION.format(network=self.network, hosts=self.hosts, load=self.load, cycles=cycles, seed=seed)
        self.configuration.write_text(text)
        return output_of([self.program, self.configuration])

    def run(self, cycles, seed):
        """Router-cycles per second and mean cables passed."""
        text = self.print_of(cycles, seed)
        seconds = result(text, "user_time") - self.seconds_of_set_up
        return self.routers * (cycles - 1) / seconds, result(text, "average_packet_hops")


def compare(options, folder, spec, load, cycles, rounds):
    caminos = Caminos(options.caminos, options.mkns, folder, spec, load)
    ours, theirs = [], []
    for seed in range(1, rounds + 1):
        ours.append(own(options.mkns, spec, load, cycles, seed))
        theirs.append(caminos.run(cycles, seed))
    speeds, hops = zip(*ours)
    other_speeds, cables = zip(*theirs)
    return {
        "spec": spec,
        "routers": caminos.routers,
        "offered_load": load,
        "mkns_router_cycles_per_second": speeds,
        "caminos_router_cycles_per_second": other_speeds,
        "speed_ratio": statistics.median(map(lambda pair: pair[0] / pair[1], zip(speeds, other_speeds))),
        "mkns_hops_mean": statistics.mean(hops),
        "caminos_hops_mean": statistics.mean(cables) + 1,
    }


def line(row):
    def millions(name):
        return " ".join(f"{speed / 1e6:.3f}" for speed in row[name])

    return (
        f"{row['spec']}, {row['routers']} blocks, load {row['offered_load']}\n"
        f"  million router-cycles/s: mkns {millions('mkns_router_cycles_per_second')}, "
        f"CAMINOS {millions('caminos_router_cycles_per_second')}; {row['speed_ratio']:.1f} times as fast\n"
        f"  mean hops in blocks: mkns {row['mkns_hops_mean']:.3f}, CAMINOS {row['caminos_hops_mean']:.3f}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mkns")
    parser.add_argument("caminos")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    rows = []
    for case in CASES:
        with tempfile.TemporaryDirectory(prefix="mkns_caminos_") as folder:
            rows.append(compare(options, Path(folder), *case))
        if options.format == "text":
            print(line(rows[-1]), flush=True)
    if options.format == "json":
        print(json.dumps(rows, indent=2))
    differ = [row for row in rows if abs(row["mkns_hops_mean"] / row["caminos_hops_mean"] - 1) > 0.02]
    if differ:
        sys.exit(f"caminos: mean hops differ by more than 2 %: {', '.join(row['spec'] for row in differ)}")


if __name__ == "__main__":
    main()
