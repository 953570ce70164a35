"""Mutated input files and random specs through every verb that reads files: `make fuzz`.

Each run has to end by itself within 30 seconds and 4 GiB, with an exit code of docs/reference/error-codes.md. The
same --seed gives the same inputs. What fails is kept, with its command, below --keep.
"""

import argparse
import concurrent.futures
import os
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SECONDS = 30
BYTES = 4 << 30
# Those that are documented.
EXIT_CODES = {int(code) for code in re.findall(r"^- (\d+): ", (ROOT / "docs/reference/error-codes.md").read_text(), re.MULTILINE)}
NET = "MKNS(2,4,2,1)"
SIM = "--load 0.2 --cycles 60 --warmup 20 --threads 1"

# What reads a file of a kind, F being the file and D a folder of its own.
VERBS = {
    "spec": [
        "check F", "info F", "info F --format json", "cabling F", "cabling F --format csv", "diversity F",
        "export F --to json", "export F --to graphml", "export F --to dot", "export F --to csv", "export F --to booksim",
        "export F --to caminos", "export F --to routes", "generate F -o D/out", "route F 0 1", f"sim F {SIM}",
        "reroute F --down ab_0_0_0_0", "faults F --failed-parts 1 --samples 2 --threads 1", "workload F --job all-to-all:64b --threads 1",
        f"report F {SIM}", "plot F --kind path-lengths", "fpga F --block ab_0_0_0_0 --board alveo_u50 -o D/out --dry-run",
    ],
    "routes": [
        f"check '{NET}' --routes F", f"sim '{NET}' --routes F {SIM}", f"route '{NET}' 0 17 --routes F",
        f"reroute '{NET}' --from-routes F --down kb_y0", f"info '{NET}' --routes F", f"generate '{NET}' --routes F -o D/out",
    ],
    "down": [
        f"check '{NET}' --down-file F", f"sim '{NET}' --down-file F {SIM}", f"reroute '{NET}' --down-file F",
        f"info '{NET}' --down-file F", f"generate '{NET}' --down-file F -o D/out",
    ],
    "read_back": [f"cabling '{NET}' --read-back F"],
    "floor": [f"cabling '{NET}' --floor F", "explore --hosts 8 --ports 4 --floor F"],
    "prices": ["explore --hosts 8 --ports 4 --prices F"],
    "trace": [f"sim '{NET}' --traffic trace --packets F --cycles 60 --warmup 0 --threads 1"],
    "goal": ["workload 'MKNS(1,2,1,1)' --job F --threads 1 --clock-mhz 300"],
    "study": ["study F -o D/out -j 1"],
    "regress": ["regress F --json D/rows.json --suite smoke"],
    "case": ["cosim --case F"],
    "sweep": ["plot F --kind latency"],
    "design": ["info F", "check F", "export F --to json"],
    # No lint tool is there: what the verb reads itself.
    "folder": [f"cosim '{NET}' --block switch --cycles 20 --rtl D", f"cosim '{NET}' --cycles 20 --rtl D",
               f"generate '{NET}' -o D", f"generate '{NET}' -o D --check", "lint D"],
    "task": ["task D/results/slurm/1 0"],
    "registers": [f"manage '{NET}' --mmap F --once", f"cabling '{NET}' --mmap F"],
}

STUDY = """[[matrix]]
spec = ["MKNS(1,3,1,1)"]
traffic = ["uniform"]
load = "0.1..0.2"
down = [[], ["ab_1_0_0_0"]]
seeds = 2

[options]
cycles = 60
warmup = 20

[limits]
seconds = 5
memory_mib = 1000
"""

# A task of Slurm with two jobs. MEMORY: a size that `bound` would take for too large.
TASKS = """{"name": "mkns-abcdefabcdefabcdefabcdefabcdefab", "limits": {"seconds": 5, "cpu_seconds": 5, "memory_bytes": MEMORY},
"tasks": [[
{"key": "abcdefabcdefabcdefabcdefabcdefaa", "words": ["check", "MKNS(1,2,1,1)"], "labels": [["load", "0.3"]], "seconds": 1.0},
{"key": "abcdefabcdefabcdefabcdefabcdefac", "words": ["sim", "MKNS(1,2,1,1)", "--load", "0.2", "--cycles", "60",
"--warmup", "20", "--threads", "1"], "labels": [["load", "0.2"], ["seed", "1"]], "seconds": 1.5}
]]}
"""

