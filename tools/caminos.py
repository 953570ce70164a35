#!/usr/bin/env python3
"""Runs the same networks under the same traffic in CAMINOS and in `mkns sim`: speed, hops, throughput.

The networks come from `mkns export --to caminos`. Speeds are router-cycles per second of processor time, without
set-up; the machine's speed cancels in their ratio, which is the median over the rounds. What differs: CAMINOS computes
shortest paths of its own, stores packets in FIFOs of its own and counts cables, so that its hops are one fewer
than the blocks that `mkns sim` counts. The exit code is 1 if mean hops differ by more than 2 %.

Curves: accepted load and mean latency over the offered load, on adaptive routes, in networks of figures 9 to 16 of the
random shortcut paper (`mkns compare --paper random-shortcut` draws the figures). CAMINOS takes any shortest cable, and
every hop of a path has two channels of its own; `mkns` has `routing = "adaptive"`. A router of CAMINOS takes fewer
cycles than a block: the growth of latencies compares, not their values. Failed cables are drawn here, and both programs
go without them.

Valiant: what a network accepts when its hosts send as fast as they can. CAMINOS leads every packet over a random block;
`mkns` has fixed paths, or eight layers of paths.
Usage: tools/caminos.py MKNS CAMINOS [--format json]
"""

import argparse
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

# Network, load, cycles from an empty network on, rounds.
CASES = [
    ("MKNS(2,8x10,2,1)", 0.28, 20_000, 5),
    ("MKNS(2,8x10x10,3,1)", 0.28, 1_000, 3),
    ("MKNS(2,8x10x10x10,4,1)", 0.5, 600, 2),
]
WARM_UP, MEASURED = 2_000, 4_000


class Setup(NamedTuple):
    """Virtual channels of CAMINOS, how a packet selects one, and its routes."""

    channels: int = 2
    policies: str = "EnforceFlowControl, Random"
    routing: str = "Shortest"
    pattern: str = "Uniform"


FEW_LOADS, LOADS = (0.02, 0.2, 0.3, 1.0), (0.02, 0.1, 0.2, 0.3, 0.4, 0.5, 1.0)
# Network, settings, loads, failed cables of a hundred.
ADAPTIVE_CASES = [
    # Figures 9 and 13.
    ("random_shortcut(64,4,4)", [], LOADS, 0),
    ("random_shortcut(64,6,4)", [], LOADS, 0),
    ("random_shortcut(64,6,4)", ["network.base=torus"], LOADS, 0),
    ("random_shortcut(64,6,4)", ["network.base=tree"], LOADS, 0),
    ("torus(4x4x4,4)", [], LOADS, 0),
    # Figures 10, 14 and 12.
    ("random_shortcut(256,8,8)", [], FEW_LOADS, 0),
    ("random_shortcut(256,8,8)", ["network.base=torus"], FEW_LOADS, 0),
    ("random_shortcut(256,8,8)", ["network.base=tree"], FEW_LOADS, 0),
    ("torus(4x4x4x4,8)", [], FEW_LOADS, 0),
    ("random_shortcut(256,8,8)", [], FEW_LOADS, 10),
    ("random_shortcut(256,8,8)", [], FEW_LOADS, 20),
    # Figure 11.
    ("random_shortcut(512,9,8)", [], FEW_LOADS, 0),
    ("torus(4x4x4x4x2,8)", [], FEW_LOADS, 0),
    # Other graphs of figures 15 and 16.
    *(("random_shortcut(64,4,4)", [f"network.seed={seed}"], FEW_LOADS, 0) for seed in (2, 3, 4, 5)),
    *(("random_shortcut(256,8,8)", [f"network.seed={seed}"], FEW_LOADS, 0) for seed in (2, 3)),
]
ADAPTIVE_POLICIES = "WideHops { width: 2 }, EnforceFlowControl, Random"
# Two shortest paths together have at most four cables. The patterns are those of `mkns sim`.
VALIANT_CASES = [
    ("slim_fly(5,4)", "uniform", "Uniform"),
    ("slim_fly(5,4)", "tornado", "CartesianTransform { sides: [4, 50], shift: [0, 24] }"),
    ("slim_fly(5,4)", "bit-complement", "CartesianTransform { sides: [200], complement: [true] }"),
]
VALIANT = Setup(
    4, "WideHops { width: 1 }, EnforceFlowControl, Random", "Valiant { first: Shortest, second: Shortest }"
)
LAYERED = ("--set", "routing=layered", "--set", "layers=8", "--set", "virtual_channels=4")
# Virtual channels, packets of nine flits and links of one cycle as in `mkns sim`, and room for as many packets.
CONFIGURATION = """Configuration {{
    random_seed: {seed}, warmup: {warm_up}, measured: {cycles}, maximum_packet_size: 9,
    topology: File {{ filename: "{network}", format: 0, servers_per_router: {servers} }},
    traffic: SubRangeTraffic {{ start: 0, end: {hosts}, traffic: HomogeneousTraffic {{
        pattern: {pattern}, tasks: {hosts}, load: {load}, message_size: 9 }} }},
    router: Basic {{ virtual_channels: {channels}, virtual_channel_policies: [ {policies} ],
        delay: 0, buffer_size: 36, bubble: false, flit_size: 9, intransit_priority: false,
        allow_request_busy_port: true, output_prioritize_lowest_label: false, output_buffer_size: 18 }},
    routing: {routing},
    link_classes: [ LinkClass {{ delay: 1 }}, LinkClass {{ delay: 1 }}, LinkClass {{ delay: 1 }} ],
}}
"""


