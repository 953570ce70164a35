#!/usr/bin/env python3
"""Ranks of MPI against threads and one process, bit for bit: `tools/mpi_equal.py MKNS`.

Every kind of network, some with failed parts, several kinds of traffic; all results, flows and links are compared. What MPI
cannot do has to be refused by one message and exit code 2. Ends with 1 at the first difference.
"""

import os
import subprocess
import sys
import tempfile

from mpi_speed import ENVIRONMENT, results
import json

CASES = [
    ("MKNS(2,8x10,2,1)", []),
    ("MKNS(2,8x10,2,1)", ["--down", "kb_y0", "--down", "ab_3_4_0_0"]),
    ("MKNS(2,4x4,2,1)", ["--set", "routing=planes", "--down", "kb_y1"]),
    ("torus(4x4x4,1)", ["--traffic", "tornado"]),
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
# Words after `mpirun`; none: without MPI. The first is what all are compared with.
WAYS = [(None, 1), (None, 2), (1, 1), (2, 1), (2, 2), (3, 1)]
REFUSED = [
    (["sim", "MKNS(2,4x4,2,1)", "--mpi", "--fail", "kb_y0@1000"], "E0807"),
    (["sim", "multi_ring(3,1,1)", "--mpi", "--routes", "README.md"], "E0610"),
]


def command(mkns, words, ranks):
    begin = [] if ranks is None else ["mpirun", "--oversubscribe", "-n", str(ranks)]
    return subprocess.run(begin + [mkns] + words, capture_output=True, text=True, env=ENVIRONMENT)


def found(mkns, spec, options, ranks, threads, folder):
    """All that a simulation says, by what it is."""
    files = {name: os.path.join(folder, name + ".csv") for name in ["flows", "links"]}
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


def main():
    mkns = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        for spec, options in CASES:
            wanted = None
            for ranks, threads in WAYS:
                here = found(mkns, spec, options, ranks, threads, folder)
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


if __name__ == "__main__":
    main()