# Valid specs of networks that are large.
LARGE = {"widest_address", "fat_tree_full", "paper_64"}

WORDS = [b"\xff\xfe", b"\xef\xbb\xbf", b"\0", b"\x1b[31m", b"\r\n", b"\n\n", b"\"", b"'", b"[", b"]", b"{", b"}", b"=", b",",
         b"#", b"-1", b"0", b"1", b"2", b"3", b"64", b"nan", b"inf", b"-inf", b"1e308", b"99999999999999999999",
         b"-9223372036854775809", b"true", b"/dev/null", b"..", b"\xf0\x9f\x92\xa5", b"x" * 5000, b"[[" * 200]


class Corpus:
    """Files of every kind, by name."""

    def __init__(self, mkns):
        def run(*words):
            return subprocess.run([mkns, *words], capture_output=True, check=True, cwd=ROOT).stdout

        def below(*patterns):
            paths = [path for pattern in patterns for path in sorted(ROOT.glob(pattern))]
            small = [path for path in paths if path.is_file() and path.stem not in LARGE]
            return [(path.suffix, path.read_bytes()) for path in small]

        self.generated = Path(tempfile.mkdtemp(prefix="mkns_fuzz_"))
        run("generate", NET, "-o", str(self.generated / "net"))
        cables = (self.generated / "net/cables.csv").read_bytes()
        self.files = {
            "spec": below("tests/specs/valid/*.toml", "examples/my_machine.toml", "examples/pair.toml",
                          "examples/two_boards.toml", "tests/regressions/specs/*.toml", "tests/specs/invalid/too_*.toml"),
            "routes": [(".csv", run("export", NET, "--to", "routes"))],
            "down": [(".txt", b"ab_0_0_0_0\nkb_y0 # a block\nab_1_0_0_0/2\n"), (".txt", b"ab_0_0_0_0:1\nab_0_0_0_0-kb_y0\n")],
            "read_back": below("tests/data/cabling/*.csv", "tests/data/cabling/*.json") + 4 * [(".csv", cables)],
            "floor": below("tests/data/cabling/*.toml", "examples/hall.toml"),
            "prices": [(".toml", run("explore", "--example-prices"))],
            "trace": below("tests/data/trace_two_packets.csv"),
            "goal": below("examples/two_ranks.goal"),
            "study": [(".toml", STUDY.encode())],
            # A suite that needs no model: its rows are refused one by one.
            "regress": [(".toml", b"[limits]\nseconds = 5\n[[suite.smoke]]\nspecs = [\"none.toml\"]\nparts = [\"switch\"]\n"
                                  b"traffic = [\"uniform\"]\ncycles = 10\nseeds = 1\n")],
            "case": below("examples/my_packets.toml", "tests/data/case_with_settings.toml", "tests/regressions/cases/*.toml"),
            "sweep": below("tests/data/sweep.csv"),
            "design": [(".toml", b"[network]\nkind = \"block_design\"\n")] + below("tests/specs/valid/block_design.toml"),
            "folder": [("", b"")],
            "task": [(".json", TASKS.encode())],
            "registers": [(".bin", bytes(64))],
        }


def mutate(rng, text, others):
    """One to six changes of a file."""
    data = bytearray(text)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        at = rng.randint(0, len(data))
        end = min(len(data), at + rng.choice([1, 2, 8, 40]))
        change = rng.randrange(9)
        if change == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif change == 1:
            data[at:end] = b""
        elif change == 2:
            data[at:at] = data[at:end] * rng.choice([1, 2, 30])
        elif change == 3:
            data[at:at] = rng.choice(WORDS)
        elif change == 4:
            numbers = list(re.finditer(rb"-?\d[\d_.]*", data))
            if numbers:
                number = rng.choice(numbers)
                data[number.start():number.end()] = rng.choice(WORDS[15:27])
        elif change == 5:
            lines = data.split(b"\n")
            one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[one], lines[other] = lines[other], lines[one]
            data = bytearray(b"\n".join(lines))
        elif change == 6:
            lines = data.split(b"\n")
            line = rng.randrange(len(lines))
            lines[line:line + 1] = rng.choice([[], [lines[line]] * 2, [lines[line]] * 50])
            data = bytearray(b"\n".join(lines))
        elif change == 7:
            other = rng.choice(others)[1]
            start = rng.randint(0, len(other))
            data[at:end] = other[start:start + rng.choice([4, 40, 400])]
        else:
            data[at:] = b""
    return bound(bytes(data[:200_000]))