def output_of(command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def own_run(mkns, spec, load, warm_up, cycles, *options):
    """What `mkns sim` measures in these cycles."""
    command = [mkns, "sim", spec, "--load", load, "--warmup", warm_up, "--cycles", cycles, "--threads", 1]
    return json.loads(output_of(map(str, [*command, "--format", "json", *options])))


def own(mkns, spec, load, cycles, seed):
    """Router-cycles per second and mean blocks passed."""
    warm_up = cycles // 3
    run = own_run(mkns, spec, load, warm_up, cycles - warm_up, "--seed", seed)
    return run["router_cycles_per_second"], run["hops_mean"]


def options_of(settings):
    return [word for setting in settings for word in ("--set", setting)]


def counts_of(mkns, spec, settings, *names):
    rows = json.loads(output_of([mkns, "info", spec, "--format", "json", *options_of(settings)]))["rows"]
    measured = {row["name"]: row["measured"] for row in rows}
    return [measured[name] for name in names]


def result(text, name):
    found = re.findall(rf"\b{name}:\s*([0-9.e+-]+)", text)
    if not found:
        sys.exit(f"caminos: no {name} in what CAMINOS prints:\n{text[-2000:]}")
    return float(found[-1])


def neighbours_of(adjacency):
    """The neighbours of every router, from a file of adjacencies as CAMINOS reads it."""
    lines = adjacency.splitlines()[2:]
    return {int(name.split()[1]): set(map(int, others.split())) for name, others in zip(lines[::2], lines[1::2])}


def eccentricity(neighbours, router):
    """Cables to the router that is farthest away, or none where some cannot be reached."""
    reached, found, cables = set(), {router}, -1
    while found:
        reached |= found
        found = set().union(*(neighbours[one] for one in found)) - reached
        cables += 1
    return cables if len(reached) == len(neighbours) else None


def drawn_cables(adjacency, percent):
    """As many cables of a hundred, the first draw that leaves the routers connected."""
    neighbours = neighbours_of(adjacency)
    cables = sorted((a, b) for a, others in neighbours.items() for b in others if a < b)
    for seed in range(1, 100):
        drawn = random.Random(seed).sample(cables, len(cables) * percent // 100)
        if eccentricity(without(neighbours, drawn), 0) is not None:
            return drawn
    sys.exit(f"caminos: no draw of {percent} % of the cables leaves the routers connected")


def without(neighbours, cables):
    gone = {*cables, *((b, a) for a, b in cables)}
    return {router: {other for other in others if (router, other) not in gone} for router, others in neighbours.items()}


class Caminos:
    """One network in CAMINOS, which reads files."""

    def __init__(self, program, mkns, folder, spec, load, setup=Setup(), settings=()):
        self.program, self.load, self.setup = program, load, setup
        self.network, self.configuration = folder / "network.adj", folder / "caminos.cfg"
        export = [mkns, "export", spec, "--to", "caminos", "-o", self.network, *options_of(settings)]
        subprocess.run(export, check=True, capture_output=True)
        self.routers = int(self.network.read_text().split(maxsplit=2)[1])
        # CAMINOS gives every router as many servers; those of adapter blocks, the first ones, are the hosts.
        self.hosts, blocks = counts_of(mkns, spec, settings, "hosts", "adapter blocks")
        self.servers = self.hosts // blocks

    def fail(self, cables):
        adjacency = self.network.read_text()
        left = without(neighbours_of(adjacency), cables)
        lines = adjacency.splitlines()[:2]
        for router, others in left.items():
            lines += [f"N {router}", " ".join(map(str, sorted(others)))]
        self.network.write_text("\n".join(lines) + "\n")

    def print_of(self, warm_up, cycles, seed):
        text = CONFIGURATION.format(
            network=self.network,
            servers=self.servers,
            hosts=self.hosts,
            load=self.load,
            **self.setup._asdict(),
            warm_up=warm_up,
            cycles=cycles,
            seed=seed,
        )
        self.configuration.write_text(text)
        return output_of([self.program, self.configuration])

    def seconds_of_set_up(self):
        return result(self.print_of(0, 1, 1), "user_time")

    def run(self, seconds_of_set_up, cycles, seed):
        """Router-cycles per second and mean cables passed."""
        text = self.print_of(0, cycles, seed)
        seconds = result(text, "user_time") - seconds_of_set_up
        return self.routers * (cycles - 1) / seconds, result(text, "average_packet_hops")


def compare(options, folder, spec, load, cycles, rounds):
    caminos = Caminos(options.caminos, options.mkns, folder, spec, load)
    set_up = caminos.seconds_of_set_up()
    ours, theirs = [], []
    for seed in range(1, rounds + 1):
        ours.append(own(options.mkns, spec, load, cycles, seed))
        theirs.append(caminos.run(set_up, cycles, seed))
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


def compare_adaptive(options, folder, spec, settings, loads, failed_percent):
    """Accepted load and mean latency over the offered load, on the same graph."""
    whole = Caminos(options.caminos, options.mkns, folder, spec, 0, settings=settings)
    adjacency = whole.network.read_text()
    failed = drawn_cables(adjacency, failed_percent)
    left = without(neighbours_of(adjacency), failed)
    setup = Setup(2 * max(eccentricity(left, router) for router in left), ADAPTIVE_POLICIES)
    # Blocks of random shortcut networks have the numbers of their routers.
    downs = [word for a, b in failed for word in ("--down", f"ab_{a}-ab_{b}")]
    own_options = options_of([*settings, "routing=adaptive"]) + downs
    points = []
    for load in loads:
        caminos = Caminos(options.caminos, options.mkns, folder, spec, load, setup, settings)
        caminos.fail(failed)
        text = caminos.print_of(WARM_UP, MEASURED, 1)
        run = own_run(options.mkns, spec, load, WARM_UP, MEASURED, *own_options)
        points.append(
            {
                "offered_load": load,
                "mkns": run["accepted_load"],
                "mkns_latency_mean": run["latency_mean"],
                "caminos": result(text, "accepted_load"),
                "caminos_latency_mean": result(text, "average_message_delay"),
            }
        )
    failures = [f"{failed_percent} % of the cables failed"] if failed else []
    title = ", ".join([spec, *settings, *failures])
    return {"spec": title, "traffic": "uniform", "caminos_channels": setup.channels, "points": points}


def adaptive_line(row):
    def told(point):
        names = ("offered_load", "mkns", "caminos", "mkns_latency_mean", "caminos_latency_mean")
        return "  {:7.2f} {:9.3f} {:7.3f} {:9.1f} {:7.1f}".format(*map(point.get, names))

    head = (
        f"{row['spec']}, {row['traffic']}, adaptive; CAMINOS with {row['caminos_channels']} channels\n"
        "  offered  accepted: mkns, CAMINOS  latency in cycles: mkns, CAMINOS"
    )
    return "\n".join([head, *map(told, row["points"])])


def compare_valiant(options, folder, spec, pattern, pattern_of_caminos):
    """Flits accepted per host and cycle: on the fixed paths of `mkns`, on layers of paths, and in CAMINOS."""
    load, cycles = 1.0, (WARM_UP, MEASURED)
    setup = VALIANT._replace(pattern=pattern_of_caminos)
    caminos = Caminos(options.caminos, options.mkns, folder, spec, load, setup)
    runs = [own_run(options.mkns, spec, load, *cycles, "--traffic", pattern, *more) for more in ([], LAYERED)]
    return {
        "spec": spec,
        "traffic": pattern,
        "offered_load": load,
        "mkns_fixed": runs[0]["accepted_load"],
        "mkns": runs[1]["accepted_load"],
        "caminos": result(caminos.print_of(*cycles, 1), "accepted_load"),
        "caminos_channels": setup.channels,
    }


def valiant_line(row):
    return (
        f"{row['spec']}, {row['traffic']}, load {row['offered_load']}, flits accepted per host and cycle\n"
        f"  mkns fixed paths {row['mkns_fixed']:.3f}, 8 layers {row['mkns']:.3f}; "
        f"CAMINOS Valiant, {row['caminos_channels']} channels, {row['caminos']:.3f}"
    )


def line(row):
    def millions(name):
        return " ".join(f"{speed / 1e6:.3f}" for speed in row[name])

    return (
        f"{row['spec']}, {row['routers']} blocks, load {row['offered_load']}\n"
        f"  million router-cycles/s: mkns {millions('mkns_router_cycles_per_second')}, "
        f"CAMINOS {millions('caminos_router_cycles_per_second')}; {row['speed_ratio']:.1f} times as fast\n"
        f"  mean hops in blocks: mkns {row['mkns_hops_mean']:.3f}, CAMINOS {row['caminos_hops_mean']:.3f}"
    )


def rows_of(options, measure, to_line, cases):
    """The rows of one table, each printed as soon as it is known when text is wanted."""
    rows = []
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="mkns_caminos_") as folder:
            rows.append(measure(options, Path(folder), *case))
        if options.format == "text":
            print(to_line(rows[-1]), flush=True)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("mkns")
    parser.add_argument("caminos")
    parser.add_argument("--format", choices=["text", "json"], default="text")
    options = parser.parse_args()
    rows = rows_of(options, compare, line, CASES)
    adaptive = rows_of(options, compare_adaptive, adaptive_line, ADAPTIVE_CASES)
    valiant = rows_of(options, compare_valiant, valiant_line, VALIANT_CASES)
    if options.format == "json":
        print(json.dumps({"shortest": rows, "adaptive": adaptive, "valiant": valiant}, indent=2))
    differ = [row for row in rows if abs(row["mkns_hops_mean"] / row["caminos_hops_mean"] - 1) > 0.02]
    if differ:
        sys.exit(f"caminos: mean hops differ by more than 2 %: {', '.join(row['spec'] for row in differ)}")


if __name__ == "__main__":
    main()
