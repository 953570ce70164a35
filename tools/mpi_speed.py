#!/usr/bin/env python3
"""Speed, memory and bytes of one network on 1, 2, … ranks of MPI: `tools/mpi_speed.py MKNS [SPEC [CYCLES [ROUNDS [RANKS]]]]`.

Rounds go in turns, so that other work on the machine meets all alike; medians are compared. Results have to be the same
on any number of ranks. Then a model of larger networks from these figures; its assumptions stand in `forecast`.
"""

import json
import math
import os
import statistics
import subprocess
import sys
import time

# What a report says of the machine, not of the network.
MACHINE = {"router_cycles_per_second", "set_up_seconds", "state_bytes_per_router", "buffer_bytes_per_router"}

# As root Open MPI wants to be told twice.
ENVIRONMENT = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}


def results(found):
    """What has to be the same on any number of ranks."""
    if isinstance(found, dict):
        return {name: results(value) for name, value in found.items() if name not in MACHINE}
    return [results(value) for value in found] if isinstance(found, list) else found


def run(mkns, spec, cycles, ranks):
    words = ["mpirun", "--oversubscribe", "-n", str(ranks), mkns, "sim", spec, "--mpi", "--load", "0.5", "--warmup", "100",
             "--cycles", str(cycles), "--format", "json"]
    begun = time.time()
    ended = subprocess.run(words, capture_output=True, text=True, env=ENVIRONMENT)
    if ended.returncode:
        sys.exit(f"mpi_speed: {' '.join(words)}: {ended.stderr}")
    found = json.loads(ended.stdout)
    rows = [json.loads(line.split(": ", 1)[1]) for line in ended.stderr.splitlines() if line.startswith("rank ")]
    return found, rows, results(found), time.time() - begun


def main():
    mkns = os.path.abspath(sys.argv[1])
    given = sys.argv[2:] + [""] * 4
    spec = given[0] or "MKNS(2,8x10x10x10,4,1)"
    cycles, rounds, most = int(given[1] or 1000), int(given[2] or 3), int(given[3] or 2)
    speeds, rows, seconds, wanted = {}, {}, {}, None
    for _ in range(rounds):
        for ranks in range(1, most + 1):
            found, rows[ranks], same, wall = run(mkns, spec, cycles, ranks)
            if wanted is not None and same != wanted:
                sys.exit(f"mpi_speed: {ranks} ranks find {same}, one finds {wanted}")
            wanted = same
            speeds.setdefault(ranks, []).append(found["router_cycles_per_second"])
            seconds.setdefault(ranks, []).append(wall)
    one = statistics.median(speeds[1])
    memory = max(row["peak_bytes"] for row in rows[1])
    print(f"{spec}, {found['blocks']} blocks, {found['hosts']} hosts, {cycles} cycles, {rounds} rounds, same results")
    print("ranks  router-cycles/s  ratio  peak MiB a rank  ratio  set-up MiB  border blocks  bytes a cycle and block  wall s")
    for ranks, all_rows in rows.items():
        speed = statistics.median(speeds[ranks])
        peak = max(row["peak_bytes"] for row in all_rows)
        set_up = max(row["set_up_peak_bytes"] for row in all_rows)
        sent = sum(row["border_bytes"] + row["notice_bytes"] for row in all_rows)
        border = sum(row["border_blocks"] for row in all_rows)
        print(f"{ranks:5}  {speed:15.0f}  {speed / one:5.2f}  {peak / 2**20:15.0f}  {peak / memory:5.2f}  {set_up / 2**20:10.0f}"
              f"  {border:13}  {sent / found['blocks'] / (cycles + 100):23.2f}  {statistics.median(seconds[ranks]):6.1f}")
    if most > 1:
        forecast(mkns, found, rows, one)


def forecast(mkns, found, rows, speed):
    """Time and memory of 1,000 cycles of larger networks of such blocks, load and hops.

    A rank steps its blocks as fast as one rank does here. Beside that, each batch of 4 cycles costs 5 microseconds a
    neighbour, of which a rank has 3 (cube root of the ranks - 1): those of its lines. It sends at most what all hops would
    send, 15 bytes each (a credit, and a flit that is mostly blank), at 1 GB/s, not overlapped. Arrivals are told to all
    ranks every 256 cycles, 5 microseconds each. Memory is that of a process without a network and of the
    rank's blocks; what it takes to set up, the graph and tables of these and of the blocks around them, is less. To cut the
    network each rank looks at all blocks for every halving (64 ranks are six), a microsecond each.
    """
    _, (nothing, *_), *_ = run(mkns, "MKNS(2,4,2,1)", 100, 1)
    empty, blocks = nothing["peak_bytes"], found["blocks"]
    of_block = max((row["peak_bytes"] - empty) / row["blocks"] for row in rows[max(rows)])
    of_set_up = (rows[1][0]["set_up_seconds"] - nothing["set_up_seconds"]) / blocks
    point = found["points"][0]
    hops = point["accepted_load"] * found["hosts"] / blocks * point["hops_mean"]
    print(f"a rank alone: {empty / 2**20:.0f} MiB, {of_block / 1024:.1f} KiB a block, {speed / 1e6:.2f} million block-cycles/s; "
          f"{of_set_up * 1e6:.1f} us a block to set up; at most {15 * hops:.1f} bytes a cycle and block")
    print("    hosts  ranks  blocks a rank  set-up s  s for 1,000 cycles  of it messages  MiB a rank")
    for hosts in [10**5, 10**6]:
        for ranks in [64, 256, 1024, 4096]:
            all_blocks = blocks * hosts / found["hosts"]
            own = all_blocks / ranks
            messages = 250 * 5e-6 * 3 * (ranks ** (1 / 3) - 1) + 1000 / 256 * 5e-6 * (ranks - 1)
            messages += 1000 * own * 15 * hops / 1e9
            memory = empty + own * of_block
            set_up = own * of_set_up + all_blocks * math.log2(ranks) * 1e-6
            print(f"{hosts:9}  {ranks:5}  {own:13.0f}  {set_up:8.1f}  {1000 * own / speed + messages:18.2f}"
                  f"  {messages:14.2f}  {memory / 2**20:10.0f}")


if __name__ == "__main__":
    main()