def bound(text):
    """Valid sizes stay small: a long run of a large network is no fault. Numbers that no integer holds stay."""
    def small(number):
        digits = number.group().replace(b"_", b"")
        return b"7" if 3 < len(digits) < 19 else number.group()
    text = re.sub(rb"(?<![\d.])\d[\d_]*(?!\.\d)", small, text)
    # Products of dimensions.
    def few(dimensions):
        product = 1
        for size in dimensions.group().split(b"x"):
            product *= int(size or 1)
        return dimensions.group() if product <= 64 else b"3x4"
    text = re.sub(rb"(size *= *)(?:[2-9]\d|1[3-9]|\d{3,})(?!\d)", rb"\g<1>6", text)
    return re.sub(rb"\d+(?:x\d+)+", few, re.sub(rb"(?<=[(,])(\d{3})(?=[,x)])", b"12", text))


def random_spec(rng):
    """A notation, mostly of a network that can be."""
    def size(most):
        return rng.choice([rng.randint(1, most), rng.randint(0, 3)])

    def dimensions():
        return "x".join(str(size(6)) for _ in range(rng.randint(1, 3)))

    hosts = size(3)
    words = rng.choice([
        f"MKNS({hosts},{dimensions()},{size(3)},{rng.randint(0, 2)})", f"torus({dimensions()},{hosts})", f"KNS({dimensions()},{hosts})",
        f"HyperX({dimensions()},{hosts})", f"fat_tree({dimensions()},{hosts})", f"slim_fly({rng.choice([3, 4, 5, 6])},{hosts})",
        f"random_shortcut({rng.randint(0, 20)},{size(5)},{hosts})", f"dln({rng.randint(0, 20)},{size(3)},{hosts})",
        f"multi_ring({size(4)},{size(2)})", f"hypercube({size(4)},{size(2)},{rng.randint(0, 1)})",
        f"block_design({rng.choice([7, 13, 4])},{size(4)},{size(2)})", f"dln({size(9)},{size(9)})",
    ])
    settings = ["flit_bits=128", "virtual_channels=4", "routing=up_down", "routing=planes", "routing=vtftr", "routing=shortest",
                "switching=vct", "layers=4", "link.dimensions=[2]", "link_latency=3", "banks=9", "counters=false", "queue_flits=7",
                "rx_buffer_flits=300", "max_packet_flits=1", "host_timeout=0", "name=\"a\"", "routing=none"]
    chosen = rng.sample(settings, rng.choice([0, 0, 1, 2]))
    return words, chosen


