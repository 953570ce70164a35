#!/usr/bin/env python3
"""Ranks of MPI against threads and one process, bit for bit: `tools/mpi_equal.py MKNS`.

Every kind of network, some with failed parts, several kinds of traffic; all results, flows and links are compared. What MPI
cannot do has to be refused by one message and exit code 2. What a rank takes to set itself up has to be its share. Ends
with 1 at the first difference.
"""

import os
import subprocess
import sys
import tempfile

from mpi_speed import ENVIRONMENT, results, run
import json

CASES = [
    ("MKNS(2,8x10,2,1)", []),
    ("MKNS(2,8x10,2,1)", ["--down", "kb_y0", "--down", "ab_3_4_0_0"]),
    ("MKNS(2,4x4,2,1)", ["--set", "routing=planes", "--down", "kb_y1"]),
    ("MKNS(1,2x12,2,2)", ["--traffic", "neighbour"]),
    ("torus(4x4x4,1)", ["--traffic", "tornado"]),
    ("torus(5x3,2)", ["--injection", "bursts"]),
    ("torus(4x4x4,1)", ["--set", "routing=up_down", "--down", "ab_1_2_0"]),
    ("fat_tree(6,2)", ["--traffic", "permutation", "--seeds", "2"]),
    ("fat_tree(6,2)", ["--down", "sw1_0/4"]),
    ("slim_fly(5,1)", ["--injection", "window"]),
    ("slim_fly(5,1)", ["--down", "ab_0_1_2"]),
    ("random_shortcut(64,4,4)", ["--traffic", "broadcast"]),
    ("multi_ring(3,1,1)", []),
    ("hypercube(3)", ["--traffic", "bit-complement"]),
    ("multi_ring(3,2)", ["--down", "spine_1_1", "--down", "terminal_7/1"]),
    ("block_design(11,5,2)", ["--down", "spine_2", "--down", "terminal_3"]),
]
# Ranks, none without MPI; threads; what is written: links ask for the graph of the whole network. All are compared with the
# first.
BOTH = ["flows", "links"]
WAYS = [(None, 1, BOTH), (None, 2, BOTH), (1, 1, BOTH), (2, 1, BOTH), (2, 2, BOTH), (3, 1, BOTH), (2, 1, ["flows"]), (3, 2, ["flows"])]
REFUSED = [
    (["sim", "MKNS(2,4x4,2,1)", "--mpi", "--fail", "kb_y0@1000"], "E0807"),
    (["sim", "multi_ring(3,1,1)", "--mpi", "--routes", "README.md"], "E0610"),
]

# A network of 32,768 blocks, and the most of what one rank needs to set up that each of four may need.
LARGE, SHARE = "torus(32x32x32,3)", 0.4


def command(mkns, words, ranks):
    begin = [] if ranks is None else ["mpirun", "--oversubscribe", "-n", str(ranks)]
    return subprocess.run(begin + [mkns] + words, capture_output=True, text=True, env=ENVIRONMENT)


def found(mkns, spec, options, ranks, threads, written, folder):
    """All that a simulation says, by what it is."""
    files = {name: os.path.join(folder, name + ".csv") for name in written}
    words = ["sim", spec, *options, "--load", "0.1..0.4", "--step", "0.3", "--cycles", "1500", "--warmup", "300",
             "--format", "json", *(word for name, path in files.items() for word in ("--" + name, path))]
    if "window" in options:
        words = [word for word in words if word not in ("--load", "0.1..0.4", "--step", "0.3")]
    # Threads split a single run only.
    words += ["--threads", str(threads)] if ranks or "--seeds" not in options else []
    words += ["--mpi"] if ranks else []
    ended = command(mkns, words, ranks)
    if ended.returncode:
        sys.exit(f"mpi_equal: {' '.join(words)}: {ended.stderr}")
    texts = {name: open(path, encoding="utf-8").read() for name, path in files.items()}
    return {"results": results(json.loads(ended.stdout)), **texts}


def ensure_share(mkns):
    """Nothing of the size of the whole network may be on a rank, not for a moment."""
    peaks = [max(row["set_up_peak_bytes"] for row in run(mkns, spec, 10, ranks)[1])
             for spec, ranks in [("torus(2x2)", 1), (LARGE, 1), (LARGE, 4)]]
    nothing, one, four = peaks
    share = (four - nothing) / (one - nothing)
    print(f"{LARGE}: while it sets up, each of 4 ranks takes {share:.2f} of what one takes")
    if share > SHARE:
        sys.exit(f"mpi_equal: that is more than {SHARE}: bytes of a process without a network, of 1 and of 4 ranks {peaks}")


def main():
    mkns = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for spec, options in CASES:
            wanted = None
            for ranks, threads, written in WAYS:
                here = found(mkns, spec, options, ranks, threads, written, folder)
                wanted = wanted or here
                for name, value in here.items():
                    if value != wanted[name]:
                        sys.exit(f"mpi_equal: {spec} {' '.join(options)}: {name} of {ranks} ranks with {threads} threads "
                                 f"differ from those of one process:\n{value}\n{wanted[name]}")
            packets = sum(point["packets"] for point in wanted["results"]["points"])
            print(f"{spec} {' '.join(options)}: {packets} packets, {len(wanted['flows'].splitlines()) - 1} flows, "
                  f"{len(wanted['links'].splitlines()) - 1} directions of cables: equal on 1, 2, 3 ranks and 2 threads", flush=True)
        for words, code in REFUSED:
            ended = command(mkns, words, 2)
            if ended.returncode != 2 or ended.stderr.count("error[") != 1 or f"error[{code}]" not in ended.stderr:
                sys.exit(f"mpi_equal: {' '.join(words)} is to be refused once with {code}, not so:\n{ended.stderr}")
            ended = command(mkns, words + ["--format", "json"], 2)
            if ended.stderr.count('"exit_code"') != 1 or f'"{code}"' not in ended.stderr:
                sys.exit(f"mpi_equal: {' '.join(words)}: one document is to say {code}, not so:\n{ended.stderr}")
            print(f"{' '.join(words)}: refused with {code}, as text and as JSON")
    ensure_share(mkns)


if __name__ == "__main__":
    main()
