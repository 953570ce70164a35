#!/usr/bin/env python3
"""Speed, memory and bytes of one network on 1, 2, … ranks of MPI: `tools/mpi_speed.py MKNS [SPEC [CYCLES [ROUNDS [RANKS]]]]`.

Rounds go in turns, so that other work on the machine meets all alike; medians are compared. Results have to be the same
on any number of ranks.
"""

import json
import os
import statistics
import subprocess
import sys
import time

# What a report says of the machine, not of the network.
MACHINE = {"router_cycles_per_second", "set_up_seconds", "state_bytes_per_router", "buffer_bytes_per_router"}


def results(found):
    """What has to be the same on any number of ranks."""
    if isinstance(found, dict):
        return {name: results(value) for name, value in found.items() if name not in MACHINE}
    return [results(value) for value in found] if isinstance(found, list) else found


def run(mkns, spec, cycles, ranks):
    environment = os.environ | {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    words = ["mpirun", "--oversubscribe", "-n", str(ranks), mkns, "sim", spec, "--mpi", "--load", "0.5", "--warmup", "100",
             "--cycles", str(cycles), "--format", "json"]
    begun = time.time()
    ended = subprocess.run(words, capture_output=True, text=True, env=environment)
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
    print("ranks  router-cycles/s  ratio  peak MiB a rank  ratio  border blocks  bytes a cycle and block  wall s")
    for ranks, all_rows in rows.items():
        speed = statistics.median(speeds[ranks])
        peak = max(row["peak_bytes"] for row in all_rows)
        sent = sum(row["border_bytes"] + row["notice_bytes"] for row in all_rows)
        border = sum(row["border_blocks"] for row in all_rows)
        print(f"{ranks:5}  {speed:15.0f}  {speed / one:5.2f}  {peak / 2**20:15.0f}  {peak / memory:5.2f}  {border:13}"
              f"  {sent / found['blocks'] / (cycles + 100):23.2f}  {statistics.median(seconds[ranks]):6.1f}")


if __name__ == "__main__":
    main()