def make_input(seed, number, corpus, folder):
    """The command of an input, whose files are written into the folder."""
    rng = random.Random(f"{seed}:{number}")
    kind = rng.choice(["notation", *VERBS, *["spec"] * 4])
    if kind == "notation":
        words, settings = random_spec(rng)
        command = shlex.split(rng.choice(VERBS["spec"]).replace("D/", f"{folder}/"))
        command = [words if word == "F" else word for word in command]
        return kind, command + [word for setting in settings for word in ("--set", setting)]
    verb = rng.choice(VERBS[kind])
    ending, text = rng.choice(corpus.files[kind])
    path = folder / f"input{ending}"
    if kind == "folder":
        shutil.copytree(corpus.generated / "net", folder / "net")
        files = sorted(file for file in (folder / "net").rglob("*") if file.is_file())
        path = rng.choice(files)
        path.write_bytes(mutate(rng, path.read_bytes(), [("", path.read_bytes())]))
        folder = folder / "net"
    elif kind == "task":
        path = folder / "results/slurm/1/tasks.json"
        path.parent.mkdir(parents=True)
        path.write_bytes(mutate(rng, text, corpus.files[kind]).replace(b"MEMORY", b"1000000000"))
    elif kind == "registers":
        blocks = 64
        with path.open("wb") as file:
            file.truncate(blocks << 20)
            for block in range(blocks):
                for word in range(6):
                    file.seek((block << 20) + 4 * word)
                    file.write(rng.choice([b"SNKM", b"\xff" * 4, bytes(4), rng.randbytes(4)]))
    else:
        others = [one for files in corpus.files.values() for one in files] if rng.random() < 0.2 else corpus.files[kind]
        path.write_bytes(mutate(rng, text, others))
    words = shlex.split(verb)
    return kind, [str(path) if word == "F" else word.replace("D/", f"{folder}/") if "D/" in word else
                  str(folder) if word == "D" else word for word in words]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def try_input(mkns, seed, number, corpus, keep):
    """What a run shows, and what is wrong with it, if anything."""
    folder = Path(tempfile.mkdtemp(prefix=f"mkns_fuzz_{number}_"))
    kind, words = make_input(seed, number, corpus, folder)
    environment = {**os.environ, "MKNS_CACHE": str(folder / "cache"), "RUST_BACKTRACE": "0"}
    if kind in ("case", "regress", "folder"):
        # No model is built and no lint tool runs: an input is judged before, or the tool is missing.
        environment["MKNS_TOOLS"] = str(folder / "none")
        environment["PATH"] = "/nonexistent"
    begun = time.monotonic()
    process = subprocess.Popen([mkns, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=folder, env=environment, preexec_fn=limit, start_new_session=True)
    try:
        _, said = process.communicate(timeout=SECONDS)
        code = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        _, said = process.communicate()
        code = "time"
    seconds = time.monotonic() - begun
    wrong = None
    if code == "time":
        wrong = f"longer than {SECONDS} s"
    elif code < 0:
        wrong = f"signal {-code}"
    elif code not in EXIT_CODES or b"panicked at" in said:
        wrong = f"exit code {code}"
    if wrong:
        kept = keep / f"{seed}_{number}"
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(folder, kept, symlinks=True, ignore=shutil.ignore_patterns("cache"))
        words = [word.replace(str(folder), str(kept)) for word in words]
        last = said.decode(errors="replace").strip().splitlines()[-3:]
        wrong += ": " + shlex.join(["mkns", *words]) + "".join(f"\n    {line[:200]}" for line in last)
    shutil.rmtree(folder, ignore_errors=True)
    return kind, code, seconds, wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("mkns", help="the program")
    arguments.add_argument("--count", type=int, default=2000, help="inputs")
    arguments.add_argument("--first", type=int, default=0, help="number of the first input")
    arguments.add_argument("--seed", default="1")
    arguments.add_argument("--minutes", type=float, default=60, help="end after this many minutes, whatever is left")
    arguments.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments.add_argument("--keep", type=Path, default=Path("fuzz_failures"), help="folder for inputs that fail")
    given = arguments.parse_args()
    # Away from its .tools: nothing is built, and no lint tool runs.
    beside = Path(tempfile.mkdtemp(prefix="mkns_fuzz_"))
    mkns = shutil.copy2(given.mkns, beside / "mkns")
    corpus = Corpus(mkns)
    codes, kinds, failures, slowest = Counter(), Counter(), [], (0, "")
    end = time.monotonic() + 60 * given.minutes
    numbers = iter(range(given.first, given.first + given.count))
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        running = set()
        while True:
            while len(running) < 2 * given.jobs and time.monotonic() < end:
                number = next(numbers, None)
                if number is None:
                    break
                running.add(pool.submit(try_input, mkns, given.seed, number, corpus, given.keep))
            if not running:
                break
            done, running = concurrent.futures.wait(running, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                kind, code, seconds, wrong = future.result()
                codes[code] += 1
                kinds[kind] += 1
                slowest = max(slowest, (seconds, kind))
                if wrong:
                    failures.append(wrong)
                    print(f"FAILED {kind}: {wrong}", flush=True)
                if sum(codes.values()) % 1000 == 0:
                    print(f"{sum(codes.values())} inputs, {len(failures)} failures", flush=True)
    for folder in (corpus.generated, beside):
        shutil.rmtree(folder, ignore_errors=True)
    spread = ", ".join(f"{code}: {count}" for code, count in sorted(codes.items(), key=str))
    print(f"{sum(codes.values())} inputs of {len(kinds)} kinds; exit codes {spread}; slowest {slowest[0]:.1f} s ({slowest[1]})")
    if failures:
        print(f"{len(failures)} failures, kept in {given.keep}")
    if sum(codes.values()) < given.count:
        print(f"time is over: {given.count - sum(codes.values())} inputs not tried")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
